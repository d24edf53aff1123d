import { assertOid, git } from './run.ts';

const GROUP = /^([0-9a-f]{40}|[0-9a-f]{64}) \d+ \d+ (\d+)$/gm;

interface BlameCountsOptions {
  /** Commit (a full hash) at which the file is read. */
  commit: string;
  path: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Counts the lines of a file by the commit that last changed them; git gives way to other processes. */
export async function countBlamedLines(
  repo: string,
  { commit, path, timeoutMs, signal }: BlameCountsOptions,
): Promise<Map<string, number>> {
  const { stdout } = await git(repo, ['blame', '--incremental'], {
    name: 'blame',
    revisions: [assertOid(commit)],
    paths: [path],
    timeoutMs,
    limits: { niceness: 10 },
    ...(signal && { signal }),
  });
  const counts = new Map<string, number>();
  // Headers of a group start with a keyword, so that only its first line matches.
  for (const [, oid, lines] of stdout.toString('latin1').matchAll(GROUP)) {
    counts.set(oid!, (counts.get(oid!) ?? 0) + Number(lines));
  }
  return counts;
}
