import type { Hunk } from '#contract/projects.ts';

/** Lines of a text with the number of its first one in the file. */
interface NumberedLines {
  start: number;
  lines: readonly string[];
}

type DiffLine = Hunk['lines'][number];

const CONTEXT = 3;
const MAX_HUNK_LINES = 5_000;
/** Products of line counts beyond this one are replaced as a whole. */
const MAX_CELLS = 2_000_000;

/** Compares two texts by lines; longest common subsequence. */
export function diffLines(before: NumberedLines, after: NumberedLines): Hunk[] {
  const lines = align(before.lines, after.lines);
  const hunks: Hunk[] = [];
  let [oldLine, newLine] = [before.start, after.start];
  let last = Number.NEGATIVE_INFINITY;
  const near = nearChanges(lines);
  for (const [i, line] of lines.entries()) {
    if (near[i]) {
      if (i > last + 1)
        hunks.push({
          old_start: oldLine,
          old_lines: 0,
          new_start: newLine,
          new_lines: 0,
          header: '',
          lines: [],
        });
      last = i;
      const hunk = hunks.at(-1)!;
      if (hunk.lines.length < MAX_HUNK_LINES) append(hunk, line);
    }
    if (line.kind !== 'add') oldLine++;
    if (line.kind !== 'delete') newLine++;
  }
  return hunks;
}

function append(hunk: Hunk, line: DiffLine): void {
  hunk.lines.push(line);
  if (line.kind !== 'add') hunk.old_lines++;
  if (line.kind !== 'delete') hunk.new_lines++;
}

/** Marks the changed lines and their context. */
function nearChanges(lines: DiffLine[]): boolean[] {
  const near = lines.map(() => false);
  for (const [i, { kind }] of lines.entries())
    if (kind !== 'context') near.fill(true, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  return near;
}

function align(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < Math.min(before.length, after.length) && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail++;
  return [
    ...before.slice(0, head).map((text) => ({ kind: 'context' as const, text })),
    ...alignMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map((text) => ({ kind: 'context' as const, text })),
  ];
}

function alignMiddle(before: string[], after: string[]): DiffLine[] {
  const lengths = commonLengths(before, after);
  const width = after.length + 1;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (lengths && i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ kind: 'context', text: before[i]! });
      i++;
      j++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) {
      lines.push({ kind: 'delete', text: before[i++]! });
    } else lines.push({ kind: 'add', text: after[j++]! });
  }
  return [
    ...lines,
    ...before.slice(i).map((text) => ({ kind: 'delete' as const, text })),
    ...after.slice(j).map((text) => ({ kind: 'add' as const, text })),
  ];
}

/** Lengths of the longest common subsequences of all pairs of suffixes, by rows; null where they are too many. */
function commonLengths(before: string[], after: string[]): Uint16Array | null {
  const width = after.length + 1;
  if ((before.length + 1) * width > MAX_CELLS) return null;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  return lengths;
}
