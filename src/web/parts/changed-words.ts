import type { Hunk } from '#contract/projects.ts';

/** Half-open range of characters. */
export type CharacterRange = [from: number, to: number];

/** Lines that share less than this part of their text are different lines, not one line that changed. */
const MIN_COMMON_SHARE = 0.3;

/** Lines of more words are compared by their common start and end alone. */
const MAX_WORDS = 240;

/** Changed characters of each line of a hunk: deleted lines are compared with the added lines that follow them. */
export function changedWords({ lines }: Hunk): CharacterRange[][] {
  const ranges: CharacterRange[][] = lines.map(() => []);
  for (let start = 0; start < lines.length; ) {
    const deleted = countKind(lines, start, 'delete');
    const added = countKind(lines, start + deleted, 'add');
    for (let i = 0; i < Math.min(deleted, added); i += 1) {
      const pair = comparePair(lines[start + i]?.text ?? '', lines[start + deleted + i]?.text ?? '');
      [ranges[start + i], ranges[start + deleted + i]] = pair;
    }
    start += Math.max(1, deleted + added);
  }
  return ranges;
}

function countKind(lines: Hunk['lines'], start: number, kind: 'add' | 'delete'): number {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return end - start;
}

/** Ranges of the words that only one of two lines has; none when the lines have little in common. */
function comparePair(before: string, after: string): [CharacterRange[], CharacterRange[]] {
  const old = splitWords(before);
  const fresh = splitWords(after);
  const isCommon = commonWords(old, fresh);
  const common = old.reduce((sum, word, i) => sum + (isCommon.old[i] ? word.trim().length : 0), 0);
  if (common < MIN_COMMON_SHARE * Math.max(before.trim().length, after.trim().length)) return [[], []];
  return [changedRanges(old, isCommon.old), changedRanges(fresh, isCommon.fresh)];
}

/** Longest common subsequence of words, between the common start and the common end. */
function commonWords(old: string[], fresh: string[]): { old: boolean[]; fresh: boolean[] } {
  const common = { old: old.map(() => false), fresh: fresh.map(() => false) };
  const keep = (i: number, j: number) => {
    common.old[i] = true;
    common.fresh[j] = true;
  };
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) keep(start, start++);
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (Math.min(oldEnd, freshEnd) > start && old[oldEnd - 1] === fresh[freshEnd - 1])
    keep(--oldEnd, --freshEnd);
  const [rows, columns] = [oldEnd - start, freshEnd - start];
  if (rows * columns > MAX_WORDS ** 2) return common;
  // lengths[i][j]: length of the longest common subsequence of old[i..] and fresh[j..].
  const lengths = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      lengths[i]![j] =
        old[start + i] === fresh[start + j]
          ? lengths[i + 1]![j + 1]! + 1
          : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  for (let [i, j] = [0, 0]; i < rows && j < columns; ) {
    if (old[start + i] === fresh[start + j]) keep(start + i++, start + j++);
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return common;
}

/** Ranges of changed words; blanks between two changed words belong to the change. */
function changedRanges(words: string[], isCommon: boolean[]): CharacterRange[] {
  const ranges: CharacterRange[] = [];
  let offset = 0;
  for (const [i, word] of words.entries()) {
    const isBetween = word.trim() === '' && isCommon[i - 1] === false && isCommon[i + 1] === false;
    if (!isCommon[i] || isBetween) {
      const last = ranges.at(-1);
      if (last?.[1] === offset) last[1] += word.length;
      else ranges.push([offset, offset + word.length]);
    }
    offset += word.length;
  }
  return ranges;
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+|\s+|./gu) ?? [];
}
