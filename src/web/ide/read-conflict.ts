import { ApiError } from '../api.ts';
import type { Conflict, EditorTab } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';
import { isNotFound, type Workspace } from './use-workspace.ts';

/** Reads the version that a refused save has to be merged with; null where it is the text that was edited. */
export async function readConflict(
  workspace: Workspace,
  tab: EditorTab,
  { branch, next, reason }: Pick<Conflict, 'branch' | 'next'> & { reason: string | undefined },
): Promise<Conflict | null> {
  const { file, isNewBranch } = await readVersion(workspace, tab.path, branch);
  const isEdited = branch === workspace.chosenBranch;
  const isGone = isEdited && isNewBranch && tab.base !== null && workspace.branch !== null;
  const saved = tab.saved && serializeDocument(tab.saved, tab.savedEnds);
  if (reason === 'file_changed' && (file?.content ?? null) === saved) return null;
  const theirs = file?.content ?? '';
  const kind = isGone ? 'branch_deleted' : !isEdited ? 'other_branch' : file ? 'changed' : 'deleted';
  return {
    ...{ path: tab.path, branch: branch ?? workspace.branch, kind, theirs, next },
    // The commits of a deleted branch are in the text of the editor, and stay in it.
    base: isGone ? theirs : await readBase(workspace, tab, saved),
    commit: file?.commit ?? null,
  };
}

/** The file of a branch; a branch that does not exist begins at the indexed commit. */
async function readVersion({ fetchFile, project }: Workspace, path: string, branch: string | null) {
  const read = (at: string | null) =>
    fetchFile(path, at).catch((error) => {
      if (isNotFound(error) && !isUnknownRevision(error)) return null;
      throw error;
    });
  try {
    const file = await read(branch);
    return { file, isNewBranch: branch === null && file !== null && file.branch === null };
  } catch (error) {
    if (!isUnknownRevision(error)) throw error;
    return { file: await read(project.indexed_commit), isNewBranch: true };
  }
}

function isUnknownRevision(error: unknown): boolean {
  return error instanceof ApiError && error.reason === 'revision_not_found';
}

/** The text that the edit began with; a draft from an earlier visit may have begun with another than was loaded since. */
async function readBase({ fetchFile }: Workspace, tab: EditorTab, saved: string | null) {
  if (tab.base === null) return '';
  if (!tab.recovered) return saved;
  return await fetchFile(tab.path, tab.base).then(
    ({ content }) => content,
    () => null,
  );
}
