import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { firstLine } from '#contract/first-line.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CommitChanges, CommitHeader } from '../parts/commit-changes.tsx';
import { ProjectBreadcrumbs } from '../parts/project-breadcrumbs.tsx';
import { ProjectLoader } from '../parts/project-loader.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';

/** `/projects/:id/commits/:sha`. */
export function Component() {
  const { id = '', sha = '' } = useParams();
  return <ProjectLoader id={id}>{(project) => <CommitView project={project} sha={sha} />}</ProjectLoader>;
}

function CommitView({ project, sha }: { project: Project; sha: string }) {
  const { t } = useTranslation('projects');
  const query = useQuery(apiQuery('GET /projects/:id/commits/:sha', { params: { id: project.id, sha }, query: {} }));
  return (
    <article className="max-w-[1080px]">
      <PageTitle>{firstLine(query.data?.message ?? '') || sha.slice(0, 7)}</PageTitle>
      <ProjectBreadcrumbs project={project}>
        <span className="font-mono text-sm">{sha.slice(0, 7)}</span>
      </ProjectBreadcrumbs>
      <QueryState query={query} showStaleError loading={['46%', '30%', '62%', '56%', '70%', '48%']}>
        {(commit) => (
          <>
            <CommitHeader commit={commit} heading="h1" />
            <p className="mt-4 mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-border pb-3 text-muted">
              <span>
                {t('commit.files', { count: commit.files_changed_count ?? commit.files_changed.length })}
              </span>
              {commit.parents.length > 0 && (
                <span className="flex flex-wrap items-center gap-1.5">
                  {t('commit.parents', { count: commit.parents.length })}
                  {commit.parents.map((hash) => (
                    <CitationChip key={hash} projectId={project.id} citation={{ kind: 'commit', hash }} />
                  ))}
                </span>
              )}
            </p>
            <CommitChanges projectId={project.id} commit={commit} />
          </>
        )}
      </QueryState>
    </article>
  );
}
