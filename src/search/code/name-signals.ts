import { memoize } from '#memory/memoize.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { inverseDocumentFrequency } from '../lexical/bm25.ts';
import type { QueryTerm } from '../lexical/parse-query.ts';
import { pathStem } from '../lexical/path-mentions.ts';
import { splitZones } from '../lexical/text-zones.ts';
import { cachedWordTerms } from '../lexical/word-terms.ts';
import { divideByMax, type FunctionInput, type FunctionSignals } from './function-candidate.ts';

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names that only code uses: with an inner capital or digit, or an underscore. */
const CODE_LIKE_NAME = /[\p{Ll}\d]\p{Lu}|\p{L}_|_\p{L}|\p{L}\d/u;
/** Identifiers of a text that are looked up. */
const MAX_NAMES = 2000;

/** Computes the signals of a function's name in the text and in other code. */
export function computeNameSignals(input: FunctionInput): FunctionSignals {
  const { code, query, candidates } = input;
  const { text } = query;
  const identifiers = new Set([...text.matchAll(IDENTIFIER)].slice(0, MAX_NAMES).map(([name]) => name));
  const called = new Set([...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s?\(/gu)].map(([, name]) => name!));
  const qualifiedNames = new Set(
    [...text.matchAll(/([\w$]+)(?:\.|::|#|->)(?=([\w$]+))/g)].map(([, from, to]) => `${from}.${to}`),
  );
  const names = candidates.map(({ symbol, file }) => {
    const [last, parent] = symbol.split('.').toReversed();
    return { last: last!, parent: parent ?? null, stem: pathStem(code.filePath(file)) };
  });
  const each = (value: (name: (typeof names)[number]) => number) => Float64Array.from(names, value);
  const lastNames = names.map(({ last }) => last);
  const matches = nameTermMatches(code, query.terms, lastNames);
  const titleMatches = nameTermMatches(code, query.zones.title, lastNames);
  const classMatches = nameTermMatches(
    code,
    query.terms,
    names.map(({ parent }) => parent ?? ''),
  );
  const definitions = memoize((name) => code.passagesDefining(name).length);
  const mentions = countMentions(input, lastNames);
  const { codeBlocks, inlineCode } = splitZones(text);
  const inCode = new Set(`${codeBlocks}\n${inlineCode}`.match(IDENTIFIER)?.slice(0, MAX_NAMES));
  const namesakes = Map.groupBy(lastNames, (name) => name);
  const isCode = (name: string) =>
    called.has(name) || inCode.has(name) || (CODE_LIKE_NAME.test(name) && identifiers.has(name));
  return {
    /** Idf of the terms of its name that are in the text: in total, and as a share of the name. */
    nameTerms: divideByMax(matches.idf),
    nameTermShare: matches.share,
    /** The same share for the title alone, and of its class for the whole text. */
    titleNameShare: titleMatches.share,
    classTermShare: classMatches.share,
    /** Its name is code of the text, over the number of candidates with the name. */
    codeName: each(({ last }) => Number(isCode(last)) / namesakes.get(last)!.length),
    /** Its name is in the text: as a code-like name, over the number of definitions; before a parenthesis. */
    exactName: each(({ last }) =>
      identifiers.has(last) && CODE_LIKE_NAME.test(last) ? 1 / Math.max(1, definitions(last)) : 0,
    ),
    calledName: each(({ last }) => Number(called.has(last))),
    /** Its name is qualified by its class or file; its class is in the text. */
    qualifiedName: each(({ last, parent, stem }) =>
      Number(qualifiedNames.has(`${parent}.${last}`) || qualifiedNames.has(`${stem}.${last}`)),
    ),
    className: each(({ parent }) => Number(parent !== null && identifiers.has(parent))),
    /** Matching passages that mention its name, such as callers and tests, and the number of all that do. */
    mentions: divideByMax(Float64Array.from(mentions, ({ score }) => score)),
    nameFrequency: Float64Array.from(mentions, ({ passages }) => Math.log1p(passages) / 10),
    capitalized: each(({ last }) => Number(/^\p{Lu}/u.test(last))),
  };
}

/** Idf of terms among defined names, cached per index. */
const idfOfNameTerms = memoizeByIdentity((code: CodeTable) => {
  const index = code.field('symbol');
  return memoize((term) => inverseDocumentFrequency(index.count, index.postings(term)?.docs.length ?? 0));
});

/** Total idf of each name's terms that are in the text, and its share of the whole name's idf. */
function nameTermMatches(code: CodeTable, terms: readonly QueryTerm[], names: readonly string[]) {
  const queryTerms = new Set(terms.map(({ term }) => term));
  const idfOf = idfOfNameTerms(code);
  const sumsOf = memoize((name) => {
    const words = [...new Set(cachedWordTerms(name))];
    const total = (some: string[]) => some.reduce((sum, term) => sum + idfOf(term), 0);
    return { matched: total(words.filter((term) => queryTerms.has(term))), all: total(words) };
  });
  const sums = names.map(sumsOf);
  return {
    idf: Float64Array.from(sums, ({ matched }) => matched),
    share: Float64Array.from(sums, ({ matched, all }) => matched / (all || 1)),
  };
}

/**
 * Passages whose code mentions each name: their number n, and √(Σ score² / (n + 1)) over those outside the definition.
 */
function countMentions({ code, space, candidates }: FunctionInput, names: readonly string[]) {
  const body = code.field('body');
  const passagesWith = memoize((name) => {
    const [term] = cachedWordTerms(name);
    const docs = term === undefined ? null : body.postings(term)?.docs;
    const scored = Array.from(docs ?? []).filter((passage) => space.passages.score(passage) > 0);
    return { scored, passages: docs?.length ?? 0 };
  });
  return candidates.map(({ passages: own }, index) => {
    const { scored, passages } = passagesWith(names[index]!);
    const squares = scored.map((passage) => (own.includes(passage) ? 0 : space.passages.score(passage) ** 2));
    return { passages, score: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / (passages + 1)) };
  });
}
