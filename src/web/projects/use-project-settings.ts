import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiInput } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';

type Changes = ApiInput<'PATCH /projects/:id'>['body'];

/** Settings of a project beside its name and URL. */
export function useProjectSettings(project: Project) {
  return useQuery({
    ...apiQuery('GET /projects/:id/settings', { params: { id: project.id } }),
    // Forms keep what was typed.
    refetchOnWindowFocus: false,
  });
}

/** Saves settings and says so. */
export function useSaveSettings(project: Project) {
  const { t } = useTranslation('project-settings');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation<Project, ApiError, Changes>({
    mutationFn: (body) => api('PATCH /projects/:id', { params: { id: project.id }, body }),
    onSuccess: async (changed) => {
      client.setQueryData(projectKeys.detail(project.id), changed);
      await client.invalidateQueries({ queryKey: projectKeys.settings(project.id) });
      await client.invalidateQueries({ queryKey: projectKeys.runs(project.id) });
      toast(t(changed.activity === null ? 'saved' : 'saved_indexing'));
    },
  });
}
