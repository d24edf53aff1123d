import type { z } from 'zod';
import { isoTime } from '#contract/iso-time.ts';
import type { changeHit, historyMatches } from '#contract/search.ts';
import { openChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type ChangeMatch, type FindChangesOptions, findChanges } from './find-changes.ts';

/** Options of `findChanges`, with the directory of the change index instead of an open one. */
export type SearchHistoryOptions = Omit<FindChangesOptions, 'hunks'> & { directory: string };

export type HistorySearchResult = z.infer<typeof historyMatches>;

/**
 * Searches the indexed part of the history for changes; empty before the first part is indexed. Throws
 * `index_rebuilding` when the index on disk is unusable.
 */
export async function searchHistory({
  directory,
  ...options
}: SearchHistoryOptions): Promise<HistorySearchResult> {
  const hunks = openChangeIndex(directory);
  if (hunks === null) {
    return {
      changes: [],
      first_added: null,
      last_removed: null,
      partial: false,
      indexed: { commits: 0, total: null, omitted: 0 },
    };
  }
  const found = await findChanges({ ...options, hunks });
  const toHit = (change: ChangeMatch) => toChangeHit(options.index, change);
  return {
    changes: found.changes.map(toHit),
    first_added: found.firstAdded && toHit(found.firstAdded),
    last_removed: found.lastRemoved && toHit(found.lastRemoved),
    partial: found.isPartial,
    indexed: {
      commits: hunks.commits,
      total: hunks.total,
      omitted: Object.values(hunks.skipCounts).reduce((sum, count) => sum + count, 0),
    },
  };
}

function toChangeHit({ commits }: RepositoryIndex, change: ChangeMatch): z.infer<typeof changeHit> {
  const { commit, oldPath, newPath, hunk } = change;
  return {
    hash: commits.oid(commit),
    message: commits.subject(commit),
    author: commits.author(commit),
    timestamp: isoTime(commits.time(commit)),
    old_path: oldPath,
    new_path: newPath,
    hunk,
  };
}
