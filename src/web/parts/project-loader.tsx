import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { ApiError } from '../api.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useProject } from './use-project.ts';

/** Loads a project for a page: its shape while waiting, what went wrong with Retry, or that there is none. */
export function ProjectLoader({ id, children }: { id: string; children: (project: Project) => ReactNode }) {
  const { t } = useTranslation('projects');
  const { data, error, refetch } = useProject(id);
  if (data) return children(data);
  if (error instanceof ApiError && error.code === 'not_found') return <ProjectNotFound />;
  if (error) {
    return (
      <Notice kind="error" onRetry={() => refetch()}>
        {error.message}
      </Notice>
    );
  }
  return (
    <>
      <h1 className="sr-only">{t('one')}</h1>
      <Skeleton rows={['24%', '38%', '56%', '64%', '48%', '60%', '44%']} />
    </>
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
