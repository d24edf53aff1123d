import { LRUCache } from 'lru-cache';
import { isAncestor } from './refs.ts';
import { assertOid, git } from './run.ts';

/**
 * Counts the commits from `not` to `from`, both full hashes; null when `from` does not go on from there, as after
 * a forced push.
 */
export async function countCommits(
  repo: string,
  { from, not, signal }: { from: string; not: string; signal?: AbortSignal },
): Promise<number | null> {
  if (assertOid(from) === not) return 0;
  const key = `${from} ${not} ${repo}`;
  const known = counts.get(key);
  if (known !== undefined) return known;
  // Also where one of them has not been fetched yet.
  if (!(await isAncestor(repo, not, from))) return null;
  const count = await countRange(repo, { from, not, signal });
  counts.set(key, count);
  return count;
}

/** Two commits keep their distance, except where a shallow repository gets more of its history. */
const counts = new LRUCache<string, number>({ max: 1_000, ttl: 60_000 });

async function countRange(
  repo: string,
  { from, not, signal }: { from: string; not: string; signal?: AbortSignal | undefined },
): Promise<number> {
  const { stdout } = await git(repo, ['rev-list', '--count'], {
    name: 'rev-list',
    revisions: [assertOid(from), `^${assertOid(not)}`],
    signal,
  });
  return Number(stdout.toString());
}
