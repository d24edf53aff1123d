import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { Query } from '../query/parse-query.ts';
import { TermCounter } from '../terms/term-counter.ts';

export interface Snippet {
  readonly text: string;
  /** Where it begins in the text, counted from 0. */
  readonly offset: number;
}

/** Characters of a line that are shown; minified code would otherwise fill the page. */
const MAX_LINE_LENGTH = 300;

/** The `lines` neighbouring lines of a text that hold most of the query's different terms; the first such. */
export function extractSnippet(text: string, query: Query, lines: number): Snippet {
  const all = text.split('\n');
  if (all.length <= lines) return { text: all.map(truncateLine).join('\n'), offset: 0 };
  const { worth, counter } = snippetTerms(query);
  const { terms, starts } = distinctTermsByLine(text, all, counter, worth.length);
  const inWindow = new Uint32Array(worth.length);
  let [score, most, offset] = [0, 0, 0];
  for (let end = 0; end < all.length; end++) {
    for (let at = starts[end]!; at < starts[end + 1]!; at++) {
      if (inWindow[terms[at]!]!++ === 0) score += worth[terms[at]!]!;
    }
    const leaving = end - lines;
    for (let at = starts[leaving] ?? 0; leaving >= 0 && at < starts[leaving + 1]!; at++) {
      if (--inWindow[terms[at]!]! === 0) score -= worth[terms[at]!]!;
    }
    if (score > most + ROUNDING_TOLERANCE) [most, offset] = [score, Math.max(0, end - lines + 1)];
  }
  return {
    text: all
      .slice(offset, offset + lines)
      .map(truncateLine)
      .join('\n'),
    offset,
  };
}

const truncateLine = (line: string) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line);

/** What is sought in the lines of all passages that a query found: its terms, counted from 1, and what each is worth. */
const snippetTerms = memoizeByIdentity(({ terms }: Query) => ({
  worth: Float64Array.of(0, ...terms.map(({ term, weight }) => weight * rarity(term))),
  counter: new TermCounter(terms.map(({ term }) => term)),
}));

/**
 * The different terms of each line of a text, one line behind the other; `starts` is where each begins, and where the
 * last one ends. The text is read as a whole, since a part of a string is slower to read.
 */
function distinctTermsByLine(text: string, lines: readonly string[], counter: TermCounter, count: number) {
  const terms: number[] = [];
  const starts = new Uint32Array(lines.length + 1);
  const lastLine = new Int32Array(count).fill(-1);
  let [line, from, next] = [0, 0, lines[0]!.length + 1];
  counter.scan(text, (_, place, at) => {
    while (at >= next) {
      starts[++line] = terms.length;
      from = next;
      next += lines[line]!.length + 1;
    }
    if (place === 0 || lastLine[place] === line || at - from >= MAX_LINE_LENGTH) return;
    lastLine[place] = line;
    terms.push(place);
  });
  starts.fill(terms.length, line + 1);
  return { terms, starts };
}

/** Sums that are taken apart again differ in the last digits. */
const ROUNDING_TOLERANCE = 1e-9;

/** Long terms are rare ones. Exact enough to choose among the lines of one passage. */
function rarity(term: string): number {
  return Math.min(term.length, 12);
}
