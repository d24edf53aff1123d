import { isoTime } from '#contract/iso-time.ts';
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
