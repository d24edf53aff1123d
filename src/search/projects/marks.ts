import type { SearchFragment } from '#contract/search-results.ts';
import type { Query } from '../lexical/parse-query.ts';
import { TermCounter } from '../lexical/term-counter.ts';

/** Characters that matched: from, and up to, not including. */
export type MarkRange = [from: number, to: number];

const MAX_MARKS_PER_LINE = 40;
const MAX_LINE_LENGTH = 300;
const WORD_PART = /[\p{L}\p{N}_]*/uy;

/** Marks of a text by the terms of a query: the typed word where it occurs, otherwise the whole word with that stem. */
export function createTermMarker({
  text,
  terms,
}: Pick<Query, 'text' | 'terms'>): (line: string) => MarkRange[] {
  const counter = new TermCounter(terms.map(({ term }) => term));
  const typed = typedParts(text);
  return (line) => {
    const marks: MarkRange[] = [];
    let end = 0;
    counter.scan(line, (term, _, offset) => {
      if (term === null || offset < end || marks.length === MAX_MARKS_PER_LINE) return;
      WORD_PART.lastIndex = offset;
      const word = WORD_PART.exec(line)?.[0] ?? '';
      const lower = word.toLowerCase();
      const part = typed.find((one) => lower.includes(one));
      const from = offset + (part === undefined ? 0 : lower.indexOf(part));
      const to = part === undefined ? offset + word.length : from + part.length;
      if (to > from) marks.push([from, to]);
      end = offset + word.length;
    });
    return marks;
  };
}

/** Words of a text and their parts, as in `send_file` and `sendFile`, the longest first. */
function typedParts(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const parts = words
    .flatMap((word) => word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u))
    .filter((part) => part.length > 1);
  return [...new Set([...words, ...parts].map((word) => word.toLowerCase()))].sort(
    (a, b) => b.length - a.length,
  );
}

/** A line as it is shown: a long one is cut around its first match. */
export function toFragmentLine(text: string, marks: readonly MarkRange[]): SearchFragment['lines'][number] {
  if (text.length <= MAX_LINE_LENGTH) return { text, marks: [...marks] };
  const first = marks[0]?.[0] ?? 0;
  const from = first < MAX_LINE_LENGTH / 2 ? 0 : first - MAX_LINE_LENGTH / 4;
  const [before, after] = [from > 0 ? '…' : '', from + MAX_LINE_LENGTH < text.length ? '…' : ''];
  const shift = before.length - from;
  return {
    text: before + text.slice(from, from + MAX_LINE_LENGTH) + after,
    marks: marks
      .map(([start, end]): MarkRange => [start + shift, Math.min(end, from + MAX_LINE_LENGTH) + shift])
      .filter(([start, end]) => start < end),
  };
}
