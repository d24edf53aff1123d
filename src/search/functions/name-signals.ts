import { memoize } from '#memory/memoize.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { pathStem } from '../query/path-mentions.ts';
import { inverseDocumentFrequency } from '../scoring/bm25f-scorer.ts';
import { cachedWordTerms } from '../terms/word-terms.ts';
import { type FunctionInput, type FunctionSignals, normalizeByMax } from './function-candidate.ts';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** What only code looks like: a capital or a digit inside, an underscore. */
const CODE_LIKE_NAME = /[\p{Ll}\d]\p{Lu}|\p{L}_|_\p{L}|\p{L}\d/u;
/** Names and calls of a text that are looked at. */
const MAX_NAMES = 2000;

/** How the text names a function, and what else names it. */
export function computeNameSignals(input: FunctionInput): FunctionSignals {
  const { code, query, candidates } = input;
  const { text } = query;
  const named = new Set([...text.matchAll(IDENTIFIER)].slice(0, MAX_NAMES).map(([name]) => name));
  const called = new Set([...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s?\(/gu)].map(([, name]) => name!));
  const chains = new Set(
    [...text.matchAll(/([\w$]+)(?:\.|::|#|->)(?=([\w$]+))/g)].map(([, from, to]) => `${from}.${to}`),
  );
  const names = candidates.map(({ symbol, file }) => {
    const [last, parent] = symbol.split('.').toReversed();
    return { last: last!, parent: parent ?? null, stem: pathStem(code.filePath(file)) };
  });
  const each = (value: (name: (typeof names)[number]) => number) => Float64Array.from(names, value);
  const spoken = nameTermMatches(
    input,
    names.map(({ last }) => last),
  );
  const definitions = memoize((name) => code.passagesDefining(name).length);
  const mentions = countMentions(
    input,
    names.map(({ last }) => last),
  );
  return {
    /** Words of its name that the text has, by how few names have them: in all, and as a share of the name. */
    nameWords: normalizeByMax(spoken.worth),
    nameShare: spoken.share,
    /** Its very name stands in the text: as only code would be written, by how few have it; before a parenthesis. */
    spelled: each(({ last }) =>
      named.has(last) && CODE_LIKE_NAME.test(last) ? 1 / Math.max(1, definitions(last)) : 0,
    ),
    called: each(({ last }) => Number(called.has(last))),
    /** Behind the name of its class or of its file; and its class alone. */
    qualified: each(({ last, parent, stem }) =>
      Number(chains.has(`${parent}.${last}`) || chains.has(`${stem}.${last}`)),
    ),
    classNamed: each(({ parent }) => Number(parent !== null && named.has(parent))),
    /** Code that fits the text and has its name: its callers, its tests. By how few have it. */
    mentioned: normalizeByMax(Float64Array.from(mentions, ({ worth }) => worth)),
    common: Float64Array.from(mentions, ({ passages }) => Math.log1p(passages) / 10),
    capital: each(({ last }) => Number(/^\p{Lu}/u.test(last))),
  };
}

/** What words of names are worth, kept from question to question: the names are those of the project. */
const idfOfNameTerms = memoizeByIdentity((code: CodeTable) => {
  const index = code.field('symbol');
  return memoize((term) => inverseDocumentFrequency(index.count, index.postings(term)?.docs.length ?? 0));
});

/** Words of each name that the text has: their worth together, and the share that is of the whole name's. */
function nameTermMatches({ code, query }: FunctionInput, names: readonly string[]) {
  const spoken = new Set(query.terms.map(({ term }) => term));
  const worthOf = idfOfNameTerms(code);
  const sums = names.map((name) => {
    const words = [...new Set(cachedWordTerms(name))];
    const worth = (some: string[]) => some.reduce((sum, term) => sum + worthOf(term), 0);
    return { own: worth(words.filter((term) => spoken.has(term))), all: worth(words) };
  });
  return {
    worth: Float64Array.from(sums, ({ own }) => own),
    share: Float64Array.from(sums, ({ own, all }) => own / (all || 1)),
  };
}

/**
 * Other passages in whose code each name stands: how many, and the root of the sum of their squared scores for the text,
 * shared among them and one more.
 */
function countMentions({ code, space, candidates }: FunctionInput, names: readonly string[]) {
  const body = code.field('body');
  const fitting = memoize((name) => {
    const [whole] = cachedWordTerms(name);
    const docs = whole === undefined ? null : body.postings(whole)?.docs;
    const scored = Array.from(docs ?? []).filter((passage) => space.passages.score(passage) > 0);
    return { scored, passages: docs?.length ?? 0 };
  });
  return candidates.map(({ passages: own }, index) => {
    const { scored, passages } = fitting(names[index]!);
    const squares = scored.map((passage) => (own.includes(passage) ? 0 : space.passages.score(passage) ** 2));
    return { passages, worth: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (passages + 1)) };
  });
}
