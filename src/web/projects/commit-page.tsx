import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CommitChanges, CommitHeader } from '../parts/commit-changes.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { apiQuery } from '../query.ts';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ProjectBreadcrumbs } from './project-breadcrumbs.tsx';

/** One commit: its message and what it changed. */
export function Component() {
  const { id = '', sha = '' } = useParams();
  return <ProjectLoader id={id}>{(project) => <CommitView project={project} sha={sha} />}</ProjectLoader>;
}

function CommitView({ project, sha }: { project: Project; sha: string }) {
  const { t } = useTranslation('projects');
  const { data, error, refetch } = useQuery(
    apiQuery('GET /projects/:id/commits/:sha', { params: { id: project.id, sha } }),
  );
  return (
    <article className="max-w-[1080px]">
      <PageTitle>{data?.message.split('\n', 1)[0] || sha.slice(0, 7)}</PageTitle>
      <ProjectBreadcrumbs project={project}>
        <span className="font-mono text-sm">{sha.slice(0, 7)}</span>
      </ProjectBreadcrumbs>
      {error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['46%', '30%', '62%', '56%', '70%', '48%']} />}
      {data && (
        <>
          <CommitHeader commit={data} heading="h1" />
          <p className="mt-4 mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-rule pb-3 text-muted">
            <span>{t('commit.files', { count: data.files_changed_count ?? data.files_changed.length })}</span>
            {data.parents.length > 0 && (
              <span className="flex flex-wrap items-center gap-1.5">
                {t('commit.parents', { count: data.parents.length })}
                {data.parents.map((hash) => (
                  <CitationChip key={hash} projectId={project.id} citation={{ kind: 'commit', hash }} />
                ))}
              </span>
            )}
          </p>
          <CommitChanges projectId={project.id} commit={data} />
        </>
      )}
    </article>
  );
}
