import type { PushedCommit } from '#contract/branch-fields.ts';
import { MAX_PUSHED_COMMITS } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import { isBranchName } from '#git/branch-names.ts';
import { findMergeBase, listUnpushed } from '#git/branches.ts';
import { replayCommits } from '#git/merge.ts';
import { commitTime, hasCommit, isAncestor } from '#git/refs.ts';
import type { Signature } from '#git/write.ts';
import { type OpenBranch, readPushedCommits } from './branch-state.ts';

/** Commits and files that a push would send. */
interface PushPlan {
  /** Commit that becomes the head of the target. */
  head: string;
  /** Commits that the git server gets, newest first. */
  commits: PushedCommit[];
  /** Commits of the branch that may be sent one by one, oldest first. */
  choosable: PushedCommit[];
  /** Commit that the changed files are counted from. */
  base: string;
  /** True where the target has commits that `head` lacks, or that are not known here. */
  replaces: boolean;
}

interface PushRequest {
  /** Commits of the branch; null for all of it. */
  chosen: readonly string[] | null;
  /** Head of the target at the git server; null where it does not exist. */
  remoteHead: string | null;
  by: Signature;
}

/**
 * Plans a push of a branch, or of chosen commits of it: these are replayed on the target, or on the default branch where it
 * does not exist. The same request makes the same commits. Throws `conflict` or `bad_request` for commits that can't be sent.
 */
export async function planPush(
  { repo, head: branchHead, upstream }: OpenBranch,
  { chosen, remoteHead, by }: PushRequest,
): Promise<PushPlan> {
  const remote = remoteHead !== null && (await hasCommit(repo, remoteHead)) ? remoteHead : null;
  const not = remote === null ? [] : [remote];
  const unpushed = await listUnpushed(repo, { head: branchHead, not, max: MAX_PUSHED_COMMITS + 1 });
  if (unpushed.length > MAX_PUSHED_COMMITS) {
    throw new AppError('too_large', 'push_too_many_commits', {
      params: { limit: MAX_PUSHED_COMMITS },
      reason: 'too_many_commits',
    });
  }
  const single = unpushed.filter(({ parents }) => parents.length < 2).map(({ oid }) => oid);
  const oldestFirst = single.toReversed();
  const head =
    chosen === null
      ? branchHead
      : await replayChosen(
          repo,
          { oldestFirst, unpushed: unpushed.length, chosen },
          { onto: remote ?? upstream.head, by },
        );
  const sent =
    head === branchHead ? unpushed : await listUnpushed(repo, { head, not, max: MAX_PUSHED_COMMITS });
  const summaries = await readPushedCommits(repo, [
    ...new Set([...sent.map(({ oid }) => oid), ...oldestFirst]),
  ]);
  const present = (oids: string[]) =>
    oids.map((oid) => summaries.get(oid)).filter((found) => found !== undefined);
  return {
    head,
    commits: present(sent.map(({ oid }) => oid)),
    choosable: present(oldestFirst),
    base: remote ?? (await findMergeBase(repo, head, upstream.head)) ?? upstream.head,
    replaces: remoteHead !== null && (remote === null || !(await isAncestor(repo, remote, head))),
  };
}

async function replayChosen(
  repo: string,
  { oldestFirst, unpushed, chosen }: { oldestFirst: string[]; unpushed: number; chosen: readonly string[] },
  { onto, by }: { onto: string; by: Signature },
): Promise<string> {
  const unknown = chosen.find((oid) => !oldestFirst.includes(oid));
  if (unknown !== undefined) {
    const params = { commit: unknown.slice(0, 7) };
    throw new AppError('bad_request', 'push_commit_unknown', { params, reason: 'commit_unknown' });
  }
  const commits = oldestFirst.filter((oid) => chosen.includes(oid));
  // The first commits of a branch without merges are sent as they are.
  const isBeginning = unpushed === oldestFirst.length && commits.every((oid, at) => oid === oldestFirst[at]);
  if (isBeginning) return commits.at(-1)!;
  const newest = await commitTime(repo, commits.at(-1)!);
  const result = await replayCommits(repo, { commits, onto, by: { ...by, time: newest / 1000 } });
  if (result.head !== null) return result.head;
  const params = { commit: result.stoppedAt.slice(0, 7) };
  throw new AppError('conflict', 'push_commits_conflict', { params, reason: 'commits_conflict' });
}

/** Throws `bad_request` for a name that git refuses. */
export function requireTargetName(name: string): void {
  if (isBranchName(name)) return;
  throw new AppError('bad_request', 'bad_branch_name', {
    reason: 'invalid_branch_name',
    fields: { target: 'bad_branch_name' },
  });
}
