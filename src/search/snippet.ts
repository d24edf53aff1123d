import { terms } from '#memory/tokens.ts';
import type { Query } from './query.ts';

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
  const worth = new Map(query.terms.map(({ term, weight }) => [term, weight * rarity(term)]));
  const found = all.map((line) => new Set(terms(line).filter((term) => worth.has(term))));
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

/** Sums that are taken apart again differ in the last digits. */
const ROUNDING = 1e-9;

/** Long terms are rare ones. Exact enough to choose among the lines of one passage. */
function rarity(term: string): number {
  return Math.min(term.length, 12);
}
