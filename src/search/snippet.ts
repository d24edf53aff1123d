import { scanWords } from '#memory/tokens.ts';
import type { Query } from './query.ts';
import { termsOfWord } from './word-terms.ts';

export interface Snippet {
  readonly text: string;
  /** Where it begins in the text, counted from 0. */
  readonly offset: number;
}

/** Characters of a line that are shown; minified code would otherwise fill the page. */
const MAX_LINE = 300;

/** The `lines` neighbouring lines of a text that hold most of the query's different terms; the first such. */
export function snippet(text: string, query: Query, lines: number): Snippet {
  const all = text.split('\n').map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const sought = soughtBy(query);
  const { worth } = sought;
  const found = all.map((line) => termsIn(line, sought));
  const inWindow = new Map<string, number>();
  let [score, most, offset] = [0, 0, 0];
  found.forEach((entering, end) => {
    for (const term of entering) {
      const count = inWindow.get(term) ?? 0;
      if (count === 0) score += worth.get(term)!;
      inWindow.set(term, count + 1);
    }
    for (const term of found[end - lines] ?? []) {
      const count = inWindow.get(term)!;
      if (count === 1) score -= worth.get(term)!;
      inWindow.set(term, count - 1);
    }
    if (score > most + ROUNDING) [most, offset] = [score, Math.max(0, end - lines + 1)];
  });
  return { text: all.slice(offset, offset + lines).join('\n'), offset };
}

/** What is sought in the lines of all passages that a query found. */
interface Sought {
  readonly worth: ReadonlyMap<string, number>;
  /** The query's terms in each word that was met: code says the same words over and over. */
  readonly inWord: Map<string, readonly string[]>;
}

const sought = new WeakMap<Query, Sought>();

function soughtBy(query: Query): Sought {
  let found = sought.get(query);
  if (!found) {
    const worth = new Map(query.terms.map(({ term, weight }) => [term, weight * rarity(term)]));
    found = { worth, inWord: new Map() };
    sought.set(query, found);
  }
  return found;
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** The query's terms that stand in a line. */
function termsIn(line: string, { worth, inWord }: Sought): ReadonlySet<string> {
  let found: Set<string> | null = null;
  scanWords(line, (start, end) => {
    const word = line.slice(start, end);
    let terms = inWord.get(word);
    if (terms === undefined) {
      terms = termsOfWord(word).filter((term) => worth.has(term));
      inWord.set(word, terms);
    }
    if (terms.length === 0) return;
    found ??= new Set();
    for (const term of terms) found.add(term);
  });
  return found ?? NO_TERMS;
}

/** Sums that are taken apart again differ in the last digits. */
const ROUNDING = 1e-9;

/** Long terms are rare ones. Exact enough to choose among the lines of one passage. */
function rarity(term: string): number {
  return Math.min(term.length, 12);
}
