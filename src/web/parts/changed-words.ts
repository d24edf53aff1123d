import type { Hunk } from '#contract/projects.ts';

/** Half-open range of characters. */
export type CharacterRange = [from: number, to: number];

/** Lines that share less than this part of their text are different lines, not one line that changed. */
const MIN_COMMON_SHARE = 0.3;

/** Changed characters of each line of a hunk: deleted lines are compared with the added lines that follow them. */
export function changedWords({ lines }: Hunk): (CharacterRange | null)[] {
  const ranges: (CharacterRange | null)[] = lines.map(() => null);
  for (let start = 0; start < lines.length; ) {
    const deleted = countKind(lines, start, 'delete');
    const added = countKind(lines, start + deleted, 'add');
    for (let i = 0; i < Math.min(deleted, added); i += 1) {
      const pair = comparePair(lines[start + i]?.text ?? '', lines[start + deleted + i]?.text ?? '');
      if (!pair) continue;
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

/** Ranges between the common start and the common end of two lines, at the borders of words. */
function comparePair(before: string, after: string): [CharacterRange | null, CharacterRange | null] | null {
  const old = splitWords(before);
  const fresh = splitWords(after);
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end))
    end += 1;
  const head = old.slice(0, start).join('').length;
  const tail = old.slice(old.length - end).join('').length;
  const common = before.slice(0, head).trim().length + tail;
  if (common < MIN_COMMON_SHARE * Math.max(before.trim().length, after.trim().length)) return null;
  const range = (text: string): CharacterRange | null =>
    text.length - tail > head ? [head, text.length - tail] : null;
  return [range(before), range(after)];
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+|\s+|./gu) ?? [];
}
