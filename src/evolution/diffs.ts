import type { FileDiff } from '#contract/projects.ts';
import { parsePatch } from '#git/diff.ts';
import { gitStream } from '#git/run.ts';

const TIME_LIMIT_MS = 3_000;
const MAX_BYTES = 16 * 1024 * 1024;
const COMMIT_LINE = /^([0-9a-f]{40}|[0-9a-f]{64})\n/gm;
const ARGS = [
  'diff-tree',
  '--stdin',
  '-r',
  '-p',
  '-M',
  // Commits that rename more are looked at as they stand.
  '-l100',
  '--root',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
];

/**
 * Diffs of many commits, by commit, from one process: starting one for each costs more than all the diffs. Only the
 * given paths when there are any; merges have none. Evidence is not waited for: after `timeoutMs` (three seconds when
 * absent) or 16 MiB those that are complete are returned. Throws only when the signal aborts.
 */
export async function readDiffs(
  repo: string,
  oids: string[],
  {
    paths = [],
    signal,
    timeoutMs = TIME_LIMIT_MS,
  }: { paths?: string[]; signal?: AbortSignal; timeoutMs?: number },
): Promise<Map<string, FileDiff[]>> {
  if (oids.length === 0) return new Map();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let complete = false;
  const input = `${oids.join('\n')}\n`;
  const options = { name: 'read diffs', input, paths, timeoutMs, signal };
  try {
    for await (const chunk of gitStream(repo, ARGS, options)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
    }
    complete = bytes <= MAX_BYTES;
  } catch (error) {
    if (signal?.aborted) throw error;
  }
  return splitCommits(Buffer.concat(chunks).toString('utf8'), complete);
}

/** Lines of a patch begin with a sign or a keyword, so a line that is a bare hash is the next commit. */
function splitCommits(output: string, complete: boolean): Map<string, FileDiff[]> {
  const diffs = new Map<string, FileDiff[]>();
  const starts = [...output.matchAll(COMMIT_LINE)];
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1]?.index;
    if (next === undefined && !complete) break;
    diffs.set(start[1]!, parsePatch(output.slice(start.index + start[0].length, next)));
  }
  return diffs;
}
