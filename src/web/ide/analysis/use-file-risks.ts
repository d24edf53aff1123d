import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api-query.ts';
import { hasText } from '../editor-tab.ts';
import type { Workspace } from '../use-workspace.ts';

/** History of the file with the focus, once it is changed or the findings are open. */
export function useFileRisks({ project, tab, fileRef }: Workspace, isOpen: boolean) {
  const isSaved = tab !== null && tab.base !== null && hasText(tab);
  return useQuery({
    ...apiQuery('GET /ide/projects/:id/risks/*', {
      params: { id: project.id, '*': tab?.path ?? '' },
      query: fileRef === null ? {} : { ref: fileRef },
    }),
    // Another commit of the branch is another history.
    queryHash: JSON.stringify(['risks', project.id, tab?.path, fileRef, tab?.base]),
    enabled: isSaved && (isOpen || tab.dirty),
    staleTime: 5 * 60_000,
    retry: false,
  });
}
