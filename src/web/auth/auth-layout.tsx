import type { ReactNode } from 'react';
import { PageTitle } from '../ui/page-header.tsx';

interface AuthLayoutProps {
  title: string;
  lead: ReactNode;
  /** Link to the other page, below the form. */
  foot: ReactNode;
  children: ReactNode;
}

/** A narrow column with a form. */
export function AuthLayout({ title, lead, foot, children }: AuthLayoutProps) {
  return (
    <div className="mx-auto w-full max-w-[360px] pt-[6vh]">
      <PageTitle>{title}</PageTitle>
      <h1>{title}</h1>
      <p className="mt-1 mb-6 text-muted">{lead}</p>
      {children}
      <p className="mt-6 border-t border-border pt-4 text-muted">{foot}</p>
    </div>
  );
}
