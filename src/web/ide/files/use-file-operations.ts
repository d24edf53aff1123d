import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { projectKeys } from '../../query-keys.ts';
import { type EditorTab, hasText, isWithin, movedPath } from '../editor-tab.ts';
import { serializeDocument } from '../line-endings.ts';
import { isNotFound, type Workspace } from '../use-workspace.ts';

/** Moves and deletes files and folders, open or not, each with a commit; what is not stored yet only in the editor. */
export function useFileOperations(workspace: Workspace) {
  const client = useQueryClient();
  const { project, reportFailure, chosenBranch } = workspace;
  const treeChanged = () => client.invalidateQueries({ queryKey: projectKeys.editorFiles });
  const tabsIn = (path: string) => workspace.tabs.filter((tab) => isWithin(tab.path, path));
  /** Runs the call unless nothing of the file or folder is stored; true when something was. */
  const commit = async (path: string, call: () => Promise<{ branch: string }>) => {
    const tabs = tabsIn(path);
    if (tabs.some((tab) => tab.path === path && tab.base === null)) return false;
    try {
      workspace.setBranch((await call()).branch);
      return true;
    } catch (error) {
      const isNew = tabs.length > 0 || workspace.newFolders.some((folder) => isWithin(folder, path));
      if (!isNotFound(error) || !isNew || tabs.some(({ base }) => base !== null)) throw error;
      return false;
    }
  };

  return {
    /** Renames or moves; open files keep their edits. */
    async move(from: string, to: string) {
      const move = { from, to };
      workspace.beginMove(move);
      const moved = tabsIn(from);
      const base = workspace.tabOf(from)?.base;
      try {
        const isStored = await commit(from, () =>
          api('POST /ide/projects/:id/moves', {
            params: { id: project.id },
            body: { from, to, base_sha: base, branch: chosenBranch, session_id: workspace.sessionId },
          }),
        );
        // Known before the tab has its new path: a save right after that is based on the commit of the move.
        const bases = isStored
          ? await Promise.all(moved.map((tab) => findMovedBase(workspace, tab, { from, to })))
          : [];
        workspace.movePaths(from, to);
        workspace.moveFolders(from, to);
        for (const [at, { path }] of moved.entries()) {
          if (bases[at]) workspace.patch(movedPath(path, from, to), { base: bases[at] });
        }
        void treeChanged();
      } catch (error) {
        reportFailure(from, error);
      } finally {
        workspace.endMove(move);
      }
    },

    async remove(path: string, { isFolder = false } = {}) {
      const base = workspace.tabOf(path)?.base;
      try {
        await commit(path, () =>
          api('DELETE /ide/projects/:id/files/*', {
            params: { id: project.id, '*': path },
            query: {
              ...(base && { base_sha: base }),
              ...(chosenBranch !== null && { branch: chosenBranch }),
              ...(isFolder && { recursive: 'true' }),
            },
          }),
        );
        workspace.close(...tabsIn(path).map((tab) => tab.path));
        workspace.removeFolders(path);
        await treeChanged();
      } catch (error) {
        reportFailure(path, error);
      }
    },
  };
}

/**
 * Commit of the move, on which the edits of a moved file are based. Null where the file had changed on the branch: edits keep their
 * old base, so that the next save is merged.
 */
async function findMovedBase(
  { fetchFile, reportFailure }: Workspace,
  tab: EditorTab,
  { from, to }: { from: string; to: string },
): Promise<string | null> {
  if (tab.base === null || !hasText(tab)) return null;
  const path = movedPath(tab.path, from, to);
  try {
    const { content, commit } = await fetchFile(path);
    return tab.saved && serializeDocument(tab.saved, tab.savedEnds) === content ? commit : null;
  } catch (error) {
    reportFailure(path, error);
    return null;
  }
}
