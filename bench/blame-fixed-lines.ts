import type { FileDiff, Hunk } from '../src/contract/projects.ts';
import { isNonSource } from '../src/evolution/fixes.ts';
import { type BlameLine, blame } from '../src/git/blame.ts';
import type { BlamedFixLines } from '../src/investigate/suspects/suspect-signal.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';

/** Files that are blamed, those with most changes first. */
const MAX_BLAMED_FILES = 6;
/** Lines of a function above and below a change that count as its own. */
const MAX_FUNCTION_REACH = 60;
const TIMEOUT_MS = 20_000;
/** Blanks, braces and comments are nobody's fault. */
const HAS_TEXT = /[\p{L}\p{N}]/u;
const COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!\s*(?:include|define|if|el|endif|undef|pragma))|--\s|"""|''')/;

interface BlameFixedLinesOptions {
  repo: string;
  /** The memory before the fix. */
  memory: RepositoryIndex;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/**
 * Blames the lines that a fix deletes, those beside what it adds, and the functions around, in the version before the
 * fix: blanks ignored, renames followed. Tests and documentation count only where the fix changed nothing else.
 */
export async function blameFixedLines(
  diffs: FileDiff[],
  deps: BlameFixedLinesOptions,
): Promise<BlamedFixLines> {
  const mended: BlamedFixLines = {
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
  await Promise.all(files.map((file) => addFile(file, mended, deps)));
  return mended;
}

function changedLines({ hunks }: FileDiff): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== 'context').length, 0);
}

async function addFile(
  { old_path, hunks }: FileDiff,
  mended: BlamedFixLines,
  deps: BlameFixedLinesOptions,
): Promise<void> {
  const path = old_path!;
  const ranges = hunks.map((hunk) => functionAround(hunk, path, deps.memory));
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  const lines = await blameRange({ path, from, to }, deps);
  const writers = new Map(lines.map(({ line, oid }) => [line, deps.memory.commits.find(oid)]));
  const add = (kind: keyof BlamedFixLines, line: number) => {
    const commit = writers.get(line) ?? -1;
    if (commit >= 0) mended[kind].set(commit, (mended[kind].get(commit) ?? 0) + 1);
  };
  hunks.forEach((hunk, index) => {
    addHunk(hunk, add);
    for (let line = ranges[index]!.from; line <= ranges[index]!.to; line++) add('functions', line);
  });
}

function addHunk(hunk: Hunk, add: (kind: keyof BlamedFixLines, line: number) => void): void {
  let line = hunk.old_start;
  hunk.lines.forEach(({ kind, text }, index) => {
    const tells = HAS_TEXT.test(text) && !COMMENT.test(text);
    if (kind === 'delete' && tells) add('deleted', line);
    if (kind === 'context' && tells) add('context', line);
    // The first added line of a run that replaces nothing has its neighbours in the old version.
    if (kind === 'add' && hunk.lines[index - 1]?.kind === 'context') {
      add('adjacent', line - 1);
      add('adjacent', line);
    }
    if (kind !== 'add') line++;
  });
}

/** Lines of the smallest definition around a hunk, at most so many away from it. */
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
  { repo, memory, signal, timeoutMs = TIMEOUT_MS }: BlameFixedLinesOptions,
): Promise<BlameLine[]> {
  try {
    return await blame(repo, {
      commit: memory.revision,
      ...range,
      ignoreWhitespace: true,
      timeoutMs,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    // A range past the end of a file that is not what the diff says: nobody is blamed for it.
    return [];
  }
}
