import { bm25, inverseDocumentFrequency, lengthNorm } from '#search/lexical/bm25.ts';
import type { TermCounts } from '#search/lexical/term-counter.ts';
import type { LocatedPlace } from '../locate/locate.ts';
import { type DiffFeatures, isNewFileHunk } from './diff-features.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from './suspect-signal.ts';

/** BM25's length normalization b. */
const LENGTH_PENALTY = 0.4;

/** BM25 of the error against the added lines, among the candidates: errors mention what a commit introduced. */
const added: SuspectSignal = (input) => bm25OfSide(input, (features) => features.added);

/** BM25 of the error against the removed lines: errors mention what a commit took away. */
const removed: SuspectSignal = (input) => bm25OfSide(input, (features) => features.removed);

/** Similarity of the best single hunk to the error. */
const bestHunk: SuspectSignal = ({ diffFeatures }) => {
  const scores = diffFeatures.map(({ best }) => best?.score ?? 0);
  const max = Math.max(0, ...scores.filter((score) => score < Number.MAX_VALUE));
  return scores.map((score) => (max > 0 ? Math.min(1, score / max) : 0));
};

function bm25OfSide(
  { query, diffFeatures }: SuspectInput,
  side: (features: DiffFeatures) => TermCounts,
): Float64Array {
  const values = new Float64Array(diffFeatures.length);
  const sides = diffFeatures.map(side);
  const averageLength = sides.reduce((sum, { length }) => sum + length, 0) / (sides.length || 1) || 1;
  for (const { term, weight } of query.terms) {
    const matchCount = sides.filter(({ counts }) => counts.has(term)).length;
    if (matchCount === 0) continue;
    const idf = inverseDocumentFrequency(sides.length, matchCount);
    sides.forEach(({ counts, length }, index) => {
      const count = counts.get(term) ?? 0;
      if (count === 0) return;
      values[index]! += bm25(weight * idf, count, lengthNorm(length, averageLength, LENGTH_PENALTY));
    });
  }
  return scaleToUnit(values);
}

/** Share of the error's rare terms, by idf in the code, of which the commit added more than it removed. */
const introducesTerms: SuspectSignal = ({ words, diffFeatures }) => {
  return idfShare(words.inVocabulary, diffFeatures, ({ added, removed }, term) => {
    return (added.counts.get(term) ?? 0) > (removed.counts.get(term) ?? 0);
  });
};

/** Share of the error's rare terms, by idf in the code, in lines that the commit removed. */
const removesTerms: SuspectSignal = ({ words, diffFeatures }) => {
  return idfShare(words.inVocabulary, diffFeatures, ({ removed }, term) => removed.counts.has(term));
};

function idfShare(
  words: Map<string, { idf: number }>,
  diffFeatures: DiffFeatures[],
  test: (features: DiffFeatures, term: string) => boolean,
) {
  const rare = [...words].filter(([, { idf }]) => idf > 0);
  const total = rare.reduce((sum, [, { idf }]) => sum + idf, 0) || 1;
  return diffFeatures.map((features) => {
    return rare.reduce((sum, [term, { idf }]) => sum + (test(features, term) ? idf : 0), 0) / total;
  });
}

/** Share of the error's rare terms that no older candidate added: the commit that introduced them. */
const firstToAdd: SuspectSignal = (input) => {
  return assignTerms(input, (commits) => commits.reduce((a, b) => Math.max(a, b)));
};

/** Share of the error's rare terms that no newer candidate added: the commit that touched them last. */
const lastToAdd: SuspectSignal = (input) => {
  return assignTerms(input, (commits) => commits.reduce((a, b) => Math.min(a, b)));
};

/** Assigns each rare term to one of the candidates that added it; commits are numbered from the newest. */
function assignTerms({ words, commits, diffFeatures }: SuspectInput, choose: (commits: number[]) => number) {
  const values = new Float64Array(commits.length);
  let total = 0;
  for (const [term, { idf }] of words.inVocabulary) {
    const adding = commits.filter((_, index) => diffFeatures[index]!.added.counts.has(term));
    if (idf <= 0) continue;
    total += idf;
    if (adding.length > 0) values[commits.indexOf(choose(adding))]! += idf;
  }
  return total === 0 ? values : values.map((value) => value / total);
}

/** Logarithm of the number of changed lines, 1 at 4,000: larger changes break more. */
const diffSize: SuspectSignal = ({ diffFeatures }) => {
  return diffFeatures.map(({ lines }) => Math.min(1, Math.log1p(lines) / Math.log1p(4_000)));
};

/** Share of the changed lines in tests, documentation and the like. */
const nonSourceShare: SuspectSignal = ({ diffFeatures }) => {
  return diffFeatures.map(({ sourceShare, lines }) => (lines === 0 ? 0 : 1 - sourceShare));
};

/** 1 where only formatting changed, or nothing at all: merges and pure renames. */
const formattingOnly: SuspectSignal = ({ diffFeatures }) => {
  return diffFeatures.map(({ isFormattingOnly, lines }) => Number(isFormattingOnly || lines === 0));
};

/** 1 where the best hunk is a new file: the first version of a file seldom broke it. */
const newFile: SuspectSignal = ({ diffFeatures }) => {
  return diffFeatures.map(({ best }) => Number(best !== null && isNewFileHunk(best.hunk)));
};

/** Score of a place found by words whose function the commit changed; lower where it only added lines. */
const inFunction: SuspectSignal = (input) => changedFunctionScore(input, (source) => source === 'words');

/** The same for a place that a frame or the message names. */
const inFrame: SuspectSignal = (input) => changedFunctionScore(input, (source) => source !== 'words');

function changedFunctionScore(
  { diffFeatures }: SuspectInput,
  accepts: (source: LocatedPlace['source']) => boolean,
): number[] {
  return diffFeatures.map(({ best }) => {
    // The first version of a file changes no function.
    if (!best?.place || isNewFileHunk(best.hunk) || !accepts(best.place.source)) return 0;
    const deletes = best.hunk.lines.some(({ kind }) => kind === 'delete');
    return best.place.score * (deletes ? 1 : ADDITIONS_ONLY_WEIGHT);
  });
}

/** Added lines in a function break less than replaced or deleted ones. */
const ADDITIONS_ONLY_WEIGHT = 0.4;

/** Score of the likeliest located function that the commit changed. */
const bestFunction: SuspectSignal = ({ diffFeatures }) =>
  diffFeatures.map((features) => features.bestFunction);

export const diffSignals = {
  added,
  removed,
  bestHunk,
  introducesTerms,
  removesTerms,
  firstToAdd,
  lastToAdd,
  diffSize,
  nonSourceShare,
  formattingOnly,
  newFile,
  inFunction,
  inFrame,
  bestFunction,
};
