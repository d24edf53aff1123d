import type { ReactNode } from 'react';

/** Section of the side column. */
export function AsideSection({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section>
      <h2 className="mb-1.5 flex items-center justify-between gap-3 font-semibold">
        {title}
        <span className="font-normal text-muted">{note}</span>
      </h2>
      {children}
    </section>
  );
}
