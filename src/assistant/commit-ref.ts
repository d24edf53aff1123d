import type { RepositoryIndex } from '#memory/repository-index.ts';

/** A commit as answers show it: the subject, and an empty timestamp for a broken date. */
export function commitRef(memory: RepositoryIndex, commit: number) {
  const { commits } = memory;
  return {
    hash: commits.oid(commit),
    message: commits.subject(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
  };
}

/** Seconds since 1970 as ISO 8601; '' for a date that no calendar has. */
export function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
