import { wordTerms } from '#memory/tokens.ts';
import data from './term-variants.json' with { type: 'json' };
import type { TermVariant } from './topic-words.ts';

/** Strengths of words of the same meaning and of translations. */
const SYNONYM_STRENGTH = 0.8;
const TRANSLATION_STRENGTH = 0.9;
/** Of words for neighbouring things: people say `logged out` where code says `session`. */
const RELATED_STRENGTH = 0.45;
const DERIVED_STRENGTH = 0.75;
/** Of the American or British spelling of a word. */
const SPELLING_STRENGTH = 0.95;
/** Shorter stems of long words are other words: `settings` has the stem of `set`. */
const MIN_STEM_SHARE = 0.6;
/** Letters of each half of a German compound. */
const MIN_COMPOUND_PART = 3;

const TRANSLATIONS = new Map(
  Object.values(data.translations).flatMap((words) =>
    Object.entries(words).flatMap(([foreign, english]) =>
      foreign.split(' ').map((word) => [plain(word), english.split(' ')] as const),
    ),
  ),
);
const SYNONYMS = collectSynonyms();
const RELATED = new Map(
  data.related.map((group) => {
    const [word, ...others] = group.split(' ');
    return [wordTerms(word!)[0]!, others];
  }),
);

/** Terms of words that mean the same as a word: abbreviations, synonyms, and translations into English. */
export function variantsOf(word: string, term: string): TermVariant[] {
  const synonyms = toVariants(SYNONYMS.get(term) ?? [], SYNONYM_STRENGTH);
  const translated = toVariants(translate(word), TRANSLATION_STRENGTH);
  const spelled = toVariants(otherSpellings(word), SPELLING_STRENGTH);
  const derived = derivedTerms(term).map((other) => ({ term: other, strength: DERIVED_STRENGTH }));
  const seen = new Set([term]);
  const related = toVariants(RELATED.get(term) ?? [], RELATED_STRENGTH);
  return [...translated, ...spelled, ...synonyms, ...derived, ...related].filter((variant) => {
    return !seen.has(variant.term) && seen.add(variant.term);
  });
}

/** British endings beside the American ones. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(\w{2,})our(s|ed|ing|ful|ite|ites)?$/, '$1or$2'],
  [/^(col|behavi|fav|flav|hon|lab|neighb|harb|hum|rum|vap)or(s|ed|ing|ful|ite|ites)?$/, '$1our$2'],
  [/^(\w{3,})is(e|es|ed|ing|er|ation|ations)$/, '$1iz$2'],
  [/^(\w{3,})iz(e|es|ed|ing|er|ation|ations)$/, '$1is$2'],
  [/^(\w{3,})yse(s|d|r)?$/, '$1yze$2'],
  [/^(\w{3,})yze(s|d|r)?$/, '$1yse$2'],
  [/^(cent|met|theat|fib)re(s|d)?$/, '$1er$2'],
  [/^(cent|theat|fib)er(s|ed)?$/, '$1re$2'],
  [/^(dial|catal|anal)ogue(s)?$/, '$1og$2'],
  [/^(dial|catal|anal)og(s)?$/, '$1ogue$2'],
  [/^(licen|defen|offen)ce(s|d)?$/, '$1se$2'],
  [/^(licen|defen|offen)se(s|d)?$/, '$1ce$2'],
  [/^grey/, 'gray'],
  [/^gray/, 'grey'],
];

/** The British spelling of an American word and the reverse. */
function otherSpellings(word: string): string[] {
  const lower = word.toLowerCase();
  return SPELLINGS.filter(([pattern]) => pattern.test(lower)).map(([pattern, other]) =>
    lower.replace(pattern, other),
  );
}

/** Terms of the same root: of `injection`, `inject`, and of `wrap`, `wrapper` and `wrappable`. */
function derivedTerms(term: string): string[] {
  if (!/^[a-z]{4,20}$/.test(term)) return [];
  const [, root] = /^(.{4,}?)(?:ation|ment|ion|able|er|or|ive|ness)$/.exec(term) ?? [];
  const undoubled = /^(.{2,}?([b-df-hj-np-tv-z]))\2er$/.exec(term)?.[1];
  // British English doubles consonants: `cancelled`.
  const american = /^(.{3,}l)l$/.exec(term)?.[1];
  const shorter = [root, undoubled, american, root && term.replace(/(?:ion|or|ive)$/, '')].filter(
    (one) => one !== undefined,
  );
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(term) ? [`${term}${term.at(-1)}er`] : [];
  return [...shorter, ...doubled, `${term}ion`, `${term}er`, `${term}or`, `${term}abl`];
}

/** English words for a Spanish, French or German one, also for the halves of a compound; empty for unknown words. */
function translate(word: string): string[] {
  const lower = plain(word.toLowerCase());
  return findTranslation(lower) ?? splitCompound(lower);
}

/** Finds a word, also in the plural or with another ending. */
function findTranslation(word: string): string[] | undefined {
  if (TRANSLATIONS.has(word)) return TRANSLATIONS.get(word);
  if (word.length < 5) return undefined;
  return ['s', 'se', 'es', 'e', 'n', 'en', 'er', 'ern', 'nen', 'x']
    .filter((ending) => word.endsWith(ending) && word.length - ending.length >= 3)
    .map((ending) => TRANSLATIONS.get(word.slice(0, -ending.length)))
    .find((found) => found !== undefined);
}

function splitCompound(word: string): string[] {
  for (let at = word.length - MIN_COMPOUND_PART; at >= MIN_COMPOUND_PART; at--) {
    const last = findTranslation(word.slice(at));
    if (!last) continue;
    const before = word.slice(0, at);
    const first =
      findTranslation(before) ?? (/[sn]$/.test(before) ? findTranslation(before.slice(0, -1)) : undefined);
    if (first) return [...first, ...last];
  }
  return [];
}

/** Removes accents, which are often left out. */
function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').replace('ß', 'ss');
}

function toVariants(words: readonly string[], strength: number): TermVariant[] {
  return words
    .map((word) => ({ word, term: wordTerms(word)[0]! }))
    .filter(({ word, term }) => term.length >= MIN_STEM_SHARE * word.length)
    .map(({ term }) => ({ term, strength }));
}

function collectSynonyms(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const group of data.synonyms) {
    const words = group.split(' ');
    for (const word of words) {
      const term = wordTerms(word)[0]!;
      found.set(term, [...(found.get(term) ?? []), ...words.filter((other) => other !== word)]);
    }
  }
  return found;
}
