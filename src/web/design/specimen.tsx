import { type ReactNode, useId } from 'react';

interface SpecimenProps {
  /** Name of the module, as in the source. */
  name: string;
  /** Rule of use. */
  rule?: string;
  children: ReactNode;
}

/** Component with its states. */
export function Specimen({ name, rule, children }: SpecimenProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-3 border-t border-border py-5 md:grid-cols-[200px_1fr]"
    >
      <div>
        <h3 id={id} className="font-mono text-code">
          {name}
        </h3>
        {rule && <p className="mt-1 text-sm text-muted">{rule}</p>}
      </div>
      <div className="flex min-w-0 flex-col items-start gap-4">{children}</div>
    </section>
  );
}

/** Examples beside each other. */
export function Examples({ children }: { children: ReactNode }) {
  return <div className="flex w-full flex-wrap items-center gap-x-4 gap-y-2">{children}</div>;
}
