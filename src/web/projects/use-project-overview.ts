import { useQuery } from '@tanstack/react-query';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { projectKeys } from '../query-keys.ts';

/** Overview of a project, loaded once an index exists. */
export function useProjectOverview(project: Project) {
  return useQuery({
    ...apiQuery('GET /projects/:id/overview', { params: { id: project.id } }),
    queryKey: projectKeys.overview(project),
    enabled: project.indexed_commit !== null,
  });
}
