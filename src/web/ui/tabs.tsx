import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

/** One tab and what it shows. */
export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

interface TabsProps {
  /** What the tabs are about, for those who do not see them. */
  label: string;
  tabs: Tab[];
  value: string;
  onChange: (value: string) => void;
}

/** A row of tabs on a rule; arrows move between them. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-rule">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            ref={tab.value === value ? reveal : undefined}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent text-muted transition-colors duration-150 hover:text-ink focus-visible:-outline-offset-2 data-active:border-action data-active:font-semibold data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/** Where a row is wider than the screen, the tab that is shown is seen in it. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
