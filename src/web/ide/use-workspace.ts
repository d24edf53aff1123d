import { useMemo, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import type { FileContent } from '#contract/ide.ts';
import type { Project } from '#contract/projects.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { useCurrentUser } from '../user.ts';
import { openDrafts } from './drafts.ts';
import { isWithin, type LineSpan, movedPath } from './editor-tab.ts';
import type { ShownFile } from './open-document.ts';
import { editTo } from './saved-text.ts';
import { useEditorTabs } from './use-editor-tabs.ts';
import { useFailures } from './use-failures.ts';

/** Files that are shown as pictures. */
const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

interface OpenOptions {
  /** Lines to select. */
  lines?: LineSpan | undefined;
  /** The next file that is only looked at takes the tab. */
  isPreview?: boolean;
}

/** Shared state of the editor: open files, failures and loading. */
export function useWorkspace(project: Project) {
  const userId = useCurrentUser().data?.id ?? '';
  const drafts = useMemo(
    () => openDrafts(localStorage, { userId, projectId: project.id }),
    [userId, project.id],
  );
  const failing = useFailures();
  const tabs = useEditorTabs(drafts);
  const [branch, setBranch] = useState<string | null>(null);
  const [opening, setOpening] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const { chosenBranch, chooseBranch, sessionId } = useCommitTarget();
  const requested = useSearchParams()[0].get('ref');
  // Links to the indexed commit lead to what is edited on top of it.
  const revision = requested === project.indexed_commit ? null : requested;
  const ref = revision ?? chosenBranch;

  /** Loads a file from the revision or the branch. */
  const fetchFile = async (path: string, at: string | null = ref) => {
    const params = { id: project.id, '*': path };
    const file = await api('GET /ide/projects/:id/files/*', {
      params,
      query: at === null ? {} : { ref: at },
    });
    return revision === null ? file : { ...file, read_only: 'revision' as const };
  };

  /** Loads a file into a tab; one that was opened meanwhile stays as it is. */
  const load = async (path: string, { isPreview = false }: OpenOptions = {}) => {
    if (IMAGE.test(path)) return void tabs.showWithoutText(path, 'image', isPreview);
    try {
      const file = await fetchFile(path);
      setBranch((known) => file.branch ?? known);
      if (tabs.isOpen(path)) return;
      tabs.show(file, file.commit, { isPreview });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'too_large') throw error;
      tabs.showWithoutText(path, 'large', isPreview);
    }
  };

  /** Opens a file and selects lines of it. */
  const open = async (path: string, options: OpenOptions = {}) => {
    const { lines, isPreview = false } = options;
    wanted.current = path;
    if (tabs.tabOf(path)) {
      if (!isPreview) tabs.pin(path);
      tabs.setActive(path);
      if (lines) tabs.selectLines(path, lines);
      return;
    }
    setOpening(path);
    try {
      await load(path, options);
      if (lines) tabs.selectLines(path, lines);
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
      if (!tabs.isOpen(path)) tabs.show({ path, content: '', read_only: null }, null);
    }
    tabs.setActive(path);
  };

  /** Opens a file of an earlier visit behind the others; one that is not there any more only with its draft. */
  const restore = async (path: string) => {
    if (tabs.isOpen(path)) return;
    try {
      await load(path);
    } catch (error) {
      if (!isNotFound(error) || drafts.read(path) === null || tabs.isOpen(path)) return;
      tabs.show({ path, content: '', read_only: null }, null);
    }
  };

  const files = { ...tabs, ...failing, fetchFile, setBranch };
  return {
    ...files,
    ...useUnsavedEdits(files),
    ...useNewFolders(),
    ...useMoves(),
    /** Names the reader and the project in stores of the browser. */
    storageKey: `${userId}:${project.id}`,
    listDrafts: drafts.list,
    restore,
    project,
    branch,
    revision,
    /** Revision or branch of the files; null for the working branch. */
    fileRef: ref,
    chosenBranch,
    chooseBranch,
    sessionId,
    opening,
    load,
    open,
    create,
  };
}

export type Workspace = ReturnType<typeof useWorkspace>;

/** Folders that were made here; git stores them with their first file. */
function useNewFolders() {
  const [newFolders, setNewFolders] = useState<readonly string[]>([]);
  return {
    newFolders,
    addFolder: (path: string) => setNewFolders((folders) => [...new Set([...folders, path])]),
    moveFolders: (from: string, to: string) =>
      setNewFolders((folders) => folders.map((path) => movedPath(path, from, to))),
    removeFolders: (within: string) =>
      setNewFolders((folders) => folders.filter((path) => !isWithin(path, within))),
  };
}

interface Move {
  from: string;
  to: string;
}

/** Moves of files and folders under way. */
function useMoves() {
  const [moves, setMoves] = useState<readonly Move[]>([]);
  return {
    moves,
    beginMove: (move: Move) => setMoves((others) => [...others, move]),
    endMove: (move: Move) => setMoves((all) => all.filter((one) => one !== move)),
  };
}

interface EditedFiles extends ReturnType<typeof useEditorTabs>, ReturnType<typeof useFailures> {
  fetchFile: (path: string) => Promise<ShownFile & Pick<FileContent, 'commit' | 'branch'>>;
  setBranch: (branch: (known: string | null) => string | null) => void;
}

/** Changes of files that are not typed: replacements and patches. They stay unsaved. */
function useUnsavedEdits(files: EditedFiles) {
  const { t } = useTranslation('ide');

  /** Opens a file with changes to its text, unsaved; true when it was changed. Throws when it can't be read. */
  const openEdited = async (path: string, edit: (text: string) => string | null) => {
    const open = files.tabOf(path);
    if (open) {
      const state = files.documentOf(path);
      const edited = state && open.readOnly === null ? edit(files.textOf(open)) : null;
      if (!state || edited === null) return false;
      files.dispatch(path, { ...editTo(state, edited), scrollIntoView: true });
      files.pin(path);
      return true;
    }
    const file = await files.fetchFile(path).catch((error) => {
      if (isNotFound(error)) return null;
      throw error;
    });
    if (file) files.setBranch((known) => file.branch ?? known);
    const shown = file ?? { path, content: '', read_only: null };
    return files.show(shown, file?.commit ?? null, { edit });
  };

  /** Opens the files of a patch with its changes applied, unsaved; hunks that do not apply are reported. */
  const openPatch = async (patch: string) => {
    const { parsePatch } = await import('../parts/patch.ts');
    const { applyHunks } = await import('./apply-hunks.ts');
    for (const { path, hunks } of parsePatch(patch)) {
      try {
        const fits = await openEdited(path, (text) => applyHunks(text, hunks));
        if (!fits) files.reportFailure(path, new Error(t('patch.does_not_apply')));
        else files.patch(path, { patched: true });
        files.setActive(path);
      } catch (error) {
        files.reportFailure(path, error);
      }
    }
  };

  return { openEdited, openPatch };
}

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
