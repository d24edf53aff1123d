import { type BlameRun, MAX_BLAME_RUNS } from '#contract/code.ts';
import { AppError } from '#contract/errors.ts';
import { isoTime } from '#contract/iso-time.ts';
import { isFormattingCommit, readIgnoredCommits } from '#evolution/formatting-commits.ts';
import { type BlameGroup, streamBlame } from '#git/blame.ts';
import { findEntry } from '#git/tree.ts';
import { followRenames } from '#investigate/history/renames.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { presentCommitLine } from './list-folder.ts';

/** git looks at the changes of every ignored commit. */
const MAX_IGNORED = 200;
const MAX_LINES = 100_000;
const BLAME_TIMEOUT_MS = 25_000;
/** Interval at which the runs found so far are reported. */
const REPORT_INTERVAL_MS = 600;

/** A commit whose changes blame passes over, and why. */
interface SkippedCommit {
  commit: number;
  reason: 'listed' | 'formatting';
}

interface BlameFileRequest {
  repo: string;
  index: RepositoryIndex;
  commit: string;
  path: string;
  /** Attributes lines to the commits that formatted them. */
  keepFormatting: boolean;
  /** Receives runs as they are found, in no order and each once; the last ones come with the result only. */
  onRuns?: ((runs: BlameRun[]) => void) | undefined;
  signal: AbortSignal;
}

/**
 * Blames a file past commits that the repository lists to be ignored, and past those that only format. A blame that takes too
 * long has the runs that were found in time. Throws `not_found` where there is no such file.
 */
export async function blameFile(request: BlameFileRequest) {
  const { repo, index, commit, path, keepFormatting } = request;
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found_at_commit');
  const skipped = keepFormatting || entry.size === 0 ? [] : await findSkipped(request);
  const { runs, complete } = entry.size === 0 ? EMPTY_FILE : await findRuns(request, skipped);
  const present = ({ commit: number, reason }: SkippedCommit) => ({
    ...presentCommitLine(index.commits, number),
    reason,
  });
  return {
    commit,
    runs: runs.slice(0, MAX_BLAME_RUNS),
    complete: complete && runs.length <= MAX_BLAME_RUNS,
    skipped: skipped.map(present),
  };
}

const EMPTY_FILE: FoundRuns = { runs: [], complete: true };

interface FoundRuns {
  /** In the order of the lines. */
  runs: BlameRun[];
  /** False when the time ran out. */
  complete: boolean;
}

async function findRuns(
  { repo, index, commit, path, keepFormatting, onRuns, signal }: BlameFileRequest,
  skipped: SkippedCommit[],
): Promise<FoundRuns> {
  const options = {
    ...{ commit, path, signal },
    maxLines: MAX_LINES,
    ignoreWhitespace: !keepFormatting,
    ignored: skipped.map((one) => index.commits.oid(one.commit)),
    timeoutMs: BLAME_TIMEOUT_MS,
  };
  const runs: BlameRun[] = [];
  let reported = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  try {
    for await (const groups of streamBlame(repo, options)) {
      runs.push(...groups.map(presentRun));
      if (!onRuns || performance.now() - reportedAt < REPORT_INTERVAL_MS) continue;
      onRuns(runs.slice(reported));
      [reported, reportedAt] = [runs.length, performance.now()];
    }
  } catch (error) {
    const isTimeout = error instanceof AppError && error.reason === 'timed_out';
    if (!isTimeout || runs.length === 0) throw error;
    return { runs: joinRuns(runs), complete: false };
  }
  return { runs: joinRuns(runs), complete: true };
}

/** Commits of the file that the repository's list names, and those whose subject says that they format. */
async function findSkipped({ repo, index, commit, path }: BlameFileRequest): Promise<SkippedCommit[]> {
  const { commits } = index;
  const touching = new Set(
    followRenames([path], commits)
      .allPaths(path)
      .flatMap((name) => {
        const number = commits.pathNumber(name);
        return number < 0 ? [] : [...commits.touching(number)];
      }),
  );
  const listed = await readIgnoredCommits(repo, commit, commits);
  return [...touching]
    .flatMap((number): SkippedCommit[] => {
      if (listed.has(number)) return [{ commit: number, reason: 'listed' }];
      return isFormattingCommit(commits, number) ? [{ commit: number, reason: 'formatting' }] : [];
    })
    .slice(0, MAX_IGNORED);
}

function presentRun({ oid, line, lines, originalLine, ...origin }: BlameGroup): BlameRun {
  const { summary, author, time, previous } = origin;
  return {
    start: line,
    lines,
    hash: oid,
    subject: summary,
    author,
    timestamp: isoTime(time),
    original_line: originalLine,
    previous: previous && { commit: previous.oid, path: previous.path },
  };
}

/** Runs in the order of their lines; neighbours of the same commit become one. */
function joinRuns(runs: readonly BlameRun[]): BlameRun[] {
  const joined: BlameRun[] = [];
  for (const run of runs.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && last.hash === run.hash && last.start + last.lines === run.start) last.lines += run.lines;
    else joined.push({ ...run });
  }
  return joined;
}
