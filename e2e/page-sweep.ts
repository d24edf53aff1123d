import type { RunOptions } from 'axe-core';
import type { Page, Request } from 'playwright-core';
import { accessibilityFaults } from './accessibility.ts';
import type { PageEntry } from './pages.ts';

interface Size {
  width: number;
  height: number;
  /** Themes in which rules of accessibility are checked: rules about colors once a theme, the others once a size. */
  checked?: readonly Theme[];
  isPictured?: boolean;
  /** Only for pictures. */
  isForPictures?: boolean;
}

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
/** Sizes of the window in CSS pixels: 720 × 450 is a window of 1440 × 900 at 200 % zoom. */
const SIZES: readonly Size[] = [
  { width: 1440, height: 900, checked: THEMES, isPictured: true },
  // A page that fits into 1440 fits into more.
  { width: 2560, height: 1440, isPictured: true, isForPictures: true },
  { width: 720, height: 450, checked: ['light'], isPictured: true },
  { width: 390, height: 844 },
  { width: 360, height: 740, isPictured: true },
];
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
/** Requests that take longer are streams. */
const STREAM_AFTER_MS = 4_000;
const QUIET_MS = 150;

interface PageSweep {
  /** Lists violations of a page at all sizes in both themes; writes a picture of each into `folder` if given. */
  visit(entry: PageEntry): Promise<string[]>;
}

/** Sweeps pages in this one: `faults` are the errors that its console and scripts have reported so far. */
export async function startSweep(page: Page, faults: string[], folder?: string): Promise<PageSweep> {
  const settled = trackRequests(page);
  const sizes = SIZES.filter(({ isForPictures }) => folder !== undefined || !isForPictures);
  return {
    async visit(entry) {
      const before = faults.length;
      const violations: string[] = [];
      await page.setViewportSize(SIZES[0]!);
      await open(page, entry);
      await settled();
      for (const size of sizes) {
        await page.setViewportSize(size);
        await page.evaluate(drawTwice);
        const scrolling = await page.evaluate(findOverflow);
        if (scrolling !== null) violations.push(`${entry.name} at ${size.width}: ${scrolling}`);
        for (const theme of THEMES) {
          const isPictured = folder !== undefined && size.isPictured;
          const isChecked = size.checked?.includes(theme);
          if (!isPictured && !isChecked) continue;
          await page.evaluate(setTheme, theme);
          if (isPictured)
            await page.screenshot({ path: `${folder}/${entry.name}-${theme}-${size.width}.png` });
          const rules = isChecked ? await accessibilityFaults(page, checkedRules(theme, size)) : [];
          violations.push(...rules.map((rule) => `${entry.name} at ${size.width}, ${theme}: ${rule}`));
        }
      }
      violations.push(...faults.slice(before).map((fault) => `${entry.name}: ${fault}`));
      return violations;
    },
  };
}

/** Navigates as a link of the application does, or loads a document. */
async function open(page: Page, { url, isDocument }: PageEntry): Promise<void> {
  const isApp = await page.evaluate(
    () => document.getElementById('root') !== null && location.pathname !== '/subscription',
  );
  if (isDocument || !isApp) {
    await page.goto(url);
    return;
  }
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, url);
}

/** Waits until nothing that a page requests is under way for a moment, and it has been drawn. */
function trackRequests(page: Page): () => Promise<void> {
  const pending = new Map<Request, number>();
  let changed = Date.now();
  const finish = (request: Request) => {
    pending.delete(request);
    changed = Date.now();
  };
  page.on('request', (request) => {
    pending.set(request, Date.now());
    changed = Date.now();
  });
  page.on('requestfinished', finish);
  page.on('requestfailed', finish);
  return async () => {
    const isBusy = () => [...pending.values()].some((since) => Date.now() - since < STREAM_AFTER_MS);
    while (isBusy() || Date.now() - changed < QUIET_MS) await page.waitForTimeout(30);
    await page.evaluate(drawTwice);
  };
}

/** Rules to run: colors are the slowest by far, and the same at every size. */
function checkedRules(theme: Theme, size: Size): RunOptions {
  if (size !== SIZES[0])
    return { rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])) };
  return theme === 'light' ? {} : { runOnly: COLOR_RULES };
}

/** Waits until charts, which measure their place, are drawn in its new width. Runs in the page. */
function drawTwice(): Promise<unknown> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

/** Describes the first element that makes the document scroll sideways; null when it does not. Runs in the page. */
function findOverflow(): string | null {
  const { scrollWidth } = document.documentElement;
  if (scrollWidth <= innerWidth) return null;
  const isClipped = (element: Element | null): boolean =>
    element !== null &&
    element !== document.documentElement &&
    (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement));
  const widest = [...document.body.querySelectorAll('*')].find(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && !isClipped(element.parentElement),
  );
  return `scrolls to ${scrollWidth}: ${widest?.outerHTML.slice(0, 200)}`;
}
