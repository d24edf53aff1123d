import type { DebugAnswer, FixingCommit } from '#contract/debug.ts';
import { firstLine } from '#contract/first-line.ts';
import { isoTime } from '#contract/iso-time.ts';
import type { Hunk } from '#contract/projects.ts';
import { isFix } from '#evolution/fixes.ts';
import { showCommit } from '#git/diff.ts';
import { type LogCommit, log } from '#git/log.ts';

/** Lines cited by an answer, in its version of the file. */
interface CitedLines {
  path: string;
  from: number;
  to: number;
}

/** Lines are not followed through more commits, since stopping halfway would follow the wrong lines. */
const MAX_COMMITS = 2_000;
const MAX_TOUCHING_COMMITS = 60;
/** Lines around a failing line that its fix may change. */
const CONTEXT_LINES = 3;

/** Lines that a fix would touch: around the frames and the message's origin, or else the first place. */
export function citedLines({ evidence, places, indexed_commit }: DebugAnswer): CitedLines[] {
  const exact = evidence.flatMap(({ kind, path, lines, commit }) =>
    (kind === 'frame' || kind === 'origin') && path && lines && commit === indexed_commit
      ? [{ path, from: Math.max(1, lines[0] - CONTEXT_LINES), to: lines[1] + CONTEXT_LINES }]
      : [],
  );
  const [place] = places;
  if (exact.length > 0 || !place) return exact;
  return [{ path: place.path, from: place.start_line, to: place.end_line }];
}

interface CommitRange {
  repo: string;
  /** Full hashes of the answer's commit and a later one. */
  base: string;
  head: string;
  signal?: AbortSignal;
}

/**
 * Finds the commit after `base` that most likely fixed these lines: the first that touches them with a fix message, or
 * else the last that touches them; null when none does. Follows the lines through changes above them.
 */
export async function findFixingCommit(cited: CitedLines[], span: CommitRange): Promise<FixingCommit | null> {
  const paths = new Set(cited.map(({ path }) => path));
  const commits = await listTouchingCommits(paths, span);
  let lines = cited;
  let last: FixingCommit | null = null;
  for (const commit of commits.reverse()) {
    const files = await showCommit(span.repo, commit.oid, {
      paths: [...paths],
      context: 0,
      signal: span.signal,
    });
    for (const { old_path: path, hunks } of files) {
      if (path === null) continue;
      const touched = hunks.find((hunk) =>
        lines.some((line) => line.path === path && hunkTouches(hunk, line)),
      );
      if (touched) {
        const found = {
          ...toFixingCommit(commit),
          path,
          hunk: await withContext(touched, { path, commit, span }),
        };
        if (isFix(commit.message, [path])) return found;
        last = found;
      }
      lines = lines.map((line) => (line.path === path ? shiftLines(line, hunks) : line));
    }
  }
  return last;
}

function toFixingCommit({ oid, message, author, time }: LogCommit) {
  return { hash: oid, message: firstLine(message), author, timestamp: isoTime(time) };
}

/** Commits between `base` and `head` that changed one of the paths, newest first; [] when there are too many. */
async function listTouchingCommits(
  paths: ReadonlySet<string>,
  { repo, base, head, signal }: CommitRange,
): Promise<LogCommit[]> {
  const found: LogCommit[] = [];
  let read = 0;
  for await (const commit of log(repo, { from: head, not: [base], signal, timeoutMs: 60_000 })) {
    if (commit.changes.some(({ path, oldPath }) => paths.has(path) || (oldPath && paths.has(oldPath))))
      found.push({ ...commit, changes: [] });
    if (++read > MAX_COMMITS || found.length > MAX_TOUCHING_COMMITS) return [];
  }
  return found;
}

/** True when a hunk without context changes these lines or adds to them, which is after `old_start`. */
function hunkTouches({ old_start, old_lines }: Hunk, { from, to }: CitedLines): boolean {
  if (old_lines === 0) return old_start >= from - 1 && old_start <= to;
  return old_start <= to && old_start + old_lines - 1 >= from;
}

/** Shifts lines by the changes above them. */
function shiftLines(line: CitedLines, hunks: Hunk[]): CitedLines {
  const above = hunks.filter(
    ({ old_start, old_lines }) => old_start + Math.max(0, old_lines - 1) < line.from,
  );
  const moved = above.reduce((sum, { old_lines, new_lines }) => sum + new_lines - old_lines, 0);
  return { ...line, from: Math.max(1, line.from + moved), to: Math.max(1, line.to + moved) };
}

/** The same hunk with context lines. */
async function withContext(
  hunk: Hunk,
  { path, commit, span }: { path: string; commit: LogCommit; span: CommitRange },
): Promise<Hunk> {
  const files = await showCommit(span.repo, commit.oid, { paths: [path], signal: span.signal });
  const hunks = files.flatMap((file) => (file.old_path === path ? file.hunks : []));
  const around = hunks.find(
    ({ new_start, new_lines }) => new_start <= hunk.new_start && hunk.new_start <= new_start + new_lines,
  );
  return around ?? hunk;
}
