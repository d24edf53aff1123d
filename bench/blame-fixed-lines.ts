import type { FileDiff, Hunk } from '../src/contract/projects.ts';
import { isNonSource } from '../src/evolution/fixes.ts';
import { type BlameLine, blame } from '../src/git/blame.ts';
import type { BlamedFixLines } from '../src/investigate/suspects/suspect-signal.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';

/** Blamed files, those with most changes first. */
const MAX_BLAMED_FILES = 6;
/** Lines of a function above and below a change that are blamed. */
const MAX_FUNCTION_REACH = 60;
const TIMEOUT_MS = 20_000;
/** Excludes blank lines and punctuation. */
const HAS_TEXT = /[\p{L}\p{N}]/u;
const COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|el|endif|undef|pragma))|--\s|"""|''')/;

interface BlameFixedLinesOptions {
  repo: string;
  /** The index before the fix. */
  index: RepositoryIndex;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Blames the lines that a fix deletes, those adjacent to its additions, and the functions around, in the version before
 * the fix, ignoring whitespace. Tests and documentation count only where the fix changed nothing else.
 */
export async function blameFixedLines(
  diffs: FileDiff[],
  deps: BlameFixedLinesOptions,
): Promise<BlamedFixLines> {
  const fixLines: BlamedFixLines = {
    deleted: new Map(),
    adjacent: new Map(),
    context: new Map(),
    functions: new Map(),
  };
  const changed = diffs.filter(({ old_path, hunks }) => old_path !== null && hunks.length > 0);
  const inCode = changed.filter(({ old_path }) => !isNonSource(old_path!));
  const files = (inCode.length > 0 ? inCode : changed)
    .toSorted((a, b) => changedLines(b) - changedLines(a))
    .slice(0, MAX_BLAMED_FILES);
  await Promise.all(files.map((file) => addFile(file, fixLines, deps)));
  return fixLines;
}

function changedLines({ hunks }: FileDiff): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== 'context').length, 0);
}

async function addFile(
  { old_path, hunks }: FileDiff,
  fixLines: BlamedFixLines,
  deps: BlameFixedLinesOptions,
): Promise<void> {
  const path = old_path!;
  const ranges = hunks.map((hunk) => functionAround(hunk, path, deps.index));
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  const lines = await blameRange({ path, from, to }, deps);
  const writers = new Map(lines.map(({ line, oid }) => [line, deps.index.commits.find(oid)]));
  const add = (kind: keyof BlamedFixLines, line: number) => {
    const commit = writers.get(line) ?? -1;
    if (commit >= 0) fixLines[kind].set(commit, (fixLines[kind].get(commit) ?? 0) + 1);
  };
  hunks.forEach((hunk, i) => {
    addHunk(hunk, add);
    for (let line = ranges[i]!.from; line <= ranges[i]!.to; line++) add('functions', line);
  });
}

function addHunk(hunk: Hunk, add: (kind: keyof BlamedFixLines, line: number) => void): void {
  let line = hunk.old_start;
  hunk.lines.forEach(({ kind, text }, i) => {
    const isInformative = HAS_TEXT.test(text) && !COMMENT.test(text);
    if (kind === 'delete' && isInformative) add('deleted', line);
    if (kind === 'context' && isInformative) add('context', line);
    // The first line of a pure addition has its neighbors in the old version.
    if (kind === 'add' && hunk.lines[i - 1]?.kind === 'context') {
      add('adjacent', line - 1);
      add('adjacent', line);
    }
    if (kind !== 'add') line++;
  });
}

/** Lines of the definitions around a hunk, within the maximum distance. */
function functionAround(hunk: Hunk, path: string, { code }: RepositoryIndex): { from: number; to: number } {
  const start = Math.max(1, hunk.old_start);
  const end = Math.max(start, hunk.old_start + hunk.old_lines - 1);
  const file = code?.fileNumber(path) ?? -1;
  let found = { from: start, to: end };
  if (!code || file < 0) return found;
  const { first, count } = code.filePassages(file);
  for (let passage = first; passage < first + count; passage++) {
    const lines = code.passageLines(passage);
    if (lines.end < start || lines.start > end || code.passageSymbol(passage) === null) continue;
    found = { from: Math.min(found.from, lines.start), to: Math.max(found.to, lines.end) };
  }
  return {
    from: Math.max(found.from, start - MAX_FUNCTION_REACH),
    to: Math.min(found.to, end + MAX_FUNCTION_REACH),
  };
}

async function blameRange(
  range: { path: string; from: number; to: number },
  { repo, index, signal, timeoutMs = TIMEOUT_MS }: BlameFixedLinesOptions,
): Promise<BlameLine[]> {
  try {
    return await blame(repo, {
      commit: index.revision,
      ...range,
      ignoreWhitespace: true,
      timeoutMs,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    // The file differs from the diff, so that the range is past its end: no blame.
    return [];
  }
}
