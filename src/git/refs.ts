import { assertOid, git, isRefName } from './run.ts';

/**
 * The full hash of the commit that a hash, branch or tag stands for, or null. Upstream's branches come first,
 * then tags, then branches made here, then abbreviated hashes of at least 7 digits.
 */
export async function resolveCommit(repo: string, ref: string): Promise<string | null> {
  if (!isRefName(ref)) {
    return null;
  }
  const isHash = /^[0-9a-f]{7,64}$/.test(ref);
  const isFullHash = isHash && (ref.length === 40 || ref.length === 64);
  const names =
    ref === 'HEAD' || ref.startsWith('refs/')
      ? [ref]
      : [`refs/remotes/origin/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
  for (const name of isFullHash ? [ref] : isHash ? [...names, ref] : names) {
    const { exitCode, stdout } = await git(repo, ['rev-parse', '--verify', '--quiet', '--end-of-options'], {
      name: 'rev-parse',
      revisions: [`${name}^{commit}`],
      // 1: no such ref; 128: an ambiguous hash, or an object that is no commit.
      ok: [0, 1, 128],
    });
    if (exitCode === 0) {
      return stdout.toString().trim();
    }
  }
  return null;
}

/** Whether commit `a` is `b` or one of its ancestors. Both are full hashes. */
export async function isAncestor(repo: string, a: string, b: string): Promise<boolean> {
  const { exitCode } = await git(repo, ['merge-base', '--is-ancestor'], {
    name: 'merge-base',
    revisions: [a, b],
    // 1: no; 128: one of them is not in the repository.
    ok: [0, 1, 128],
  });
  return exitCode === 0;
}

/** When the commit was made, in milliseconds since 1970; NaN when its date is broken. Throws when it is missing. */
export async function commitTime(repo: string, oid: string): Promise<number> {
  const { stdout } = await git(repo, ['log', '-1', '--format=%ct'], {
    name: 'log',
    revisions: [assertOid(oid)],
    paths: [],
  });
  return Number.parseInt(stdout.toString(), 10) * 1000;
}

/** The newest commit that `head`, a full hash, reaches on its first-parent line and that was made by `time`; or null. */
export async function commitBefore(repo: string, head: string, time: Date): Promise<string | null> {
  const { stdout } = await git(
    repo,
    ['rev-list', '-1', '--first-parent', `--before=${Math.floor(time.getTime() / 1000)}`],
    { name: 'rev-list', revisions: [assertOid(head)] },
  );
  return stdout.toString().trim() || null;
}
