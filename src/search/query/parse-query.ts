import { terms } from '#memory/tokens.ts';
import { forEachTerm } from '../terms/word-terms.ts';
import { splitZones } from './text-zones.ts';

/** A term to look for; `weight` grows slowly with how often the text has it. */
export interface QueryTerm {
  readonly term: string;
  readonly count: number;
  readonly weight: number;
}

/** A text to search for, read once. All lists are empty for a text without words. */
export interface Query {
  /** The text, shortened to MAX_TEXT. */
  readonly text: string;
  readonly terms: QueryTerm[];
  /** The same text in four parts: what people write where tells how much it means. */
  readonly zones: {
    /** First line. */
    readonly title: QueryTerm[];
    /** Fenced and indented code, traces. */
    readonly blocks: QueryTerm[];
    /** What stands in backticks. */
    readonly quoted: QueryTerm[];
    /** The rest. */
    readonly prose: QueryTerm[];
  };
}

/** Characters of a text that are read: the first and the last half of this, since traces end with their cause. */
const MAX_TEXT = 20_000;

/** Distinct terms that are looked up. Real reports stay below; more only cost time. */
const MAX_TERMS = 800;

/** Reads a text of any length and content into weighted terms. Never throws. */
export function parseQuery(text: string): Query {
  const read = truncate(text);
  let views: Query['zones'] | null = null;
  return {
    text: read,
    terms: weightTerms(read),
    // Only what ranks files asks for them.
    get zones() {
      views ??= weightZones(read);
      return views;
    },
  };
}

function weightZones(text: string): Query['zones'] {
  const { title, blocks, quoted, prose } = splitZones(text);
  return { title: weightTerms(title), blocks: weightTerms(blocks), quoted: weightTerms(quoted), prose: weightTerms(prose) };
}

function truncate(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
}

/**
 * Words that say nothing of what a text is about. Rare in code, they would weigh much there; a text of nothing
 * else keeps them.
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

/** Terms of a text, in order of appearance. */
export function weightTerms(text: string): QueryTerm[] {
  const counts = new Map<string, number>();
  forEachTerm(text, (term) => {
    const count = counts.get(term);
    if (count !== undefined) counts.set(term, count + 1);
    else if (counts.size < MAX_TERMS) counts.set(term, 1);
  });
  const all = [...counts].map(([term, count]) => ({ term, count, weight: 1 + Math.log(count) }));
  const telling = all.filter(({ term }) => !STOP_WORDS.has(term));
  return telling.length > 0 ? telling : all;
}
