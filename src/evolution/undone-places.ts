import type { FileDiff, Hunk } from '#contract/projects.ts';
import { isCommentOnly } from './hunk-text.ts';
import type { RemovedLine } from './removed-lines.ts';

/** Place at which a change removes what a fix added. */
interface UndonePlace {
  path: string;
  line: number;
  added: number;
  removed: number;
}

/** Hunks of a fix that are so close are one place. */
const MAX_GAP = 3;
/** Informative lines have so many letters and digits. */
const INFORMATIVE_LINE = /(?:[\p{L}\p{N}_][^\p{L}\p{N}_]*){6}/u;
/** Imports come and go with any rewrite. */
const IMPORT_LINE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s+[\w\\:]+;|(?:const|let|var)\s.*=\s*require\()/;
/** Share of equal words from which an added line is the changed form of a removed one. */
const MIN_LIKENESS = 0.5;
const CONDITION =
  /\b(?:if|unless|elif|when|while|assert\w*|expect|except|rescue|catch|raise|throw|throws|ensure|guard|instanceof|isinstance)\b|&&|\|\||\?\?|\?\./;

/**
 * Finds the places at which a change removes at least half of the informative lines that a fix added there, most lines first.
 * Lines that the change has again anywhere, or in another form in the same hunk, are not removed. The removal must be about the fix: where
 * most of what a hunk removes is other code, or something longer takes its place, the code was rewritten.
 */
export function findUndonePlaces({
  files,
  removed,
  change,
}: {
  /** Diff of the fix, without context lines. */
  files: readonly FileDiff[];
  /** Lines of the fix that the change removes. */
  removed: readonly RemovedLine[];
  /** Diff of the change, without context lines. */
  change: readonly FileDiff[];
}): UndonePlace[] {
  const readded = new Set(
    informativeKeys(
      change.flatMap((file) => file.hunks),
      'add',
    ),
  );
  const moved = new Set(
    informativeKeys(
      files.flatMap((file) => file.hunks),
      'delete',
    ),
  );
  const found: UndonePlace[] = [];
  for (const file of files) {
    const own = removed.filter(({ originalPath }) => originalPath === file.new_path);
    if (own.length === 0) continue;
    for (const place of placesOf(file.hunks)) {
      const undone = judgePlace(place, { own, readded, moved });
      if (undone) found.push(undone);
    }
  }
  return found.toSorted((a, b) => b.removed - a.removed);
}

/** Hunks of a fix that are next to each other. */
function placesOf(hunks: readonly Hunk[]): Hunk[][] {
  const places: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = places.at(-1)?.at(-1);
    if (last && hunk.new_start - (last.new_start + last.new_lines) <= MAX_GAP) places.at(-1)!.push(hunk);
    else places.push([hunk]);
  }
  return places;
}

function judgePlace(
  place: readonly Hunk[],
  {
    own,
    readded,
    moved,
  }: { own: readonly RemovedLine[]; readded: ReadonlySet<string>; moved: ReadonlySet<string> },
): UndonePlace | null {
  const added = informativeKeys(place, 'add').filter((key) => !moved.has(key)).length;
  const before = informativeKeys(place, 'delete');
  const isAt = (line: number) =>
    place.some(({ new_start, new_lines }) => line >= new_start && line < new_start + new_lines);
  const gone = own.filter(({ originalLine, text, hunk }) => {
    const key = toKey(text);
    if (!isAt(originalLine) || key === null || readded.has(key) || moved.has(key)) return false;
    const others = informativeLines([hunk], 'add').filter((line) => !before.includes(toKey(line)!));
    return !others.some((line) => likeness(line, text) >= MIN_LIKENESS);
  });
  const [first] = gone;
  if (!first || 2 * gone.length < added) return null;
  const hunks = [...new Set(gone.map(({ hunk }) => hunk))];
  if (2 * gone.length < informativeKeys(hunks, 'delete').length) return null;
  const restored = before.filter((key) => readded.has(key)).length;
  const replacing = informativeKeys(hunks, 'add').filter((key) => !before.includes(key)).length;
  const isRestored = before.length > 0 && 2 * restored >= before.length;
  if (!isRestored && (before.length > 0 || 2 * replacing > gone.length)) return null;
  if (!isRestored && gone.length < 2 && !CONDITION.test(first.text)) return null;
  return { path: first.path, line: first.line, added, removed: gone.length };
}

function informativeKeys(hunks: readonly Hunk[], kind: 'add' | 'delete'): string[] {
  return informativeLines(hunks, kind).map((text) => toKey(text)!);
}

function informativeLines(hunks: readonly Hunk[], kind: 'add' | 'delete'): string[] {
  return hunks.flatMap(({ lines }) =>
    lines.filter((line) => line.kind === kind && toKey(line.text) !== null).map(({ text }) => text),
  );
}

/** A line without whitespace, quotes and punctuation; null for one that says nothing. */
function toKey(text: string): string | null {
  if (!INFORMATIVE_LINE.test(text) || isCommentOnly(text) || IMPORT_LINE.test(text)) return null;
  return text.replace(/[\s'"`,;()]+/g, '');
}

/** Dice coefficient of the words of two lines. */
function likeness(a: string, b: string): number {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return (2 * shared) / (left.size + right.size || 1);
}

const wordsOf = (line: string) => new Set(line.match(/[\p{L}\p{N}_]+/gu) ?? []);
