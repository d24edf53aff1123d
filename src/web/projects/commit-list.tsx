import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { CommitPages } from '../parts/commit-pages.tsx';
import { isBusy } from '../parts/phases.ts';
import { projectKeys } from '../query-keys.ts';

/** Commits of a project, available before the index is complete. */
export function CommitList({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  return (
    <CommitPages
      projectId={project.id}
      queryKey={projectKeys.commits(project)}
      load={(query, options) =>
        api('GET /projects/:id/commits', { params: { id: project.id }, query }, options)
      }
      empty={t(isBusy(project) ? 'commits.pending' : 'commits.empty')}
    />
  );
}
