import type { PaletteItem } from './palette-items.ts';

const MAX_ACTIONS = 40;
const MAX_LABEL = 80;
const CONTROLS = 'button, [role=tab], nav a[href], a.select-none[href]';

/**
 * Actions of the page as it is shown: its visible buttons, tabs and links of navigation, by their labels. Labels that occur
 * more than once, such as those of rows, are left out.
 */
export function listPageActions(): PaletteItem[] {
  const page = document.querySelector('[role=dialog][aria-modal=true]') ?? document.getElementById('page');
  if (!page) return [];
  const controls = [...page.querySelectorAll<HTMLElement>(CONTROLS)].filter(isUsable);
  const byLabel = Map.groupBy(controls, labelOf);
  return [...byLabel]
    .filter(([label, [, another]]) => label !== '' && label.length <= MAX_LABEL && another === undefined)
    .slice(0, MAX_ACTIONS)
    .map(([label, [control]]) => ({
      id: `a ${label}`,
      kind: 'actions',
      text: label,
      run: () => {
        control!.focus();
        control!.click();
      },
    }));
}

function isUsable(control: HTMLElement): boolean {
  if (control.matches(':disabled, [aria-disabled=true], [aria-current=page], [aria-selected=true]'))
    return false;
  return control.checkVisibility() && control.getClientRects().length > 0;
}

function labelOf(control: HTMLElement): string {
  return (control.getAttribute('aria-label') ?? control.innerText).replace(/\s+/g, ' ').trim();
}
