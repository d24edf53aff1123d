import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';

/** Breadcrumbs of a page below a project. */
export function ProjectBreadcrumbs({ project, children }: { project: Project; children: ReactNode }) {
  const { t } = useTranslation('projects');
  return (
    <nav aria-label={t('crumbs')} className="mb-3 flex flex-wrap items-center gap-2 text-muted">
      <Link to="/projects" className="hover:text-action">
        {t('crumb')}
      </Link>
      <span aria-hidden>/</span>
      <Link to={`/projects/${project.id}`} className="hover:text-action">
        {project.name}
      </Link>
      <span aria-hidden>/</span>
      {children}
    </nav>
  );
}
