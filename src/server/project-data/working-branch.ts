import type { WorkingBranch } from '#contract/branches.ts';
import type { IncludedBranch } from '#contract/common.ts';
import { countAheadBehind } from '#git/branches.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { findBranch, readBranchHead } from './branches.ts';
import { readFromGit } from './git-reads.ts';
import { type RevisionReader, resolveTaskRevision, type TaskRevision } from './revision.ts';
import { projectStorage } from './storage.ts';

/** Reader of an answer, with the index that it is based on. */
type AnswerReader = RevisionReader & { index: RepositoryIndex };

/** Revision that an answer is about. */
interface AnswerRevision {
  /** Null for that of the index. */
  at: TaskRevision | null;
  /** The reader's working branch, where the answer includes it. */
  ownBranch: IncludedBranch | null;
}

/** Finds the reader's working branch with its head, a full hash; null without one, and when the index has all of its commits. */
export async function findWorkingBranch(
  deps: Deps,
  { index, ...reader }: AnswerReader,
): Promise<(WorkingBranch & { head: string }) | null> {
  const { project, userId } = reader;
  const branch =
    project.working_branch === undefined
      ? await findBranch(deps.db, { projectId: project.id, userId }, null)
      : project.working_branch;
  if (branch === null) return null;
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  return await readFromGit(deps, reader, async (signal) => {
    const head = await readBranchHead(repo, branch);
    if (head === null || head === index.revision) return null;
    const distance = { commit: head, upstream: index.revision, signal };
    const { ahead, behind } = await countAheadBehind(repo, distance);
    return ahead === 0 ? null : { name: branch.name, changes: ahead, head, behind };
  });
}

/**
 * Resolves the revision of an answer: the named one, else the reader's working branch, so that they find what they have just
 * saved. A branch that lacks indexed commits is included on request only, since the answer would miss them.
 */
export async function resolveAnswerRevision(
  deps: Deps,
  {
    revision,
    workingBranch,
    ...reader
  }: AnswerReader & { revision?: string | null | undefined; workingBranch: boolean | null | undefined },
): Promise<AnswerRevision> {
  if (revision) return { at: await resolveTaskRevision(deps, { ...reader, revision }), ownBranch: null };
  const branch = workingBranch === false ? null : await findWorkingBranch(deps, reader);
  if (branch === null || (branch.behind > 0 && !workingBranch)) return { at: null, ownBranch: null };
  const { name, changes, head } = branch;
  const at = { revision: head, isDraft: true, limits: deps.config.git };
  return { at, ownBranch: { name, changes } };
}
