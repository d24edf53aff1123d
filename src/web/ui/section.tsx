import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  /** A sentence under the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** A headed part of a page of settings: the heading at the left on a wide screen, what can be set at the right. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-3 border-t border-rule py-5 md:grid-cols-[200px_1fr]"
    >
      <div>
        <h2 id={id}>{title}</h2>
        {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
