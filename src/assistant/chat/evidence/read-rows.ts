import type { CodeTable } from '#memory/repository-index.ts';
import type { ToolContext } from '../../tools/tool.ts';

/**
 * Reads lines of a file with `margin` lines on each side, without the rest of the file where its passages are stored. Returns the
 * lines at their places in the file, counted from 0; others may be missing.
 */
export async function readRows(
  path: string,
  { wanted, margin }: { wanted: ReadonlySet<number>; margin: number },
  { index, sources }: Pick<ToolContext, 'index' | 'sources'>,
): Promise<readonly (string | undefined)[]> {
  const file = index.code?.fileNumber(path) ?? -1;
  const stored = index.code && file >= 0 ? readStoredRows(index.code, file, { wanted, margin }) : null;
  return stored ?? (await sources.lines(path)) ?? [];
}

/** Null where a passage is not stored or shares a line with another one. */
function readStoredRows(
  code: CodeTable,
  file: number,
  { wanted, margin }: { wanted: ReadonlySet<number>; margin: number },
): (string | undefined)[] | null {
  const rows: (string | undefined)[] = [];
  for (const { first, count } of passageRuns(code, file, { wanted, margin })) {
    const bytes = sharesLine(code, file, { first, count }) ? null : code.passageBytes(first, count);
    if (!bytes) return null;
    const { start } = code.passageLines(first);
    const own = bytes.toString('utf8').split('\n');
    if (own.at(-1) === '') own.pop();
    for (const [i, row] of own.entries()) rows[start - 1 + i] = row;
  }
  return rows;
}

interface PassageRun {
  first: number;
  count: number;
}

/** Consecutive passages of a file with the wanted lines. */
function passageRuns(
  code: CodeTable,
  file: number,
  { wanted, margin }: { wanted: ReadonlySet<number>; margin: number },
): PassageRun[] {
  const { first, count } = code.filePassages(file);
  const runs: PassageRun[] = [];
  if (count === 0) return runs;
  for (const line of [...wanted].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    const from = Math.max(
      findPassage(code, { first, count }, line - margin),
      last ? last.first + last.count : 0,
    );
    const end = findPassage(code, { first, count }, line + margin) + 1;
    if (from >= end) continue;
    if (last && last.first + last.count === from) last.count = end - last.first;
    else runs.push({ first: from, count: end - from });
  }
  return runs;
}

/** The last passage of a file that begins at a line or before it, or else the first. */
function findPassage(code: CodeTable, { first, count }: PassageRun, line: number): number {
  let [low, high] = [first, first + count - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (code.passageLines(middle).start <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** True for a run whose first or last line is also that of a passage beside it, as in a file of one long line. */
function sharesLine(code: CodeTable, file: number, { first, count }: PassageRun): boolean {
  const whole = code.filePassages(file);
  const [begin, end] = [code.passageLines(first).start, code.passageLines(first + count - 1).end];
  const isCutBefore = first > whole.first && code.passageLines(first - 1).end >= begin;
  const isCutAfter =
    first + count < whole.first + whole.count && code.passageLines(first + count).start <= end;
  return isCutBefore || isCutAfter;
}
