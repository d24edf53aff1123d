import { AppError } from '#contract/errors.ts';
import type { StoredProofRequest } from '#db/proof-tables.ts';
import { checkPatch } from '#git/apply.ts';
import { formatDiff } from '#git/branches.ts';
import { treeOf } from '#git/merge.ts';
import { mergeBase } from '#git/refs.ts';
import { revertTree } from '#git/revert.ts';
import type { Deps } from '../deps.ts';
import { findBranch, readBranchHead } from '../project-data/branches.ts';

const MAX_PATCH_BYTES = 2 ** 20;
/** Author of the objects by which a revert is computed, which no branch refers to. git takes no time nearer to 1970. */
const AUTHOR = { name: 'Hindsight', email: 'hindsight@localhost', time: 1_000_000_000 };

interface PatchRequest {
  projectId: string;
  userId: string;
  /** Full hash of the revision that the patch applies to. */
  commit: string;
  patch?: string | null | undefined;
  /** Full hash of a commit to take back. */
  revert?: string | null | undefined;
  branch?: string | null | undefined;
}

/**
 * Returns the patch to verify: a given diff, the revert of a commit, or the changes of one of the user's branches. Throws
 * `invalid_input` unless exactly one is named, and for one that does not apply.
 */
export async function resolvePatch(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  request: PatchRequest,
): Promise<StoredProofRequest['patch']> {
  const { projectId, commit, patch, revert, branch } = request;
  const named = [patch, revert, branch].filter((one) => one != null);
  if (named.length !== 1) {
    throw new AppError('invalid_input', 'proof_patch_required', {
      fields: { patch: 'proof_patch_required' },
    });
  }
  const repo = await deps.projectFiles.repositories.open(projectId);
  const source = patch != null ? 'patch' : revert != null ? 'revert' : 'branch';
  const text = patch ?? (revert ? await revertPatch(repo, revert, commit) : await branchPatch(deps, request));
  const check = await checkPatch(repo, commit, text);
  if (check.applies) return { source, text: check.patch };
  const params = { commit: commit.slice(0, 7), reason: check.reason };
  throw new AppError('invalid_input', 'proof_patch_rejected', {
    params,
    fields: { patch: { key: 'proof_patch_rejected', params } },
  });
}

async function revertPatch(repo: string, revert: string, commit: string): Promise<string> {
  const { tree, conflicts } = await revertTree(repo, { commit: revert, head: commit, by: AUTHOR });
  if (conflicts.length > 0) throw new AppError('conflict', 'revert_conflicts', { reason: 'conflicts' });
  if (tree === (await treeOf(repo, commit))) {
    throw new AppError('conflict', 'revert_empty', { reason: 'nothing_to_revert' });
  }
  return await readDiff(repo, commit, tree);
}

async function branchPatch(
  { db, projectFiles }: Pick<Deps, 'db' | 'projectFiles'>,
  { projectId, userId, commit, branch: name = null }: PatchRequest,
): Promise<string> {
  const branch = await findBranch(db, { projectId, userId }, name);
  const repo = await projectFiles.repositories.open(projectId);
  const head = branch && (await readBranchHead(repo, branch));
  if (!branch || !head) throw new AppError('not_found', 'branch_not_found');
  const base = await mergeBase(repo, commit, head);
  const text = base === null ? '' : await readDiff(repo, base, head);
  if (text !== '') return text;
  const params = { branch: branch.name };
  throw new AppError('conflict', 'proof_branch_unchanged', { params, reason: 'nothing_to_verify' });
}

async function readDiff(repo: string, base: string, head: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of formatDiff(repo, { base, head })) {
    bytes += chunk.length;
    if (bytes > MAX_PATCH_BYTES) {
      throw new AppError('too_large', 'proof_patch_too_large', { params: { limit: 1 } });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
