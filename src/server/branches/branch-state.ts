import type { PushedCommit } from '#contract/branch-fields.ts';
import type { OwnBranch } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { countAheadBehind, countUnpushed, readCommitSummaries } from '#git/branches.ts';
import { readRefs } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import type { AccessibleProject } from '../identity/access.ts';
import { type BranchRow, readBranchHead } from '../project-data/branches.ts';
import { listBranchRows, listLatestPushes, listPullRequestRows, requireBranch } from './queries.ts';

/** A branch of the caller with what it is compared with. Commits are full hashes. */
export interface OpenBranch {
  repo: string;
  row: BranchRow;
  head: string;
  /** The indexed commit of the project. */
  indexed: string | null;
  /** The default branch of the repository and where it stands. */
  upstream: { branch: string; head: string };
}

/** Opens one of the caller's branches. Throws `not_found`, or `unavailable` before the first fetch. */
export async function openBranch(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  { project, userId }: { project: AccessibleProject; userId: string },
  name: string,
): Promise<OpenBranch> {
  const repo = await deps.projectFiles.repositories.open(project.id);
  const row = await requireBranch(deps.db, { projectId: project.id, userId }, name);
  const head = await readBranchHead(repo, row);
  if (head === null) throw new AppError('not_found', 'branch_not_found');
  return { repo, row, head, indexed: project.indexed_commit, upstream: await readUpstream(repo, project) };
}

/** The default branch of the repository and its head here. */
export async function readUpstream(
  repo: string,
  project: Pick<AccessibleProject, 'branch' | 'indexed_commit'>,
): Promise<{ branch: string; head: string }> {
  const { branch, indexed_commit } = project;
  if (branch === null) throw new AppError('unavailable', 'upstream_unknown', { reason: 'not_ready' });
  const ref = `refs/remotes/origin/${branch}`;
  const head = (await readRefs(repo, [ref])).get(ref) ?? indexed_commit;
  if (head === null) throw new AppError('unavailable', 'upstream_unknown', { reason: 'not_ready' });
  return { branch, head };
}

/** Milliseconds for counting the commits of all branches; what takes longer is not counted. */
const COUNT_TIMEOUT_MS = 5_000;
const CONCURRENCY = 4;

/** Lists the caller's branches with their last commits, pushes and pull requests. */
export async function listBranches(
  deps: Pick<Deps, 'db' | 'projectFiles'>,
  { project, userId, sessionId }: { project: AccessibleProject; userId: string; sessionId?: string },
): Promise<OwnBranch[]> {
  const repo = await deps.projectFiles.repositories.open(project.id);
  const owner = { projectId: project.id, userId };
  const rows = await listBranchRows(deps.db, owner, sessionId);
  if (rows.length === 0) return [];
  const upstream = await readUpstream(repo, project);
  const heads = await readRefs(
    repo,
    rows.map(({ name }) => `refs/heads/${name}`),
  );
  const [commits, pushes, pullRequests] = await Promise.all([
    readPushedCommits(repo, [...new Set(heads.values())]),
    listLatestPushes(deps.db, owner),
    listPullRequestRows(deps.db, owner),
  ]);
  const signal = AbortSignal.timeout(COUNT_TIMEOUT_MS);
  return await mapConcurrently(
    rows.flatMap((row) => {
      const head = heads.get(`refs/heads/${row.name}`);
      return head === undefined ? [] : [{ row, head }];
    }),
    async ({ row, head }): Promise<OwnBranch> => {
      const pushed = pushes.get(row.name);
      return {
        name: row.name,
        head,
        last_commit: commits.get(head)!,
        ...(await count(repo, { head, upstream: upstream.head, signal })),
        upstream: upstream.branch,
        pushed: pushed
          ? {
              target: pushed.target,
              head: pushed.head,
              at: (pushed.finished_at ?? pushed.created_at).toISOString(),
            }
          : null,
        pull_request: pullRequests.find(({ branch }) => pushed && branch === pushed.target) ?? null,
        session_id: row.session_id,
        created_at: row.created_at.toISOString(),
      };
    },
  );
}

async function count(
  repo: string,
  { head, upstream, signal }: { head: string; upstream: string; signal: AbortSignal },
): Promise<{ ahead: number | null; behind: number | null; unpushed: number | null }> {
  try {
    const distance = await countAheadBehind(repo, { commit: head, upstream, signal });
    return { ...distance, unpushed: await countUnpushed(repo, head, signal) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ahead: null, behind: null, unpushed: null };
  }
}

/** List fields of these commits, by full hash. */
export async function readPushedCommits(
  repo: string,
  oids: readonly string[],
): Promise<Map<string, PushedCommit>> {
  const summaries = await readCommitSummaries(repo, oids);
  return new Map(
    [...summaries].map(([hash, { author, time, subject }]) => [
      hash,
      {
        hash,
        author: author.slice(0, MAX_NAME),
        message: subject.slice(0, MAX_SUBJECT),
        timestamp: isoTime(time),
      },
    ]),
  );
}

const MAX_NAME = 200;
const MAX_SUBJECT = 500;

async function mapConcurrently<T, R>(items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(run))));
  }
  return results;
}
