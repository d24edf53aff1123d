import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { projectKeys } from '../query-keys.ts';
import type { Workspace } from './use-workspace.ts';

/** Renames and deletes files, each as a commit; a new file is only moved. */
export function useFileOperations(workspace: Workspace) {
  const client = useQueryClient();
  const { project, tabs, reportFailure, close, show } = workspace;
  const tabOf = (path: string) => tabs.find((one) => one.path === path)!;
  const treeChanged = () => client.invalidateQueries({ queryKey: projectKeys.editorFiles });

  return {
    async rename(path: string, to: string) {
      const tab = tabOf(path);
      const content = workspace.textOf(tab);
      try {
        if (tab.base === null) show({ path: to, content, read_only: null }, null);
        else {
          await api('POST /ide/projects/:id/files/*', {
            params: { id: project.id, '*': to },
            body: { content, base_sha: tab.base, renamed_from: path, branch: workspace.chosenBranch },
          });
          await workspace.load(to);
        }
        close(path);
        workspace.setActive(to);
        await treeChanged();
      } catch (error) {
        reportFailure(path, error);
      }
    },

    async remove(path: string) {
      const { base } = tabOf(path);
      try {
        if (base !== null) {
          const params = { id: project.id, '*': path };
          await api('DELETE /ide/projects/:id/files/*', {
            params,
            query: { base_sha: base, branch: workspace.chosenBranch },
          });
        }
        close(path);
        await treeChanged();
      } catch (error) {
        reportFailure(path, error);
      }
    },
  };
}
