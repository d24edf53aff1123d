import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import data from './everyday-words.json' with { type: 'json' };

/** A phrase in a list of words, such as `give up`, with the words of code for it. */
export interface EverydayPhrase {
  /** Positions of its words, ascending. */
  positions: number[];
  codeWords: readonly string[];
}

/** Words between the parts of `turn … off`. */
const MAX_GAP = 2;
const GAP = '…';

interface Pattern {
  /** Terms of its words; `…` for a gap. */
  terms: string[];
  codeWords: readonly string[];
}

const PATTERNS = Map.groupBy(readPatterns(), ({ terms }) => terms[0]!);

/** Finds the phrases in a list of words, in any inflection, that do not overlap: the longest one at each place. */
export function findPhrases(words: readonly string[]): EverydayPhrase[] {
  const terms = words.map((word) => cachedWordTerms(word)[0] ?? '');
  const found: EverydayPhrase[] = [];
  const taken = new Set<number>();
  for (const [at, term] of terms.entries()) {
    if (taken.has(at)) continue;
    for (const pattern of PATTERNS.get(term) ?? []) {
      const positions = matchPattern(pattern.terms, terms, at);
      if (!positions || positions.some((position) => taken.has(position))) continue;
      for (const position of positions) taken.add(position);
      found.push({ positions, codeWords: pattern.codeWords });
      break;
    }
  }
  return found;
}

/** Positions of a pattern's words from a place on; null where it does not match. */
function matchPattern(pattern: readonly string[], terms: readonly string[], at: number): number[] | null {
  const positions: number[] = [];
  let [next, gap] = [at, 0];
  for (const term of pattern) {
    if (term === GAP) {
      gap = MAX_GAP;
      continue;
    }
    while (gap > 0 && next < terms.length && terms[next] !== term) [next, gap] = [next + 1, gap - 1];
    if (terms[next] !== term) return null;
    positions.push(next++);
    gap = 0;
  }
  return positions;
}

function readPatterns(): Pattern[] {
  return Object.entries(data.phrases)
    .flatMap(([phrases, codeWords]) =>
      phrases.split(', ').map((phrase) => ({ terms: toTerms(phrase), codeWords: codeWords.split(' ') })),
    )
    .toSorted((a, b) => b.terms.length - a.terms.length);
}

function toTerms(phrase: string): string[] {
  return phrase.split(' ').map((word) => (word === GAP ? GAP : cachedWordTerms(word)[0]!));
}
