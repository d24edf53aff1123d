import type { ReactNode } from 'react';

/** Framed code block with title and aside. */
export function HunkFrame(props: { title: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-md border border-border bg-surface">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 border-b border-border py-1 pr-3 pl-3.5 font-mono text-sm text-muted">
        <span className="min-w-0 break-all">{props.title}</span>
        {props.aside && <span className="min-w-0">{props.aside}</span>}
      </div>
      {props.children}
    </div>
  );
}
