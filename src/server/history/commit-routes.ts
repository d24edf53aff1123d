import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { historyRoutes } from '#contract/history.ts';
import { isoTime } from '#contract/iso-time.ts';
import { MAX_DIFF_HUNKS, MAX_FILES_CHANGED, MAX_PARENTS, projectRoutes } from '#contract/projects.ts';
import { diffBetween, diffTotals, showCommit } from '#git/diff.ts';
import { limitDiff } from '#git/diff-limits.ts';
import { readCommitter } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { listCommits, presentCommit, readUnindexedCommit } from '../project-data/commit-list.ts';
import { readRefList, refsByCommit } from '../project-data/commit-refs.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { requireIndex } from '../project-data/storage.ts';
import { readFileWithBlame } from './file-with-blame.ts';

const DIFF_LIMITS = { maxFiles: MAX_FILES_CHANGED, maxHunks: MAX_DIFF_HUNKS, maxBytes: 700 * 1024 };

/** Registers the routes of commits and of files with blame. */
export function registerCommits(app: FastifyInstance, deps: Deps): void {
  serve(app, projectRoutes.commits, async ({ caller, params, query, reply }) =>
    listCommits(deps, { caller, projectId: params.id, signal: abortOnDisconnect(reply) }, query),
  );

  serve(app, historyRoutes.commits, async ({ caller, params, query, reply }) =>
    listCommits(deps, { caller, projectId: params.id, signal: abortOnDisconnect(reply) }, query),
  );

  serve(app, projectRoutes.commit, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const repo = await deps.projectFiles.repositories.open(project.id);
    const index = await requireIndex(deps, project);
    const { commits, revision } = index;
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const { commit: oid } = await resolveRevision(deps, { ...reader, name: params.sha });
    const number = commits.find(oid);
    return await readFromGit(deps, reader, async (signal) => {
      const found =
        number === -1
          ? await readUnindexedCommit(repo, oid, revision, signal)
          : { commit: presentCommit(commits, number), parents: parentsOf(commits, number) };
      if (found === null) throw new AppError('not_found', 'commit_not_found');
      const diff = await readCommitDiff(repo, oid, { parents: found.parents, ...query, signal });
      const committer = await readCommitter(repo, oid);
      const refsAt = refsByCommit(await readRefList(repo, index, signal));
      return {
        ...found.commit,
        ...diff,
        ...(diff.totals && { files_changed_count: diff.totals.files }),
        body: found.commit.message,
        committer: committer.name,
        committed_at: isoTime(committer.time),
        parents: found.parents,
        refs: refsAt(oid),
      };
    });
  });

  serve(app, projectRoutes.file, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { revision } = await requireIndex(deps, project);
    const repo = await deps.projectFiles.repositories.open(project.id);
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const commit =
      query.ref === undefined
        ? revision
        : (await resolveRevision(deps, { ...reader, name: query.ref })).commit;
    const range = { commit, path: params['*'], from: query.from, to: query.to };
    return await readFromGit(deps, reader, (signal) => readFileWithBlame(repo, { ...range, signal }));
  });
}

function parentsOf(
  commits: { parents(commit: number): number[]; oid(commit: number): string },
  number: number,
): string[] {
  return commits
    .parents(number)
    .slice(0, MAX_PARENTS)
    .map((parent) => commits.oid(parent));
}

/** Diff of a commit against one of its parents, with the totals of the whole diff. */
async function readCommitDiff(
  repo: string,
  oid: string,
  options: { parents: string[]; parent: number; whitespace: 'show' | 'ignore'; signal: AbortSignal },
) {
  const { parents, parent, whitespace, signal } = options;
  const from = parents[parent - 1];
  if (from === undefined && parent > 1) throw new AppError('not_found', 'parent_not_found');
  const diffOptions = { maxBytes: 1_000_000, ignoreWhitespace: whitespace === 'ignore', signal };
  const [files, totals] = await Promise.all([
    from === undefined ? showCommit(repo, oid, diffOptions) : diffBetween(repo, from, oid, diffOptions),
    diffTotals(repo, from === undefined ? [oid] : [from, oid], diffOptions),
  ]);
  return { files: limitDiff(files, DIFF_LIMITS), totals, parent: from === undefined ? 0 : parent };
}
