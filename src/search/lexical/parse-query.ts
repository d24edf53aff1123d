import { terms } from '#memory/tokens.ts';
import { splitZones } from './text-zones.ts';
import { forEachTerm } from './word-terms.ts';

/** A search term; `weight` grows logarithmically with its count in the text. */
export interface QueryTerm {
  readonly term: string;
  readonly count: number;
  readonly weight: number;
}

/** A parsed search text. All lists are empty for a text without words. */
export interface Query {
  /** The text, truncated to MAX_TEXT_LENGTH. */
  readonly text: string;
  readonly terms: QueryTerm[];
  /** The terms of the text by zone, since zones differ in relevance. */
  readonly zones: {
    /** First line. */
    readonly title: QueryTerm[];
    /** Fenced and indented code, traces. */
    readonly codeBlocks: QueryTerm[];
    /** Text in backticks. */
    readonly inlineCode: QueryTerm[];
    /** The rest. */
    readonly prose: QueryTerm[];
  };
}

/** Characters of a text that are parsed: its first and last halves of this, since traces end with their cause. */
const MAX_TEXT_LENGTH = 20_000;

/** Distinct terms that are looked up. Real reports have fewer. */
const MAX_TERMS = 800;

/** Parses a text of any length and content into weighted terms. Never throws. */
export function parseQuery(text: string): Query {
  const truncated = truncate(text);
  let zones: Query['zones'] | null = null;
  return {
    text: truncated,
    terms: weightTerms(truncated),
    // Computed on demand: only file ranking needs them.
    get zones() {
      zones ??= weightZones(truncated);
      return zones;
    },
  };
}

function weightZones(text: string): Query['zones'] {
  const { title, codeBlocks, inlineCode, prose } = splitZones(text);
  return {
    title: weightTerms(title),
    codeBlocks: weightTerms(codeBlocks),
    inlineCode: weightTerms(inlineCode),
    prose: weightTerms(prose),
  };
}

function truncate(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return `${text.slice(0, MAX_TEXT_LENGTH / 2)}\n${text.slice(-MAX_TEXT_LENGTH / 2)}`;
}

/**
 * English stop words. They are rare in code and would get a high idf there; a text of nothing else keeps them.
 */
const STOP_WORDS = new Set(
  terms(
    `a about after all also an and any are as at be because been before being but by can could did do does doing
    during each for from had has have he her here his how i if in into is it its just like may me more most my no
    not now of on only or other our out over s same she should so some still such t than that the their them then
    there these they this those through to too under until up us very was we were what when where which while who
    why will with would you your`,
  ),
);

/** Weighted terms of a text in order of appearance, without stop words. */
export function weightTerms(text: string): QueryTerm[] {
  const counts = new Map<string, number>();
  forEachTerm(text, (term) => {
    const count = counts.get(term);
    if (count !== undefined) counts.set(term, count + 1);
    else if (counts.size < MAX_TERMS) counts.set(term, 1);
  });
  const all = [...counts].map(([term, count]) => ({ term, count, weight: 1 + Math.log(count) }));
  const withoutStopWords = all.filter(({ term }) => !STOP_WORDS.has(term));
  return withoutStopWords.length > 0 ? withoutStopWords : all;
}
