import { useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { projectKeys } from '../query-keys.ts';
import { hasText } from './editor-tab.ts';
import type { Workspace } from './use-workspace.ts';

/** Renames and deletes files, open or not, each as a commit; a new file is only moved. */
export function useFileOperations(workspace: Workspace) {
  const client = useQueryClient();
  const { project, reportFailure, close, show } = workspace;
  /** Text and base of a file: those of the editor where it is open. */
  const readText = async (path: string) => {
    const tab = workspace.tabOf(path);
    if (tab && hasText(tab))
      return { content: workspace.textOf(tab), base: tab.base, encoding: tab.encoding };
    const { content, commit, encoding } = await workspace.fetchFile(path);
    return { content, base: commit as string | null, encoding };
  };
  const treeChanged = () => client.invalidateQueries({ queryKey: projectKeys.editorFiles });

  return {
    async rename(path: string, to: string) {
      try {
        const { content, base, encoding } = await readText(path);
        if (base === null) show({ path: to, content, read_only: null }, null);
        else {
          await api('POST /ide/projects/:id/files/*', {
            params: { id: project.id, '*': to },
            body: { content, encoding, base_sha: base, renamed_from: path, branch: workspace.chosenBranch },
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
      const tab = workspace.tabOf(path);
      const base = tab ? tab.base : undefined;
      try {
        if (base !== null) {
          const params = { id: project.id, '*': path };
          await api('DELETE /ide/projects/:id/files/*', {
            params,
            query: { ...(base && { base_sha: base }), branch: workspace.chosenBranch },
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
