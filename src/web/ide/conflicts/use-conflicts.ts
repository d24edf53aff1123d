import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BranchConflict, BranchUpdate, ConflictResolution } from '#contract/branch-updates.ts';
import { api } from '../../api.ts';
import { projectKeys } from '../../query-keys.ts';
import { useCurrentUser } from '../../user.ts';
import { detectLineEnding } from '../line-endings.ts';
import { mergeTexts } from './merge-texts.ts';
import { type FileProgress, fileKey, readWork, type StoredWork, saveWork } from './stored-resolutions.ts';

/** Operation with conflicts: an update of a branch, or a revert on it. Hashes are full. */
export type Operation = { projectId: string; branch: string; head: string } & (
  | { kind: 'merge' | 'rebase'; upstream: string }
  | { kind: 'revert'; commit: string; sessionId: string | null }
);

/** A finished operation, or the conflicts of its next step. */
export interface Conflicts {
  isDone: boolean;
  conflicts: BranchConflict[];
  conflicts_omitted: number;
  stopped_at: BranchUpdate['stopped_at'];
  steps: BranchUpdate['steps'];
}

/** Sends an operation with all resolutions so far; nothing is written while one is missing. */
async function send(operation: Operation, resolutions: ConflictResolution[]): Promise<Conflicts> {
  const { projectId: id, branch, head } = operation;
  if (operation.kind === 'revert') {
    const { commit: sha, sessionId: session_id } = operation;
    const params = { id, sha };
    const body = { branch, head, resolutions, session_id };
    const reply = await api('POST /projects/:id/commits/:sha/revert', { params, body });
    return { ...reply, isDone: reply.state === 'reverted', stopped_at: null, steps: null };
  }
  const { kind: method, upstream } = operation;
  const body = { method, head, upstream, resolutions };
  const reply = await api('POST /projects/:id/branches/:branch/update', { params: { id, branch }, body });
  return { ...reply, isDone: reply.state !== 'conflicts' };
}

/** Conflicts of an operation and the reader's work on them, which survives a reload. */
export function useConflicts(operation: Operation, onDone: () => void) {
  const userId = useCurrentUser().data?.id ?? '';
  const client = useQueryClient();
  const { kind, projectId, branch } = operation;
  const onto = operation.kind === 'revert' ? operation.commit : operation.upstream;
  const storeKey = `merge:${userId}:${projectId}:${branch}:${kind === 'revert' ? onto : kind}`;
  const [work, setWork] = useState<StoredWork>(() => readWork(storeKey, onto));
  const [isStored, setStored] = useState(true);
  const queryKey = ['conflicts', operation];
  const query = useQuery({
    queryKey,
    queryFn: () => send(operation, work.passed),
    staleTime: Number.POSITIVE_INFINITY,
    // Finished or not, the next visit requests it again.
    gcTime: 0,
    retry: false,
  });
  const change = (next: StoredWork) => {
    setWork(next);
    setStored(saveWork(storeKey, next));
  };
  const progressOf = (conflict: BranchConflict) => work.files[fileKey(conflict)] ?? startFile(conflict);
  const conflicts = query.data?.conflicts ?? [];

  const finish = useMutation({
    mutationFn: async () => {
      const commit = query.data?.stopped_at?.hash ?? null;
      const chosen = conflicts.map((conflict) => toResolution(conflict, progressOf(conflict), commit));
      const passed = [...work.passed, ...chosen];
      return { passed, reply: await send(operation, passed) };
    },
    onSuccess({ passed, reply }) {
      if (!reply.isDone) {
        change({ ...work, passed });
        client.setQueryData(queryKey, reply);
        return;
      }
      localStorage.removeItem(storeKey);
      for (const changed of [projectKeys.editorFiles, ...projectKeys.ownBranch]) {
        void client.invalidateQueries({ queryKey: changed });
      }
      onDone();
    },
  });

  return {
    query,
    conflicts,
    isStored,
    finish,
    progressOf,
    setProgress: (conflict: BranchConflict, progress: FileProgress) =>
      change({ ...work, files: { ...work.files, [fileKey(conflict)]: progress } }),
    isResolved: conflicts.length > 0 && conflicts.every((conflict) => progressOf(conflict).isResolved),
  };
}

/** A file as the reader finds it: merged where only one side has changed. */
function startFile({ base, ours, theirs, resolvable, missing }: BranchConflict): FileProgress {
  if (!resolvable) return { choice: 'text', text: '', ranges: [], isResolved: false };
  if (missing.ours || missing.theirs) {
    const text = toLineFeeds(ours ?? theirs ?? '');
    return { choice: 'text', text, ranges: [{ from: 0, to: text.length, isOpen: true }], isResolved: false };
  }
  const { text, conflicts } = mergeTexts(...textsOf({ base, ours, theirs }));
  const ranges = conflicts.map(({ from, to }) => ({ from, to, isOpen: true }));
  return { choice: 'text', text, ranges, isResolved: false };
}

/** The three versions with line feeds, as the editor has them. */
export function textsOf({
  base,
  ours,
  theirs,
}: Pick<BranchConflict, 'base' | 'ours' | 'theirs'>): [base: string, ours: string, theirs: string] {
  return [toLineFeeds(base ?? ''), toLineFeeds(ours ?? ''), toLineFeeds(theirs ?? '')];
}

function toLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function toResolution(
  { path, ours, theirs, missing }: BranchConflict,
  { choice, text }: FileProgress,
  commit: string | null,
): ConflictResolution {
  if (choice !== 'text')
    return missing[choice] ? { path, commit, content: null } : { path, commit, take: choice };
  const ends = detectLineEnding(ours ?? theirs ?? '');
  return { path, commit, content: ends === 'crlf' ? text.replaceAll('\n', '\r\n') : text };
}
