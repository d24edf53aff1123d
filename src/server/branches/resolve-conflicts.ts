import { isUtf8 } from 'node:buffer';
import { type BranchConflict, type ConflictResolution, MAX_CONFLICTS } from '#contract/branch-updates.ts';
import { AppError } from '#contract/errors.ts';
import { MAX_EDITED_BYTES } from '#contract/ide.ts';
import { openBlobReader } from '#git/blobs.ts';
import type { MergeConflict, MergedTree } from '#git/merge.ts';
import { type FileChange, hashBlob, planCommit, writeTree } from '#git/write.ts';

/** Bytes of all texts of a reply; what is beyond is not shown as text. */
const MAX_CONFLICT_BYTES = 2 * 2 ** 20;
const FILE_MODE = '100644';

/**
 * Tree of a merge with the reader's choice for each file that conflicts; null without any choice. Throws `bad_request` for a
 * choice that is missing or for another file.
 */
export async function resolveConflicts(
  repo: string,
  { tree, conflicts }: MergedTree,
  resolutions: readonly ConflictResolution[],
): Promise<string | null> {
  if (resolutions.length === 0) return null;
  const unknown = resolutions.find(({ path }) => !conflicts.some((conflict) => conflict.path === path));
  if (unknown) throw resolutionError('merge_resolution_unknown', unknown.path);
  const changes = conflicts.map((conflict) => {
    const resolution = resolutions.find(({ path }) => path === conflict.path);
    if (!resolution) throw resolutionError('merge_resolution_incomplete', conflict.path);
    return toChange(tree, conflict, resolution);
  });
  return await writeTree(repo, await planCommit(repo, { parent: tree, changes }));
}

function toChange(
  tree: string,
  { path, ours, theirs }: MergeConflict,
  { take, content }: ConflictResolution,
): FileChange {
  if (take) return { path, blob: take === 'ours' ? ours : theirs };
  if (content === null || content === undefined) return { path, blob: null };
  const bytes = Buffer.from(content);
  const mode = ours?.mode ?? theirs?.mode ?? FILE_MODE;
  return { path, blob: { oid: hashBlob(bytes, tree), mode, content: bytes } };
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

/** Bytes that resolutions store as new contents. */
export function countResolvedBytes(resolutions: readonly ConflictResolution[]): number {
  return resolutions.reduce((sum, { content }) => sum + Buffer.byteLength(content ?? ''), 0);
}

/** The conflicts of a reply, with the three versions of each file as text. */
export async function presentConflicts(
  repo: string,
  conflicts: readonly MergeConflict[],
): Promise<{ conflicts: BranchConflict[]; conflicts_omitted: number }> {
  const shown = conflicts.slice(0, MAX_CONFLICTS);
  return {
    conflicts: await readConflicts(repo, shown),
    conflicts_omitted: conflicts.length - shown.length,
  };
}

async function readConflicts(repo: string, conflicts: readonly MergeConflict[]): Promise<BranchConflict[]> {
  const blobs = openBlobReader(repo, {});
  let left = MAX_CONFLICT_BYTES;
  const read = async (side: MergeConflict['base']): Promise<string | null | undefined> => {
    if (side === null) return null;
    // A link is no text.
    if (!side.mode.startsWith('100')) return undefined;
    const blob = await blobs.read(side.oid, Math.min(left, MAX_EDITED_BYTES)).catch(() => null);
    if (blob === null || 'tooLarge' in blob || !isUtf8(blob.content) || blob.content.includes(0))
      return undefined;
    left -= blob.content.length;
    return blob.content.toString('utf8');
  };
  try {
    const found: BranchConflict[] = [];
    for (const { path, ...sides } of conflicts) {
      const [base, ours, theirs] = [await read(sides.base), await read(sides.ours), await read(sides.theirs)];
      const resolvable = [base, ours, theirs].every((text) => text !== undefined);
      const missing = { ours: sides.ours === null, theirs: sides.theirs === null };
      found.push({
        path,
        base: base ?? null,
        ours: ours ?? null,
        theirs: theirs ?? null,
        resolvable,
        missing,
      });
    }
    return found;
  } finally {
    blobs.close();
  }
}
