import { apiQuery } from '../api-query.ts';

/** Query of an accused commit. */
export function suspectQuery(projectId: string, hash: string) {
  return apiQuery('GET /projects/:id/commits/:sha', { params: { id: projectId, sha: hash }, query: {} });
}
