import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../api.ts';
import { projectKeys } from '../query-keys.ts';
import type { Conflict } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';
import { isNotFound, type Workspace } from './use-workspace.ts';

/** Saves files as commits on the user's branch, with conflict handling. */
export function useSaving(workspace: Workspace) {
  const client = useQueryClient();
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set());
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { project, tabs, patch, documentOf, reportFailure } = workspace;

  /** Saves the editor's text or a merged one; true on success. */
  const save = async (path: string, merged?: { content: string; base: string | null }) => {
    const tab = tabs.find((one) => one.path === path);
    const doc = documentOf(path)?.doc;
    if (!tab || !doc || saving.has(path)) return false;
    setSaving((paths) => new Set([...paths, path]));
    try {
      const { commit, branch } = await api('POST /ide/projects/:id/files/*', {
        params: { id: project.id, '*': path },
        body: {
          content: merged?.content ?? serializeDocument(doc, tab.ends),
          base_sha: merged ? merged.base : tab.base,
        },
      });
      workspace.discardDraft(path);
      workspace.setBranch(branch);
      setConflict(null);
      if (merged) await workspace.load(path);
      else {
        // Edits made during the save are not part of it.
        const dirty = documentOf(path)?.doc.eq(doc) === false;
        patch(path, { base: commit, saved: doc, dirty, recovered: false });
      }
      if (tab.base === null) await client.invalidateQueries({ queryKey: projectKeys.editorFiles });
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'file_changed') await showConflict(path);
      else reportFailure(path, error);
      return false;
    } finally {
      setSaving((paths) => new Set([...paths].filter((one) => one !== path)));
    }
  };

  const showConflict = async (path: string) => {
    try {
      const { content, commit } = await workspace.fetchFile(path);
      setConflict({ path, theirs: content, commit });
    } catch (error) {
      if (isNotFound(error)) setConflict({ path, theirs: '', commit: null });
      else reportFailure(path, error);
    }
  };

  /** Replaces the text by the branch's version. */
  const discard = async (path: string) => {
    workspace.discardDraft(path);
    setConflict(null);
    try {
      await workspace.load(path);
    } catch (error) {
      if (isNotFound(error)) workspace.close(path);
      else reportFailure(path, error);
    }
  };

  return {
    isSaving: (path: string) => saving.has(path),
    conflict,
    save,
    discard,
    closeConflict: () => setConflict(null),
  };
}

export type Saving = ReturnType<typeof useSaving>;
