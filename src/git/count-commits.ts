import { isAncestor } from './refs.ts';
import { assertOid, git } from './run.ts';

/**
 * Counts the commits from `not` to `from`, both full hashes; null when `from` does not go on from there, as after
 * a forced push.
 */
export async function countCommits(
  repo: string,
  { from, not }: { from: string; not: string },
): Promise<number | null> {
  if (!(await isAncestor(repo, not, from))) return null;
  const { stdout } = await git(repo, ['rev-list', '--count'], {
    name: 'rev-list',
    revisions: [assertOid(from), `^${assertOid(not)}`],
  });
  return Number(stdout.toString());
}
