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
  if (!(await isAncestor(repo, not, from))) return null;
  const { stdout } = await git(repo, ['rev-list', '--count'], {
    name: 'rev-list',
    revisions: [assertOid(from), `^${assertOid(not)}`],
    signal,
  });
  return Number(stdout.toString());
}
