import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CommitPages } from '../parts/commit-pages.tsx';
import { NoProjects } from '../parts/no-projects.tsx';
import { ProjectSelect } from '../parts/project-select.tsx';
import { projectKeys } from '../query-keys.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { FeedbackList } from './feedback-list.tsx';

const Tabs = lazyComponent(() => import('../ui/tabs.tsx').then((module) => module.Tabs));

/** `/history?project_id=&tab=`: the commits of a project, and the feedback on its solutions. */
export function Component() {
  const { t } = useTranslation('history');
  const projects = useQuery(apiQuery('GET /projects'));
  return (
    <div className="max-w-280">
      <PageHeader title={t('title')} lead={t('lead')} />
      <QueryState query={projects} showStaleError>
        {(data) => <ProjectHistory projects={data} />}
      </QueryState>
    </div>
  );
}

function ProjectHistory({ projects }: { projects: ApiReply<'GET /projects'> }) {
  const { t } = useTranslation(['history', 'projects']);
  const [query, setQuery] = useSearchParams();
  const requestedProject = query.get('project_id');
  const project = projects.find(({ id }) => id === requestedProject) ?? projects[0];
  const tab = query.get('tab') === 'feedback' ? 'feedback' : 'commits';
  const show = (id: string, next: string) => setQuery({ project_id: id, tab: next }, { replace: true });
  return (
    <>
      <ProjectSelect projects={projects} selected={project?.id} onSelect={(id) => show(id, tab)} />
      {project ? (
        <Suspense>
          <Tabs
            label={t('tabs')}
            value={tab}
            onChange={(next) => show(project.id, next)}
            tabs={[
              { value: 'commits', label: t('commits'), content: <CommitHistory project={project} /> },
              { value: 'feedback', label: t('feedback'), content: <FeedbackList projectId={project.id} /> },
            ]}
          />
        </Suspense>
      ) : (
        <NoProjects title={t('projects:empty.title')}>{t('select_project_text')}</NoProjects>
      )}
    </>
  );
}

function CommitHistory({ project }: { project: Project }) {
  const { t } = useTranslation('history');
  return (
    <CommitPages
      key={project.id}
      projectId={project.id}
      queryKey={projectKeys.history(project)}
      load={(query, options) =>
        api(
          'GET /history/commits/:id',
          { params: { id: project.id }, query: { ...query, project_id: project.id } },
          options,
        )
      }
      empty={t('no_commits')}
    />
  );
}
