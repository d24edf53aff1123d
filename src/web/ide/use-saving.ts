import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl } from '../parts/citation.ts';
import { projectKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';
import type { Conflict } from './editor-tab.ts';
import { serializeDocument } from './line-endings.ts';
import { isNotFound, type Workspace } from './use-workspace.ts';

/** Saves files as commits on the user's branch, with conflict handling. */
export function useSaving(workspace: Workspace) {
  const client = useQueryClient();
  const announce = useSavedToast(workspace.project.id);
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set());
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const { project, tabs, documentOf, reportFailure } = workspace;

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
          encoding: tab.encoding,
          base_sha: merged ? merged.base : tab.base,
          branch: workspace.chosenBranch,
          session_id: workspace.sessionId,
        },
      });
      if (commit !== tab.base || tab.dirty) announce({ commit, branch });
      workspace.setBranch(branch);
      setConflict(null);
      if (merged) {
        workspace.discardDraft(path);
        await workspace.load(path);
      } else workspace.markSaved(path, doc, commit);
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

  /** Saves several files with one commit; a new branch becomes the one that is edited. Throws when the server refuses. */
  const commit = async (
    paths: readonly string[],
    { message, branch }: { message: string; branch: string | null },
  ) => {
    const chosen = tabs.filter((tab) => paths.includes(tab.path));
    const docs = new Map(chosen.map(({ path }) => [path, documentOf(path)!.doc]));
    const saved = await api('POST /ide/projects/:id/commits', {
      params: { id: project.id },
      body: {
        files: chosen.map(({ path, ends, base, encoding }) => ({
          path,
          content: serializeDocument(docs.get(path)!, ends),
          encoding,
          base_sha: base,
        })),
        commit_message: message.trim() || null,
        branch,
        session_id: workspace.sessionId,
      },
    });
    for (const [path, doc] of docs) workspace.markSaved(path, doc, saved.commit);
    workspace.setBranch(saved.branch);
    if (branch !== workspace.chosenBranch) workspace.chooseBranch(branch);
    announce(saved);
    void client.invalidateQueries({ queryKey: projectKeys.editorFiles });
  };

  const showConflict = async (path: string) => {
    const begun = workspace.tabOf(path)?.base ?? null;
    try {
      const readBase = () => workspace.fetchFile(path, begun).then(({ content }) => content);
      const base = begun === null ? '' : await readBase().catch(() => null);
      const { content, commit } = await workspace.fetchFile(path);
      setConflict({ path, base, theirs: content, commit });
    } catch (error) {
      if (isNotFound(error)) setConflict({ path, base: null, theirs: '', commit: null });
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
    commit,
    discard,
    closeConflict: () => setConflict(null),
  };
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
