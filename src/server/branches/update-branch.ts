import { isUtf8 } from 'node:buffer';
import { sql, type Transaction } from 'kysely';
import type { BranchConflict, BranchUpdate } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES } from '#contract/ide.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { openBlobReader } from '#git/blobs.ts';
import { findMergeBase } from '#git/branches.ts';
import { listReplayable, type MergeConflict, mergeTrees, replayCommits } from '#git/merge.ts';
import { isAncestor } from '#git/refs.ts';
import { findEntry } from '#git/tree.ts';
import {
  commitTree,
  type FileChange,
  hashBlob,
  planCommit,
  type Signature,
  updateBranch,
  writeTree,
} from '#git/write.ts';
import type { Deps } from '../deps.ts';
import { requireStorageQuota } from '../project-data/storage-quota.ts';
import { type OpenBranch, readPushedCommits } from './branch-state.ts';

/** Request to bring a branch up to date. `head` and `upstream` are what the caller has seen. */
interface UpdateRequest {
  method: 'merge' | 'rebase';
  head: string | null;
  upstream: string | null;
  resolutions: readonly Resolution[];
  by: Signature;
}

interface Resolution {
  path: string;
  /** Null deletes the file. */
  content: string | null;
}

const MAX_CONFLICTS = 100;
const MAX_REPLAYED = 200;
/** Bytes of all texts of a reply; what is beyond is not shown as text. */
const MAX_CONFLICT_BYTES = 2 * 2 ** 20;
/** Upper bound of the trees and the commit of a merge. */
const MERGE_OVERHEAD_BYTES = 2 ** 18;

/**
 * Merges the default branch into a branch, or rebases the branch on it. With conflicts nothing moves and the reply has them.
 * The branch moves by compare-and-swap under its lock, and its former head stays in the reflog.
 */
export async function updateFromUpstream(
  deps: Pick<Deps, 'lockDb' | 'config'>,
  opened: OpenBranch,
  request: UpdateRequest,
): Promise<BranchUpdate> {
  const { repo, row, head } = opened;
  const upstream = request.upstream ?? opened.upstream.head;
  const isStale = request.head !== null && request.head !== head;
  if (isStale || !(await isAncestor(repo, upstream, opened.upstream.head))) throw branchChanged();
  const unchanged = { head, upstream, conflicts: [], conflicts_omitted: 0, stopped_at: null };
  if (await isAncestor(repo, upstream, head)) return { state: 'up_to_date', ...unchanged };
  const made =
    request.method === 'merge'
      ? await merge(opened, upstream, request)
      : await rebase(opened, upstream, request.by);
  if (made.head === null) {
    const { stoppedAt } = made;
    const stopped = stoppedAt ? (await readPushedCommits(repo, [stoppedAt])).get(stoppedAt) : null;
    return {
      ...unchanged,
      state: 'conflicts',
      conflicts: await readConflicts(repo, made.conflicts.slice(0, MAX_CONFLICTS)),
      conflicts_omitted: Math.max(0, made.conflicts.length - MAX_CONFLICTS),
      stopped_at: stopped ?? null,
    };
  }
  const to = made.head;
  await withBranchLock(deps.lockDb, { projectId: row.project_id, branch: row.name }, async (transaction) => {
    await requireRoom(deps, transaction, opened, { to, resolutions: request.resolutions });
    const moved = await updateBranch(repo, { branch: row.name, from: head, to });
    if (!moved) throw branchChanged();
  });
  return { state: 'updated', ...unchanged, head: to };
}

function branchChanged(): AppError {
  return new AppError('conflict', 'branch_changed', { reason: 'branch_changed' });
}

type Outcome = { head: string } | { head: null; conflicts: MergeConflict[]; stoppedAt: string | null };

async function merge(
  { repo, row, head, upstream: { branch } }: OpenBranch,
  upstream: string,
  { resolutions, by }: UpdateRequest,
): Promise<Outcome> {
  const fastForward = await isAncestor(repo, head, upstream);
  if (fastForward) return { head: upstream };
  const { tree, conflicts } = await mergeTrees(repo, head, upstream);
  if (conflicts.length > 0 && resolutions.length === 0) return { head: null, conflicts, stoppedAt: null };
  const message = `Merge branch '${branch}' into ${row.name}\n`;
  const resolved = await resolve(repo, { tree, conflicts, resolutions });
  return {
    head: await commitTree(repo, {
      tree: resolved,
      parents: [head, upstream],
      message,
      author: by,
      committer: by,
    }),
  };
}

