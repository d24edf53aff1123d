import { diff } from '@codemirror/merge';

/** A version of a file that conflicts. */
export type Side = 'base' | 'ours' | 'theirs';

/** A place where two texts change the same lines of their ancestor differently. Lines count from 1. */
export interface TextConflict {
  /** Range in the merged text, which has the lines of `ours`. */
  from: number;
  to: number;
  base: string;
  ours: string;
  theirs: string;
  /** First line in each version. */
  lines: Record<Side, number>;
}

/** Range of lines that differs between two texts, from 0. */
interface LineChange {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/**
 * Merges two texts by their common ancestor, as `git merge-file` does: changes of one side are taken, and so is what both
 * changed alike. Changes that overlap or touch are conflicts.
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
): { text: string; conflicts: TextConflict[] } {
  const lines = { base: base.split('\n'), ours: ours.split('\n'), theirs: theirs.split('\n') };
  const encode = createLineEncoder();
  const ancestor = encode(lines.base);
  const sides = {
    ours: createSide(diff(ancestor, encode(lines.ours))),
    theirs: createSide(diff(ancestor, encode(lines.theirs))),
  };
  const conflicts: TextConflict[] = [];
  const merged: string[] = [];
  /** Characters of the merged lines with their line feeds. */
  let length = 0;
  const add = (some: readonly string[]) => {
    for (const line of some) length += line.length + 1;
    merged.push(...some);
  };
  let at = 0;
  for (;;) {
    const from = Math.min(sides.ours.next(), sides.theirs.next());
    add(lines.base.slice(at, from));
    if (from === Number.POSITIVE_INFINITY) break;
    let end = from;
    for (let before = -1; before !== end; ) {
      before = end;
      end = Math.max(sides.ours.extend(end), sides.theirs.extend(end));
    }
    const [mine, other] = [sides.ours.take(from, end), sides.theirs.take(from, end)];
    const oursLines = lines.ours.slice(mine.from, mine.to);
    const theirsLines = lines.theirs.slice(other.from, other.to);
    const start = length;
    add(mine.isChanged ? oursLines : theirsLines);
    if (mine.isChanged && other.isChanged && oursLines.join('\n') !== theirsLines.join('\n')) {
      conflicts.push({
        ...{ from: start, to: length },
        base: joinLines(lines.base, from, end),
        ours: joinLines(lines.ours, mine.from, mine.to),
        theirs: joinLines(lines.theirs, other.from, other.to),
        lines: { base: from + 1, ours: mine.from + 1, theirs: other.from + 1 },
      });
    }
    at = end;
  }
  const text = merged.join('\n');
  return {
    text,
    conflicts: conflicts.map((conflict) => ({ ...conflict, to: Math.min(conflict.to, text.length) })),
  };
}

/** The lines with their line feeds; the last line of a text has none. */
function joinLines(lines: readonly string[], from: number, to: number): string {
  const text = lines.slice(from, to).join('\n');
  return to < lines.length && to > from ? `${text}\n` : text;
}

/** The changes of one side in order, in lines of the ancestor. */
function createSide(changes: readonly LineChange[]) {
  let done = 0;
  let reached = 0;
  /** Lines that the side has more than the ancestor so far. */
  let shift = 0;
  return {
    /** First changed line that is not taken; infinity after the last. */
    next: () => changes[done]?.fromA ?? Number.POSITIVE_INFINITY,
    /** End of the changes that begin at or before a line. */
    extend(end: number): number {
      let last = end;
      while (reached < changes.length && changes[reached]!.fromA <= last) {
        last = Math.max(last, changes[reached]!.toA);
        reached += 1;
      }
      return last;
    },
    /** Lines of the side for a range of the ancestor. */
    take(from: number, to: number): { from: number; to: number; isChanged: boolean } {
      const start = from + shift;
      const last = reached > done ? changes[reached - 1] : undefined;
      if (last) shift = last.toB - last.toA;
      const isChanged = last !== undefined;
      done = reached;
      return { from: start, to: to + shift, isChanged };
    },
  };
}

/** Encodes each distinct line as one character, so that texts are compared by lines. */
function createLineEncoder(): (lines: readonly string[]) => string {
  const codes = new Map<string, number>();
  return (lines) =>
    lines
      .map((line) => {
        const known = codes.get(line);
        // Surrogates would be read in pairs. Texts with more distinct lines than characters share the last one.
        const code = known ?? (codes.size < 0xd7ff ? codes.size + 1 : 0xe000 + (codes.size % 0x1fff));
        codes.set(line, code);
        return String.fromCharCode(code);
      })
      .join('');
}
