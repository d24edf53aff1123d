import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useProject } from './use-project.ts';

/** Loads a project for a page, with loading, error and not-found states. */
export function ProjectLoader({ id, children }: { id: string; children: (project: Project) => ReactNode }) {
  const { t } = useTranslation('projects');
  const query = useProject(id);
  const { data, error } = query;
  if (!data && error instanceof ApiError && error.code === 'not_found') return <ProjectNotFound />;
  const loading = ['24%', '38%', '56%', '64%', '48%', '60%', '44%'];
  return (
    <QueryState query={query} title={t('project')} loading={loading}>
      {(project) => (
        <>
          {project.read_only_by_plan && (
            <Notice kind="warning" className="mb-4">
              {t('read_only.text')}{' '}
              {project.role === 'owner' && (
                <Link to="/settings/billing" className="link">
                  {t('read_only.link')}
                </Link>
              )}
            </Notice>
          )}
          {children(project)}
        </>
      )}
    </QueryState>
  );
}

function ProjectNotFound() {
  const { t } = useTranslation('projects');
  return (
    <>
      <PageHeader title={t('missing.title')} lead={t('missing.text')} />
      <ButtonLink to="/projects">{t('missing.back')}</ButtonLink>
    </>
  );
}
