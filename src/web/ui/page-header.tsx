import type { ReactNode } from 'react';

interface PageHeaderProps {
  /** The page's name: its only h1, and the title of the browser's tab. */
  title: string;
  /** Another way to show the title, for example with words in mono. */
  heading?: ReactNode;
  /** Where the page lies; above the title. */
  breadcrumbs?: ReactNode;
  /** A sentence under the title. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The head of a page: name, where it lies, what can be done here. */
export function PageHeader({ title, heading, breadcrumbs, lead, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3">
      <PageTitle>{title}</PageTitle>
      <div className="min-w-0 flex-1 basis-80">
        {breadcrumbs && <div className="mb-2 flex flex-wrap gap-2 text-muted">{breadcrumbs}</div>}
        <h1 className="wrap-anywhere">{heading ?? title}</h1>
        {lead && <p className="mt-1 max-w-[68ch] text-muted">{lead}</p>}
      </div>
      {actions && <div className="-my-0.5 flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}

/** Names the browser's tab. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Hindsight`}</title>;
}
