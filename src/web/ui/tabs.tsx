import { clsx } from 'clsx';
import { type KeyboardEvent, type ReactNode, useId } from 'react';

/** A tab and its content. */
interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

interface TabsProps {
  /** Accessible label of the tab list. */
  label: string;
  tabs: Tab[];
  value: string;
  onChange: (value: string) => void;
}

/** Offset of each key within the list; Home and End go to its ends. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs with keyboard navigation: arrow keys, Home and End move the focus, Enter and Space select. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId();
  const selected = tabs.find((tab) => tab.value === value);
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        className="tab-strip flex gap-5 border-b border-border"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            tabIndex={tab.value === (selected ?? tabs[0])?.value ? 0 : -1}
            ref={tab.value === value ? reveal : undefined}
            onClick={() => onChange(tab.value)}
            className={clsx(
              '-mb-px h-9 shrink-0 border-b-2 transition-colors duration-150 hover:text-foreground focus-visible:-outline-offset-2',
              tab.value === value ? 'border-action font-semibold' : 'border-transparent text-muted',
            )}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {selected && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
          {selected.content}
        </div>
      )}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const current = tabs.indexOf(document.activeElement as HTMLElement);
  const step = STEPS[event.key];
  const next =
    event.key === 'Home' ? 0 : event.key === 'End' ? -1 : step === undefined ? null : current + step;
  if (next === null) return;
  event.preventDefault();
  tabs.at(next % tabs.length)?.focus();
}

/** Scrolls the selected tab into view. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
