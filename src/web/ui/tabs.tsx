import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

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

/** Tabs with keyboard navigation. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-border">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            ref={tab.value === value ? reveal : undefined}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent text-muted transition-colors duration-150 hover:text-foreground focus-visible:-outline-offset-2 data-active:border-action data-active:font-semibold data-active:text-foreground"
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

/** Scrolls the selected tab into view. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
