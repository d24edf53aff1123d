import { isoTime } from '#contract/iso-time.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** Commit fields of an answer; the timestamp is empty for a broken date. */
export function commitRef(index: RepositoryIndex, commit: number) {
  const { commits } = index;
  return {
    hash: commits.oid(commit),
    message: commits.subject(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
  };
}
