import type { z } from 'zod';
import type { Commit, commitPage } from '#contract/projects.ts';
import { log } from '#git/log.ts';
import { resolveCommit } from '#git/refs.ts';
import type { CommitTable } from '#memory/memory.ts';
import { type Caller, projectAccess } from './access.ts';
import type { Deps } from './deps.ts';
import { type HistoryLimit, historyLimit } from './plans.ts';
import { isoTime, openMemory } from './storage.ts';

interface Page {
  skip: number;
  limit: number;
}

/** A page of a project's commits, newest first; an empty one before they have been read. Throws `not_found`. */
export async function readCommits(
  deps: Deps,
  caller: Caller,
  projectId: string,
  page: Page,
): Promise<z.infer<typeof commitPage>> {
  const project = await projectAccess(deps, caller, projectId, 'viewer');
  const memory = await openMemory(deps, project);
  if (memory === null) return { commits: [], total: 0, has_more: false, hidden: 0 };
  const { commits } = memory;
  const shown = countShown(commits, await historyLimit(deps, project.id));
  const { items, ...rest } = cutPage(shown, page, (commit) => presentCommit(commits, commit));
  return { commits: items, ...rest, hidden: commits.count - shown };
}

/** How many of the newest commits a plan shows: by number or by age, whichever shows more. */
function countShown(commits: CommitTable, limit: HistoryLimit | null): number {
  if (limit === null) return commits.count;
  let shown = Math.min(limit.commits, commits.count);
  // A commit whose date is broken is as old as its neighbours.
  while (shown < commits.count && !(commits.time(shown) < limit.since)) shown++;
  return shown;
}

/** One commit of the table as the lists show it; its id is its full hash. */
export function presentCommit(commits: CommitTable, commit: number): Commit {
  const hash = commits.oid(commit);
  return {
    id: hash,
    hash,
    message: commits.message(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
    files_changed: Array.from(commits.paths(commit), (path) => commits.path(path)),
  };
}

/**
 * A commit as the repository itself has it, for those that the index does not hold: what was saved in the editor on
 * top of `indexed`. `hash` may be abbreviated; null when there is no such commit.
 */
export async function readUnindexed(
  repo: string,
  hash: string,
  indexed: string,
): Promise<{ commit: Commit; parents: string[] } | null> {
  const oid = await resolveCommit(repo, hash);
  if (oid === null) return null;
  for await (const { author, time, message, parents, changes } of log(repo, {
    from: oid,
    not: [indexed],
  })) {
    const commit = {
      id: oid,
      hash: oid,
      message: message.trimEnd(),
      author,
      timestamp: isoTime(time),
      files_changed: changes.map(({ path }) => path),
    };
    return { commit, parents };
  }
  return null;
}

/** One page of `total` things, each made by `item` from its number. */
export function cutPage<T>(total: number, page: Page, item: (index: number) => T) {
  const end = Math.min(page.skip + page.limit, total);
  const items: T[] = [];
  for (let index = page.skip; index < end; index++) items.push(item(index));
  return { items, total, has_more: end < total };
}
