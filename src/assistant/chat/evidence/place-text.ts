import { posix } from 'node:path';
import type { CodeTable } from '#memory/repository-index.ts';
import { cachedWordTerms, forEachTerm } from '#search/lexical/word-terms.ts';
import { coverage, type TermVariant } from '../understand/topic-words.ts';
import type { TopicCandidate } from './topic-candidates.ts';
import type { TopicMatcher } from './topic-matcher.ts';

/** Evidence in the text of a place, each 0 to 1. */
interface TextFeatures extends Record<string, number> {
  /** Most of the topic's information within a few lines. */
  coverLines: number;
  /** Share of the words that follow one another in the topic and are near each other in the text. */
  neighbors: number;
  /** Topic's information in the text, the name, the title and the end of the path together. */
  coverNamed: number;
  /** The topic asks for an amount, and the text has a number. */
  amount: number;
  /** The topic asks for an amount, and the text has words of limits. */
  limits: number;
}

/** Lines of a window, and the distance in terms of words that are near each other. */
const WINDOW_LINES = 6;
const MAX_DISTANCE = 6;
/** Folders and file name that belong to the name of a place. */
const MAX_PATH_PARTS = 3;
const AMOUNT =
  /(?<!\p{L})(?:how (?:long|many|big|large|often|much|short|fast)|limit\p{L}*|max\p{L}*|min(?:imum|imal)?|default\p{L}*|(?:fast|slow)est|cu[aá]nt[oa]s?|combien|wie (?:lange?|viele?|oft|gro[sß]{1,2})|por defecto|par d[ée]faut|standardm[äa](?:ß|ss)ig)(?!\p{L})/iu;
const NUMBER = /(?<![\w.])\d+(?![\w.])/;
const LIMIT_TERMS = new Set(
  'max min limit default timeout interval maximum minimum'.split(' ').flatMap(cachedWordTerms),
);
const MAX_LIMIT_TERMS = 3;

/** A word of the topic in a text. */
interface Hit {
  line: number;
  word: number;
  strength: number;
}

/** Measures the words of a topic in the texts of places: where they stand together, and what else is there. */
export function measureTexts(
  topic: string,
  { candidates, matcher }: { candidates: readonly TopicCandidate[]; matcher: TopicMatcher },
  code: CodeTable,
): TextFeatures[] {
  const byTerm = new Map<string, { word: number; strength: number }[]>();
  for (const [word, { variants }] of matcher.words.entries())
    for (const { term, strength } of variants)
      byTerm.set(term, [...(byTerm.get(term) ?? []), { word, strength }]);
  const asksAmount = AMOUNT.test(topic);
  return candidates.map((candidate) => {
    const lines = candidate.excerpt?.lines ?? readLines(candidate, code);
    const { hits, pairs, limitTerms } = findWords(lines, byTerm);
    const named = strengthsIn(nameOf(candidate), matcher);
    for (const { word, strength } of hits) named[word] = Math.max(named[word]!, strength);
    return {
      coverLines: coverWindow(hits, matcher.weights),
      neighbors: coverPairs(pairs, matcher.weights),
      coverNamed: coverage(matcher.weights, named),
      amount: Number(asksAmount && lines.some((line) => NUMBER.test(line))),
      limits: asksAmount ? Math.min(1, limitTerms / MAX_LIMIT_TERMS) : 0,
    };
  });
}

/** Empty where the text must be read from git. */
function readLines({ passages }: TopicCandidate, code: CodeTable): string[] {
  return passages.flatMap((passage) => code.passageText(passage)?.split('\n') ?? []);
}

function nameOf({ path, symbol, excerpt }: TopicCandidate): string {
  const parts = path.split(posix.sep).slice(-MAX_PATH_PARTS);
  return [symbol ?? '', excerpt?.title ?? '', ...parts].join(' ');
}

function strengthsIn(text: string, { words }: TopicMatcher): number[] {
  const found = new Set<string>();
  forEachTerm(text, (term) => found.add(term));
  const strongest = (variants: readonly TermVariant[]) =>
    variants.reduce((best, { term, strength }) => (found.has(term) ? Math.max(best, strength) : best), 0);
  return words.map(({ variants }) => strongest(variants));
}

/** Words of the topic in the lines, which of them are near the next one of the topic, and the number of limit terms. */
function findWords(
  lines: readonly string[],
  byTerm: ReadonlyMap<string, readonly { word: number; strength: number }[]>,
): { hits: Hit[]; pairs: Set<number>; limitTerms: number } {
  const hits: Hit[] = [];
  const pairs = new Set<number>();
  const limits = new Set<string>();
  const last = new Map<number, number>();
  let position = 0;
  const isNear = (word: number) => position - (last.get(word) ?? -Infinity) <= MAX_DISTANCE;
  for (const [line, text] of lines.entries())
    forEachTerm(text, (term) => {
      position++;
      if (LIMIT_TERMS.has(term)) limits.add(term);
      for (const { word, strength } of byTerm.get(term) ?? []) {
        hits.push({ line, word, strength });
        if (isNear(word - 1)) pairs.add(word - 1);
        if (isNear(word + 1)) pairs.add(word);
        last.set(word, position);
      }
    });
  return { hits, pairs, limitTerms: limits.size };
}

/** Most of the information in the hits of one window of lines. */
function coverWindow(hits: readonly Hit[], weights: readonly number[]): number {
  let best = 0;
  let previous = -1;
  for (const [first, { line }] of hits.entries()) {
    if (line === previous) continue;
    previous = line;
    const strengths = weights.map(() => 0);
    for (let i = first; i < hits.length && hits[i]!.line < line + WINDOW_LINES; i++) {
      const { word, strength } = hits[i]!;
      strengths[word] = Math.max(strengths[word]!, strength);
    }
    best = Math.max(best, coverage(weights, strengths));
  }
  return best;
}

/** Share of the information of all neighboring words that the pairs have, each by its first word. */
function coverPairs(pairs: ReadonlySet<number>, weights: readonly number[]): number {
  let [total, found] = [0, 0];
  for (let word = 0; word + 1 < weights.length; word++) {
    const information = weights[word]! + weights[word + 1]!;
    total += information;
    if (pairs.has(word)) found += information;
  }
  return total === 0 ? 0 : found / total;
}
