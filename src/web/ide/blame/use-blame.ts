import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api-query.ts';
import { useEditorSettings } from '../editor-settings.ts';
import { type EditorTab, hasText } from '../editor-tab.ts';

/** Last changes of the lines of a saved file; not asked for while they are hidden. */
export function useBlame(projectId: string, tab: EditorTab) {
  const { blame } = useEditorSettings().settings;
  return useQuery({
    ...apiQuery('GET /projects/:id/blame/*', {
      params: { id: projectId, '*': tab.path },
      query: { ref: tab.base ?? undefined },
    }),
    enabled: blame && tab.base !== null && hasText(tab),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
