import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from '../parts/citation.ts';
import { projectKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';
import type { Conflict, EditorTab } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';
import { useWaitingSaves } from './use-waiting-saves.ts';
import { isNotFound, type Workspace } from './use-workspace.ts';

/** Saves files as commits on the user's branch, with conflict handling. */
export function useSaving(workspace: Workspace) {
  const client = useQueryClient();
  const announce = useSavedToast(workspace.project.id);
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set());
  const conflicts = useSaveConflict(workspace);
  const { project, tabOf, documentOf, reportFailure, chosenBranch } = workspace;
  const bodyOf = (tab: EditorTab, base = tab.base) => {
    const { doc } = documentOf(tab.path)!;
    const { path, ends, encoding } = tab;
    return { path, doc, file: { content: serializeDocument(doc, ends), encoding, base_sha: base } };
  };

  const { waitForMove, isWaiting } = useWaitingSaves(workspace, (path) => save(path));

  /** Saves the editor's text, after a move of the file; true on success. `base` is the commit that it was merged with just now. */
  const save = async (path: string, base?: string | null) => {
    const tab = tabOf(path);
    if (!tab || !documentOf(path) || saving.has(path) || waitForMove(path)) return false;
    setSaving((paths) => new Set([...paths, path]));
    try {
      const { doc, file } = bodyOf(tab, base);
      const { commit, branch } = await api('POST /ide/projects/:id/files/*', {
        params: { id: project.id, '*': path },
        body: { ...file, branch: chosenBranch, session_id: workspace.sessionId },
      });
      if (commit !== file.base_sha || tab.dirty) announce({ commit, branch });
      workspace.setBranch(branch);
      workspace.markSaved(path, doc, commit);
      if (file.base_sha === null) await client.invalidateQueries({ queryKey: projectKeys.editorFiles });
      return true;
    } catch (error) {
      if (!isConflict(error)) reportFailure(path, error);
      else await conflicts.showConflicts([tab], { branch: chosenBranch, next: 'save' }, error);
      return false;
    } finally {
      setSaving((paths) => new Set([...paths].filter((one) => one !== path)));
    }
  };

  /**
   * Saves several files with one commit; a new branch becomes the one that is edited. A file that is different there is
   * shown for merging instead. Throws when the server refuses.
   */
  const commit = async (
    paths: readonly string[],
    { message, branch }: { message: string; branch: string | null },
  ) => {
    const chosen = workspace.tabs.filter((tab) => paths.includes(tab.path));
    const bodies = chosen.map((tab) => bodyOf(tab));
    try {
      const saved = await api('POST /ide/projects/:id/commits', {
        params: { id: project.id },
        body: {
          files: bodies.map(({ path, file }) => ({ path, ...file })),
          commit_message: message.trim() || null,
          branch,
          session_id: workspace.sessionId,
        },
      });
      for (const { path, doc } of bodies) workspace.markSaved(path, doc, saved.commit);
      workspace.setBranch(saved.branch);
      if (branch !== chosenBranch) workspace.chooseBranch(branch);
      announce(saved);
      void client.invalidateQueries({ queryKey: projectKeys.editorFiles });
    } catch (error) {
      if (!isConflict(error)) throw error;
      await conflicts.showConflicts(chosen, { branch, next: 'edit' }, error);
    }
  };

  /** Takes the merged text into the editor, where it can be undone, and saves it unless other files go with it. */
  const resolve = async ({ path, theirs, commit: base, next }: Conflict, merged: string) => {
    workspace.rebase(path, { text: merged, saved: base === null ? null : theirs, base });
    conflicts.closeConflict();
    if (next === 'save') await save(path, base);
  };

  return {
    isSaving: (path: string) => saving.has(path) || isWaiting(path),
    ...conflicts,
    save,
    commit,
    resolve,
  };
}

/** The conflict that is shown, and the ways out of it that save nothing. */
function useSaveConflict(workspace: Workspace) {
  const { reportFailure } = workspace;
  const [conflict, setConflict] = useState<Conflict | null>(null);

  /** Shows the first of some files that is different on the branch. */
  const showConflicts = async (
    edited: readonly EditorTab[],
    save: Pick<Conflict, 'branch' | 'next'>,
    refused: ApiError,
  ) => {
    const { reason } = refused;
    for (const tab of edited) {
      try {
        const { readConflict } = await import('./read-conflict.ts');
        const found = await readConflict(workspace, tab, { ...save, reason });
        if (found === null) continue;
        setConflict(found);
        workspace.setActive(tab.path);
        return;
      } catch (error) {
        return reportFailure(tab.path, error);
      }
    }
    reportFailure(edited[0]?.path ?? null, refused);
  };

  /** Takes the version of the branch instead of the reader's; undo leads back. */
  const takeTheirs = ({ path, theirs, commit: base }: Conflict) => {
    setConflict(null);
    if (base === null) workspace.close(path);
    else workspace.rebase(path, { text: theirs, saved: theirs, base });
  };

  /** Replaces the text by the branch's version; undo leads back. */
  const discard = async (path: string) => {
    setConflict(null);
    try {
      const { content, commit: base } = await workspace.fetchFile(path);
      workspace.rebase(path, { text: content, saved: content, base });
    } catch (error) {
      if (isNotFound(error)) workspace.close(path);
      else reportFailure(path, error);
    }
  };

  return { conflict, showConflicts, takeTheirs, discard, closeConflict: () => setConflict(null) };
}

/** True for a save that was refused because its file, or the branch that it was read from, is another now. */
function isConflict(error: unknown): error is ApiError {
  return (
    error instanceof ApiError && (error.reason === 'file_changed' || error.reason === 'base_commit_not_found')
  );
}

/** Shows the hash and the branch of a commit, with a link to its diff; answers that include the branch are outdated. */
function useSavedToast(projectId: string) {
  const { t } = useTranslation('ide');
  const toast = useToast();
  const client = useQueryClient();
  return ({ commit, branch }: { commit: string; branch: string }) => {
    for (const queryKey of projectKeys.ownBranch) void client.invalidateQueries({ queryKey });
    toast(t('saved.text', { commit: commit.slice(0, 7), branch }), {
      link: { to: commitUrl(projectId, commit), text: t('saved.diff') },
    });
  };
}

export type Saving = ReturnType<typeof useSaving>;
