import { assertOid, gitStream } from './run.ts';

/** A branch as a bundle, which `git fetch <file>` reads: its commits since `base`. Streams; git waits for the reader. */
export function bundleBranch(
  repo: string,
  { branch, base }: { branch: string; base: string },
): AsyncGenerator<Buffer, void, undefined> {
  return gitStream(repo, ['bundle', 'create', '--quiet', '-'], {
    name: 'export of a branch',
    revisions: [`^${assertOid(base)}`, `refs/heads/${branch}`],
    timeoutMs: 10 * 60_000,
  });
}
