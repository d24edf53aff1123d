import type { z } from 'zod';
import type { changeHit, historyMatches } from '#contract/search.ts';
import { openChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type ChangeMatch, type FindChangesOptions, findChanges } from './find-changes.ts';

/** What `searchChanges` takes, with the folder of the hunks instead of opened ones. */
export type SearchHistoryOptions = Omit<FindChangesOptions, 'hunks'> & { directory: string };

export type HistorySearchResult = z.infer<typeof historyMatches>;

/**
 * Changes of the whole history that fit a text, as far as the history is read. Nothing is found, and nothing is an
 * error, before the first part of it is there. Throws `index_rebuilding` when what is on disk can't be used.
 */
export async function searchHistory({ directory, ...options }: SearchHistoryOptions): Promise<HistorySearchResult> {
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
  const present = (change: ChangeMatch) => toChangeHit(options.memory, change);
  return {
    changes: found.changes.map(present),
    first_added: found.firstAdded && present(found.firstAdded),
    last_removed: found.lastRemoved && present(found.lastRemoved),
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
  const date = new Date(commits.time(commit) * 1000);
  return {
    hash: commits.oid(commit),
    message: commits.subject(commit),
    author: commits.author(commit),
    timestamp: Number.isNaN(date.getTime()) ? '' : date.toISOString(),
    old_path: oldPath,
    new_path: newPath,
    hunk,
  };
}
