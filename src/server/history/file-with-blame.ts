import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { MAX_FILE_LINES, MAX_SHOWN_FILE_BYTES, type projectRoutes } from '#contract/projects.ts';
import type { RouteResult } from '#contract/route.ts';
import { type BlameLine, blame } from '#git/blame.ts';
import { openBlobReader } from '#git/blobs.ts';
import { findEntry } from '#git/tree.ts';

const BLAME_TIMEOUT_MS = 5_000;

/**
 * Lines `from` to `to` (1-based, inclusive) of a file at a commit, with run-length encoded blame.
 * @throws AppError `not_found` for a path that is not a readable file, `too_large` above 4 MiB.
 */
export async function readFileWithBlame(
  repo: string,
  options: {
    commit: string;
    path: string;
    from: number | undefined;
    to: number | undefined;
    signal?: AbortSignal;
  },
) {
  const { commit, path, signal } = options;
  const lines = await readLines(repo, commit, path, signal);
  const start = Math.min(Math.max(options.from ?? 1, 1), Math.max(lines.length, 1));
  const end = Math.min(options.to ?? lines.length, lines.length, start + MAX_FILE_LINES - 1);
  const blameLines = end < start ? [] : await readBlame(repo, { commit, path, from: start, to: end, signal });
  return {
    path,
    commit,
    start,
    total_lines: lines.length,
    lines: lines.slice(start - 1, end),
    blame: groupBlame(blameLines),
  };
}

async function readLines(
  repo: string,
  commit: string,
  path: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found_at_commit');
  const blobs = openBlobReader(repo, { signal });
  try {
    const blob = await blobs.read(entry.oid, MAX_SHOWN_FILE_BYTES);
    if (blob === null) throw new AppError('not_found', 'file_not_found_at_commit');
    if ('tooLarge' in blob) throw new AppError('too_large', 'file_too_large_to_show');
    if (blob.content.subarray(0, 8_000).includes(0)) {
      throw new AppError('unsupported', 'file_binary_not_shown');
    }
    const lines = blob.content.toString('utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines;
  } finally {
    blobs.close();
  }
}

/** Blame is optional: a file whose history takes too long is returned without it. */
async function readBlame(
  repo: string,
  range: { commit: string; path: string; from: number; to: number; signal?: AbortSignal },
): Promise<BlameLine[]> {
  try {
    return await blame(repo, { ...range, timeoutMs: BLAME_TIMEOUT_MS });
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

type BlameRun = RouteResult<typeof projectRoutes.file>['blame'][number];

function groupBlame(lines: BlameLine[]): BlameRun[] {
  const runs: BlameRun[] = [];
  for (const line of lines) {
    const previous = runs.at(-1);
    if (previous && previous.hash === line.oid && previous.start + previous.lines === line.line)
      previous.lines++;
    else {
      runs.push({
        start: line.line,
        lines: 1,
        hash: line.oid,
        author: line.author,
        timestamp: isoTime(line.time),
        summary: line.summary,
      });
    }
  }
  return runs;
}
