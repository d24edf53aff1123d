import type { z } from 'zod';
import type { changeHit, historyMatches } from '#contract/search.ts';
import { openChangeIndex } from '#memory/changes/change-index.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type Change, type ChangesOptions, searchChanges } from './find-changes.ts';

/** What `searchChanges` takes, with the folder of the hunks instead of opened ones. */
export type HistoryOptions = Omit<ChangesOptions, 'hunks'> & { directory: string };

export type HistoryFound = z.infer<typeof historyMatches>;

/**
 * Changes of the whole history that fit a text, as far as the history is read. Nothing is found, and nothing is an
 * error, before the first part of it is there. Throws `index_rebuilding` when what is on disk can't be used.
 */
export async function searchHistory({ directory, ...options }: HistoryOptions): Promise<HistoryFound> {
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
  const found = await searchChanges({ ...options, hunks });
  const present = (change: Change) => presentChange(options.memory, change);
  return {
    changes: found.changes.map(present),
    first_added: found.first && present(found.first),
    last_removed: found.last && present(found.last),
    partial: found.partial,
    indexed: {
      commits: hunks.commits,
      total: hunks.total,
      omitted: Object.values(hunks.skipCounts).reduce((sum, count) => sum + count, 0),
    },
  };
}

function presentChange({ commits }: RepositoryIndex, change: Change): z.infer<typeof changeHit> {
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
