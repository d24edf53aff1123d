import { type ReactNode, useId } from 'react';

interface HomeSectionProps {
  title: string;
  /** Link at the end of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** Section of the home page, with a ruled heading. */
export function HomeSection({ title, aside, children }: HomeSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="flex items-baseline justify-between gap-3 border-b border-border pb-1.5">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
