import { useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { parsePatch } from '../parts/patch.ts';
import { useCurrentUser } from '../user.ts';
import { applyHunks } from './apply-hunks.ts';
import { openDrafts } from './drafts.ts';
import { useEditorTabs } from './use-editor-tabs.ts';
import { useFailures } from './use-failures.ts';

/** Shared state of the editor: open files, failures and loading. */
export function useWorkspace(project: Project) {
  const userId = useCurrentUser().data?.id ?? '';
  const drafts = useMemo(
    () => openDrafts(localStorage, { userId, projectId: project.id }),
    [userId, project.id],
  );
  const { t } = useTranslation('ide');
  const failing = useFailures();
  const tabs = useEditorTabs(drafts);
  const [branch, setBranch] = useState<string | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const { chosenBranch, chooseBranch, sessionId } = useCommitTarget();
  const revision = useSearchParams()[0].get('ref');
  const ref = revision ?? chosenBranch;

  /** Loads a file from the revision or the branch. */
  const fetchFile = async (path: string) => {
    const params = { id: project.id, '*': path };
    const file = await api('GET /ide/projects/:id/files/*', { params, query: ref === null ? {} : { ref } });
    return revision === null ? file : { ...file, read_only: 'revision' as const };
  };

  const load = async (path: string) => {
    const file = await fetchFile(path);
    setBranch((known) => file.branch ?? known);
    tabs.show(file, file.commit);
  };

  /** Opens a file; `line` puts the cursor on that line. */
  const open = async (path: string, line?: number) => {
    wanted.current = path;
    if (tabs.documentOf(path)) {
      if (line !== undefined) tabs.setCursor(path, line);
      return tabs.setActive(path);
    }
    setOpening(path);
    try {
      await load(path);
      if (line !== undefined) tabs.setCursor(path, line);
      // Skipped if another file was chosen meanwhile.
      if (wanted.current === path) tabs.setActive(path);
    } catch (error) {
      failing.reportFailure(path, error);
    } finally {
      setOpening((now) => (now === path ? null : now));
    }
  };

  /** Opens a file, or creates an empty one that is stored by the first save. */
  const create = async (path: string) => {
    try {
      await load(path);
    } catch (error) {
      if (!isNotFound(error)) return failing.reportFailure(path, error);
      tabs.show({ path, content: '', read_only: null }, null);
    }
    tabs.setActive(path);
  };

  /** Opens the files of a patch with its changes applied, unsaved; hunks that do not apply are reported. */
  const openPatch = async (patch: string) => {
    for (const { path, hunks } of parsePatch(patch)) {
      try {
        const file = await fetchFile(path).catch((error) => {
          if (isNotFound(error)) return null;
          throw error;
        });
        if (file) setBranch((known) => file.branch ?? known);
        const shown = file ?? { path, content: '', read_only: null };
        const fits = tabs.show(shown, file?.commit ?? null, (text) => applyHunks(text, hunks));
        if (!fits) failing.reportFailure(path, new Error(t('patch.does_not_apply')));
        tabs.setActive(path);
      } catch (error) {
        failing.reportFailure(path, error);
      }
    }
  };

  return {
    ...tabs,
    ...failing,
    openPatch,
    project,
    branch,
    setBranch,
    revision,
    chosenBranch,
    chooseBranch,
    sessionId,
    opening,
    fetchFile,
    load,
    open,
    create,
  };
}

export type Workspace = ReturnType<typeof useWorkspace>;

/** Branch that saves go to, by `?branch=`; null for the working branch. The session is that from which the editor was opened. */
function useCommitTarget() {
  const [query, setQuery] = useSearchParams();
  const { state } = useLocation();
  const from = (state as { from?: string } | null)?.from ?? '';
  const chooseBranch = (name: string | null) =>
    setQuery(
      (now) => {
        if (name === null) now.delete('branch');
        else now.set('branch', name);
        return now;
      },
      { replace: true, state },
    );
  const [, sessionId = null] = /^\/debug\/([\w-]+)$/.exec(from) ?? [];
  return { chosenBranch: query.get('branch'), chooseBranch, sessionId };
}

/** True when a call failed because the file does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found';
}
