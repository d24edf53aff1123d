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
  const starts = lineStarts(text);
  const count = starts.length - 1;
  if (count <= lines) return { text: truncateLines(text), offset: 0 };
  const { weights, counter, prefixes } = snippetTerms(query);
  const found = distinctTermsByLine(text, starts, { counter, prefixes, ordinals: weights.length });
  const inWindow = new Uint32Array(weights.length);
  let [score, bestScore, offset, entering, leaving] = [0, 0, 0, 0, 0];
  while (entering < found.length) {
    const { line } = found[entering]!;
    for (; found[entering]?.line === line; entering++) {
      const { term } = found[entering]!;
      if (inWindow[term]!++ === 0) score += weights[term]!;
    }
    for (; found[leaving]!.line <= line - lines; leaving++) {
      const { term } = found[leaving]!;
      if (--inWindow[term]! === 0) score -= weights[term]!;
    }
    if (score > bestScore + ROUNDING_TOLERANCE) [bestScore, offset] = [score, Math.max(0, line - lines + 1)];
  }
  const shown = text.slice(starts[offset], starts[offset + lines]! - 1);
  return { text: truncateLines(shown), offset };
}

const truncateLines = (text: string) =>
  text.length > MAX_LINE_LENGTH ? text.split('\n').map(truncateLine).join('\n') : text;

const truncateLine = (line: string) =>
  line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;

/** A counter of the query's terms, their weights, both by ordinal from 1, and how words with the terms begin. */
const snippetTerms = memoizeByIdentity(({ terms }: Query) => ({
  weights: Float64Array.of(0, ...terms.map(({ term, weight }) => weight * rarity(term))),
  counter: new TermCounter(terms.map(({ term }) => term)),
  prefixes: [...new Set(terms.map(({ term }) => (term.length > 1 ? term.replace(/y$/, '') : term)))],
}));

interface LineTerm {
  line: number;
  /** Ordinal of the term. */
  term: number;
}

interface SnippetTerms {
  counter: TermCounter;
  prefixes: readonly string[];
  ordinals: number;
}

/** Distinct terms of each line, in order. Scans only lines that may contain one. */
function distinctTermsByLine(
  text: string,
  starts: readonly number[],
  { counter, prefixes, ordinals }: SnippetTerms,
): LineTerm[] {
  const found: LineTerm[] = [];
  const lastLine = new Int32Array(ordinals).fill(-1);
  let line = 0;
  const visit = (_: string | null, term: number, at: number) => {
    if (term === 0 || lastLine[term] === line || at - starts[line]! >= MAX_LINE_LENGTH) return;
    lastLine[term] = line;
    found.push({ line, term });
  };
  const isCandidate = candidateLines(text, starts, prefixes);
  for (; line < starts.length - 1; line++) {
    if (isCandidate[line] === 1) counter.scan(text, visit, starts[line], starts[line + 1]! - 1);
  }
  return found;
}

const ASCII_ONLY = /^[\0-\x7f]*$/;

/**
 * 1 for each line that may contain one of the terms. A term is the beginning of a part of a word, of which `stem` may have
 * replaced the ending by `y`, or a whole word without its `_`. Other letters than ASCII have several forms: then all lines may.
 */
function candidateLines(text: string, starts: readonly number[], prefixes: readonly string[]): Uint8Array {
  const isCandidate = new Uint8Array(starts.length - 1);
  if (!ASCII_ONLY.test(text)) return isCandidate.fill(1);
  const lower = text.toLowerCase();
  const isSplit = lower.includes('_');
  const words = isSplit ? lower.replaceAll('_', '') : lower;
  const wordStarts = isSplit ? lineStarts(words) : starts;
  for (const prefix of prefixes) {
    let line = 0;
    for (let at = words.indexOf(prefix); at !== -1; at = words.indexOf(prefix, wordStarts[line])) {
      while (wordStarts[line]! <= at) line++;
      isCandidate[line - 1] = 1;
    }
  }
  return isCandidate;
}

/** Offsets of the lines of a text, and behind them that of a further one. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return starts;
}

/** Covers the rounding error of sums from which terms were subtracted again. */
const ROUNDING_TOLERANCE = 1e-9;

/** Approximates rarity by length, which is enough to choose among the lines of one passage. */
function rarity(term: string): number {
  return Math.min(term.length, 12);
}
