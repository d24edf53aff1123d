import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { Query } from '../lexical/parse-query.ts';
import { TermCounter } from '../lexical/term-counter.ts';

interface Snippet {
  readonly text: string;
  /** Line of the text at which it begins, counted from 0. */
  readonly offset: number;
}

/** Longer lines are truncated; minified code would otherwise fill the page. */
const MAX_LINE_LENGTH = 300;

/** The first window of `lines` lines with the highest weight of distinct query terms. */
export function extractSnippet(text: string, query: Query, lines: number): Snippet {
  const all = text.split('\n');
  if (all.length <= lines) return { text: all.map(truncateLine).join('\n'), offset: 0 };
  const { weights, counter } = snippetTerms(query);
  const { terms, starts } = distinctTermsByLine(text, all, counter, weights.length);
  const inWindow = new Uint32Array(weights.length);
  let [score, bestScore, offset] = [0, 0, 0];
  for (let end = 0; end < all.length; end++) {
    for (let at = starts[end]!; at < starts[end + 1]!; at++) {
      if (inWindow[terms[at]!]!++ === 0) score += weights[terms[at]!]!;
    }
    const leaving = end - lines;
    for (let at = starts[leaving] ?? 0; leaving >= 0 && at < starts[leaving + 1]!; at++) {
      if (--inWindow[terms[at]!]! === 0) score -= weights[terms[at]!]!;
    }
    if (score > bestScore + ROUNDING_TOLERANCE) [bestScore, offset] = [score, Math.max(0, end - lines + 1)];
  }
  return {
    text: all
      .slice(offset, offset + lines)
      .map(truncateLine)
      .join('\n'),
    offset,
  };
}

const truncateLine = (line: string) =>
  line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;

/** A counter of the query's terms and their weights, both by ordinal from 1. */
const snippetTerms = memoizeByIdentity(({ terms }: Query) => ({
  weights: Float64Array.of(0, ...terms.map(({ term, weight }) => weight * rarity(term))),
  counter: new TermCounter(terms.map(({ term }) => term)),
}));

/**
 * Distinct terms of each line, concatenated: those of line `l` are `terms[starts[l]]` up to, not including,
 * `terms[starts[l + 1]]`. Scans the text as a whole, since scanning substrings is slower.
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

/** Covers the rounding error of sums from which terms were subtracted again. */
const ROUNDING_TOLERANCE = 1e-9;

/** Approximates rarity by length, which is enough to choose among the lines of one passage. */
function rarity(term: string): number {
  return Math.min(term.length, 12);
}
