import type { Commit } from '#contract/projects.ts';
import type { CodeTable, CommitTable } from '#memory/memory.ts';
import { isoTime } from '../storage.ts';

interface Page {
  skip: number;
  limit: number;
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

/** A page of commits, newest first. */
export function commitPage(commits: CommitTable, page: Page) {
  const { items, ...rest } = slice(commits.count, page, (commit) => presentCommit(commits, commit));
  return { commits: items, ...rest };
}

/** A page of the files left out of the index; none before the code has been read. */
export function skippedPage(code: CodeTable | null, page: Page) {
  const { items, ...rest } = slice(code?.skippedCount ?? 0, page, (index) => code!.skipped(index));
  return { files: items, ...rest };
}

function slice<T>(total: number, page: Page, item: (index: number) => T) {
  const end = Math.min(page.skip + page.limit, total);
  const items: T[] = [];
  for (let index = page.skip; index < end; index++) items.push(item(index));
  return { items, total, has_more: end < total };
}
