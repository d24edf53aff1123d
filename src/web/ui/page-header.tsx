import type { ReactNode } from 'react';

interface PageHeaderProps {
  /** Page title: the only h1 and the document title. */
  title: string;
  /** Alternative rendering of the title, for example with code. */
  heading?: ReactNode;
  /** Breadcrumbs above the title. */
  breadcrumbs?: ReactNode;
  /** Text under the title. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** Header of a page: title, breadcrumbs and actions. */
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

/** Sets the document title. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · Hindsight`}</title>;
}
