import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** Name for links to the section. */
  anchor?: string;
  /** Text under the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** Section of a settings page: heading at the left on wide screens, content at the right. */
export function Section({ title, anchor, lead, children }: SectionProps) {
  const id = useId();
  return (
    <section
      id={anchor}
      aria-labelledby={id}
      className="scroll-mt-16 grid gap-x-8 gap-y-3 border-t border-border py-5 md:grid-cols-[200px_1fr]"
    >
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