/** Tree of a merge with the reader's text for each file that conflicts. */
async function resolve(
  repo: string,
  {
    tree,
    conflicts,
    resolutions,
  }: { tree: string; conflicts: MergeConflict[]; resolutions: readonly Resolution[] },
): Promise<string> {
  const paths = new Set(conflicts.map(({ path }) => path));
  const unknown = resolutions.find(({ path }) => !paths.has(path));
  if (unknown) throw resolutionError('merge_resolution_unknown', unknown.path);
  const missing = conflicts.find(({ path }) => !resolutions.some((resolution) => resolution.path === path));
  if (missing) throw resolutionError('merge_resolution_incomplete', missing.path);
  if (resolutions.length === 0) return tree;
  const changes = await Promise.all(
    resolutions.map(async ({ path, content }): Promise<FileChange> => {
      if (content === null) return { path, blob: null };
      const bytes = Buffer.from(content);
      const mode = (await findEntry(repo, tree, path))?.mode ?? '100644';
      return { path, blob: { oid: await hashBlob(repo, bytes), mode, content: bytes } };
    }),
  );
  return await writeTree(repo, await planCommit(repo, { parent: tree, changes }));
}

function resolutionError(
  key: 'merge_resolution_unknown' | 'merge_resolution_incomplete',
  path: string,
): AppError {
  return new AppError('bad_request', key, {
    params: { path: path.slice(0, 200) },
    reason: 'conflicts_unresolved',
  });
}

async function rebase({ repo, head }: OpenBranch, upstream: string, by: Signature): Promise<Outcome> {
  const base = (await findMergeBase(repo, head, upstream)) ?? upstream;
  const commits = await listReplayable(repo, { base, head, max: MAX_REPLAYED });
  if (commits === null) {
    throw new AppError('too_large', 'rebase_too_long', {
      params: { limit: MAX_REPLAYED },
      reason: 'too_many_commits',
    });
  }
  return await replayCommits(repo, { commits, onto: upstream, by });
}

/** Counts what a merge writes with what its user has saved, and stores the new head. */
async function requireRoom(
  { config }: Pick<Deps, 'config'>,
  transaction: Transaction<Database>,
  { repo, row }: OpenBranch,
  { to, resolutions }: { to: string; resolutions: readonly Resolution[] },
): Promise<void> {
  const texts = resolutions.reduce((sum, { content }) => sum + Buffer.byteLength(content ?? ''), 0);
  const bytes = texts + MERGE_OVERHEAD_BYTES;
  const quota = { userMb: config.userQuotaMb ?? 0, repositoryMb: config.git.maxRepoMb };
  await requireStorageQuota(transaction, repo, { userId: row.user_id, bytes, quota });
  await transaction
    .updateTable('branches')
    .set({ head: to, saved_bytes: sql`saved_bytes + ${bytes}` })
    .where('project_id', '=', row.project_id)
    .where('name', '=', row.name)
    .execute();
}

/** The three versions of each conflict as text. */
async function readConflicts(repo: string, conflicts: MergeConflict[]): Promise<BranchConflict[]> {
  const blobs = openBlobReader(repo, {});
  let left = MAX_CONFLICT_BYTES;
  const read = async (oid: string | null): Promise<string | null | undefined> => {
    if (oid === null) return null;
    const blob = await blobs.read(oid, Math.min(left, MAX_EDITED_BYTES)).catch(() => null);
    if (blob === null || 'tooLarge' in blob || !isUtf8(blob.content) || blob.content.includes(0))
      return undefined;
    left -= blob.content.length;
    return blob.content.toString('utf8');
  };
  try {
    const found: BranchConflict[] = [];
    for (const { path, ...versions } of conflicts) {
      const [base, ours, theirs] = [
        await read(versions.base),
        await read(versions.ours),
        await read(versions.theirs),
      ];
      const resolvable = [base, ours, theirs].every((text) => text !== undefined);
      found.push({ path, base: base ?? null, ours: ours ?? null, theirs: theirs ?? null, resolvable });
    }
    return found;
  } finally {
    blobs.close();
  }
}
