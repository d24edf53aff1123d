import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useCurrentUser, useUpdatePreferences } from '../user.ts';
import type { LocalEditorSetting } from './local-editor.ts';

/** Query of the reader's clones. */
export const checkoutsQuery = { ...apiQuery('GET /checkouts'), staleTime: Number.POSITIVE_INFINITY };

/** The reader's editor and their clone of a project; null until both are set. */
export function useLocalEditor(projectId: string): LocalEditorSetting | null {
  const editor = useCurrentUser().data?.preferences.local_editor ?? null;
  const checkouts = useQuery({ ...checkoutsQuery, enabled: editor !== null });
  const clone = checkouts.data?.checkouts.find(({ project_id }) => project_id === projectId)?.folder;
  return editor && clone !== undefined ? { editor, clone } : null;
}

/** Saves the clone of a project, with the editor where one is given; null forgets the clone. */
export function useSaveLocalEditor(projectId: string) {
  const client = useQueryClient();
  const changePreferences = useUpdatePreferences();
  return useMutation<unknown, ApiError, LocalEditorSetting | null>({
    mutationFn: async (setting) => {
      const body = { folder: setting?.clone ?? null };
      await api('PUT /projects/:id/checkout', { params: { id: projectId }, body });
      if (setting) await changePreferences({ local_editor: setting.editor });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: checkoutsQuery.queryKey }),
  });
}
