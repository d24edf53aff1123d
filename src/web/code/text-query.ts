import { apiQuery } from '../api-query.ts';

const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** True for a path whose content is shown as an image. */
export function isImagePath(path: string): boolean {
  return IMAGE.test(path);
}

/** Query of the text of a file; `revision` is null for the indexed commit. */
export function textQuery(projectId: string, path: string, revision: string | null) {
  return apiQuery('GET /projects/:id/text/*', {
    params: { id: projectId, '*': path },
    query: { ref: revision ?? undefined },
  });
}
