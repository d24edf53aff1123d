import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { isoTime } from '#contract/iso-time.ts';
import {
  type Commit,
  type CommitFilters,
  type commitPage,
  MAX_FILES_CHANGED,
  MAX_PARENTS,
} from '#contract/projects.ts';
import type { ProjectsTable } from '#db/project-tables.ts';
import { isWideCommit } from '#git/diff.ts';
import { log } from '#git/log.ts';
import { requireReadableTree } from '#git/tree.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import type { Deps } from '../deps.ts';
import { type Caller, projectAccess } from '../identity/access.ts';
import { filterCommits } from './commit-filters.ts';
import { readRefList, recentRefList, refsByCommit } from './commit-refs.ts';
import { readFromGit } from './git-reads.ts';
import { createByteBudget, jsonByteLength, truncateToJsonBytes } from './json-size.ts';
import { type HistoryLimit, historyLimit } from './plans.ts';
import { openProjectIndex, projectStorage } from './storage.ts';

interface Page {
  skip: number;
  limit: number;
}

/**
 * Lists a page of a project's commits that match the filters, in the order of their commit dates, newest first; empty before
 * they are indexed. Throws `not_found`.
 */
export async function listCommits(
  deps: Deps,
  { caller, projectId, signal }: { caller: Caller; projectId: string; signal: AbortSignal },
  page: Page & CommitFilters,
): Promise<z.infer<typeof commitPage>> {
  const project = await projectAccess(deps, caller, projectId, 'viewer');
  const index = await openProjectIndex(deps, project);
  if (index === null) return { commits: [], total: 0, has_more: false, hidden_by_plan: 0 };
  const { commits } = index;
  const visible = countVisible(commits, await historyLimit(deps, project.id));
  const matching = (await filterCommits(index, page, signal))?.filter((commit) => commit < visible);
  const shown = matching?.length ?? visible;
  const share = createByteBudget(MAX_PAGE_BYTES, Math.min(page.limit, shown));
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  const reader = { project, userId: caller.userId, signal };
  const refs =
    recentRefList(index) ?? (await readFromGit(deps, reader, (stop) => readRefList(repo, index, stop)));
  const refsAt = refsByCommit(refs);
  const { items, ...rest } = paginate(shown, page, (i) =>
    share((maxBytes) => presentCommit(commits, matching?.[i] ?? i, maxBytes)),
  );
  const listed = items.map((commit) => ({ ...commit, refs: refsAt(commit.hash) }));
  return { commits: listed, ...rest, hidden_by_plan: commits.count - visible };
}

/** Counts the commits of a project, and those that its owner's plan shows: `limit` of `historyLimit`. */
export async function countVisibleCommits(
  deps: Deps,
  project: Selectable<ProjectsTable>,
  limit: HistoryLimit | null,
): Promise<{ shown: number; total: number }> {
  const total = project.coverage?.commits ?? 0;
  if (limit === null) return { shown: total, total };
  const index = await openProjectIndex(deps, project).catch(() => null);
  if (index === null) return { shown: Math.min(limit.commits, total), total };
  return { shown: countVisible(index.commits, limit), total: index.commits.count };
}

/** Counts the newest commits that a plan shows, by number or by age, whichever is more. */
function countVisible(commits: CommitTable, limit: HistoryLimit | null): number {
  if (limit === null) return commits.count;
  let shown = Math.min(limit.commits, commits.count);
  // NaN compares false, so that a commit with an invalid date is as old as its neighbors.
  while (shown < commits.count && !(commits.time(shown) < limit.since)) shown++;
  return shown;
}

/** In bytes of JSON, for all commits of a page. */
const MAX_PAGE_BYTES = 768 * 1024;
/** In bytes of JSON, without the diff. */
const MAX_COMMIT_BYTES = 128 * 1024;

/** Parents in lists; a commit by itself has more. */
const MAX_LISTED_PARENTS = 16;

/** Presents a commit of the table in at most `maxBytes`; its id is its full hash. */
export function presentCommit(
  commits: CommitTable,
  commit: number,
  maxBytes: number = MAX_COMMIT_BYTES,
): Commit {
  const hash = commits.oid(commit);
  const numbers = commits.paths(commit);
  const message = truncateToJsonBytes(commits.message(commit), maxBytes / 2);
  return {
    id: hash,
    hash,
    message,
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
    committed_at: isoTime(commits.committed(commit)),
    parents: commits
      .parents(commit)
      .slice(0, MAX_LISTED_PARENTS)
      .map((parent) => commits.oid(parent)),
    files_changed: fitPaths(
      Array.from(numbers.subarray(0, MAX_FILES_CHANGED), (path) => commits.path(path)),
      maxBytes - jsonByteLength(message),
    ),
    files_changed_count: numbers.length + commits.omittedChanges(commit),
  };
}

/** Returns the first paths that fit into `maxBytes` of JSON. */
function fitPaths(paths: readonly string[], maxBytes: number): string[] {
  let bytes = 0;
  const end = paths.findIndex((path) => {
    bytes += jsonByteLength(path) + 1;
    return bytes > maxBytes;
  });
  return end === -1 ? [...paths] : paths.slice(0, end);
}

const READ_TIMEOUT_MS = 20_000;
/** In bytes of git output for one commit; files beyond it are not counted. */
const MAX_COMMIT_OUTPUT = 4 * 2 ** 20;

/**
 * Reads a commit that is not indexed from the repository, such as one saved in the editor on top of `indexed`. Access to
 * `oid` must have been checked. Throws `too_large` when its tree cannot be read within the request.
 */
export async function readUnindexedCommit(
  repo: string,
  oid: string,
  indexed: string,
  signal?: AbortSignal,
): Promise<{ commit: Commit; parents: string[] } | null> {
  await requireReadableTree(repo, oid, signal);
  const options = {
    from: oid,
    not: [indexed],
    maxChanges: MAX_FILES_CHANGED,
    maxBytes: MAX_COMMIT_OUTPUT,
    timeoutMs: READ_TIMEOUT_MS,
    findRenames: !(await isWideCommit(repo, oid, signal)),
    signal,
  };
  for await (const { author, time, committed, message, parents, changes, changeCount } of log(
    repo,
    options,
  )) {
    const shown = truncateToJsonBytes(message.trimEnd(), MAX_COMMIT_BYTES / 2);
    const paths = changes.map(({ path }) => path);
    const commit = {
      id: oid,
      hash: oid,
      message: shown,
      author,
      timestamp: isoTime(time),
      committed_at: isoTime(committed),
      files_changed: fitPaths(paths, MAX_COMMIT_BYTES - jsonByteLength(shown)),
      files_changed_count: changeCount,
    };
    return { commit, parents: parents.slice(0, MAX_PARENTS) };
  }
  return null;
}

/** Returns one page of `total` items, each built by `item` from its index. */
export function paginate<T>(total: number, page: Page, item: (i: number) => T) {
  const end = Math.min(page.skip + page.limit, total);
  const items: T[] = [];
  for (let i = page.skip; i < end; i++) items.push(item(i));
  return { items, total, has_more: end < total };
}
