import { inverseDocumentFrequency } from '#search/scoring/bm25f-scorer.ts';
import type { TermCounts } from '#search/terms/term-counter.ts';
import type { LocatedPlace } from '../../locate/locate.ts';
import { isNewFileHunk, type DiffFeatures } from '../diff-features.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from '../suspect-signal.ts';

/** BM25's saturation, and how strongly long diffs are discounted. */
const K1 = 1.2;
const B = 0.4;

/** Likeness of the lines that came, by BM25 among the candidates: the error names what the commit brought. */
export const added: SuspectSignal = (input) => bm25(input, (change) => change.added);

/** Likeness of the lines that went: the error misses what the commit took away. */
export const removed: SuspectSignal = (input) => bm25(input, (change) => change.removed);

/** Likeness of the best single hunk to the error. */
export const hunk: SuspectSignal = ({ diffFeatures: changes }) => {
  const scores = changes.map(({ best }) => best?.score ?? 0);
  const most = Math.max(0, ...scores.filter((score) => score < Number.MAX_VALUE));
  return scores.map((score) => (most > 0 ? Math.min(1, score / most) : 0));
};

function bm25({ query, diffFeatures: changes }: SuspectInput, side: (change: DiffFeatures) => TermCounts): Float64Array {
  const values = new Float64Array(changes.length);
  const sides = changes.map(side);
  const average = sides.reduce((sum, { length }) => sum + length, 0) / (sides.length || 1) || 1;
  for (const { term, weight } of query.terms) {
    const matches = sides.filter(({ counts }) => counts.has(term)).length;
    if (matches === 0) continue;
    const idf = inverseDocumentFrequency(sides.length, matches);
    sides.forEach(({ counts, length }, index) => {
      const count = counts.get(term) ?? 0;
      if (count === 0) return;
      values[index]! += (weight * idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
    });
  }
  return scaleToUnit(values);
}

/** Share of the error's rare terms, by their rarity in the code, that the commit brought more of than it took. */
export const introduces: SuspectSignal = ({ words, diffFeatures: changes }) => {
  return shareOfRarity(words.inVocabulary, changes, ({ added, removed }, term) => {
    return (added.counts.get(term) ?? 0) > (removed.counts.get(term) ?? 0);
  });
};

/** Share of the error's rare terms, by their rarity in the code, that stand in lines the commit took away. */
export const takes: SuspectSignal = ({ words, diffFeatures: changes }) => {
  return shareOfRarity(words.inVocabulary, changes, ({ removed }, term) => removed.counts.has(term));
};

type Rarity = Map<string, { idf: number }>;

function shareOfRarity(known: Rarity, changes: DiffFeatures[], test: (change: DiffFeatures, term: string) => boolean) {
  const rare = [...known].filter(([, { idf }]) => idf > 0);
  const total = rare.reduce((sum, [, { idf }]) => sum + idf, 0) || 1;
  return changes.map((change) => {
    return rare.reduce((sum, [term, { idf }]) => sum + (test(change, term) ? idf : 0), 0) / total;
  });
}

/** Share of the error's rare terms that no older candidate brought: the commit they came with. */
export const first: SuspectSignal = (input) => {
  return claim(input, (commits) => commits.reduce((a, b) => Math.max(a, b)));
};

/** Share of the error's rare terms that no newer candidate changed: the commit that had them in hand last. */
export const last: SuspectSignal = (input) => {
  return claim(input, (commits) => commits.reduce((a, b) => Math.min(a, b)));
};

/** Gives each rare term to one of the candidates that brought it; commits are numbered from the newest. */
function claim({ words, commits, diffFeatures: changes }: SuspectInput, choose: (commits: number[]) => number) {
  const values = new Float64Array(commits.length);
  let total = 0;
  for (const [term, { idf }] of words.inVocabulary) {
    const bringing = commits.filter((_, index) => changes[index]!.added.counts.has(term));
    if (idf <= 0) continue;
    total += idf;
    if (bringing.length > 0) values[commits.indexOf(choose(bringing))]! += idf;
  }
  return total === 0 ? values : values.map((value) => value / total);
}

/** How much changed: the logarithm of its lines, 1 at 4,000. Large changes break more. */
export const size: SuspectSignal = ({ diffFeatures: changes }) => {
  return changes.map(({ lines }) => Math.min(1, Math.log1p(lines) / Math.log1p(4_000)));
};

/** Share of the changed lines that lie in tests and documentation. */
export const beside: SuspectSignal = ({ diffFeatures: changes }) => {
  return changes.map(({ sourceShare: code, lines }) => (lines === 0 ? 0 : 1 - code));
};

/** 1 where nothing but layout changed, or nothing at all: merges and pure renames. */
export const formatting: SuspectSignal = ({ diffFeatures: changes }) => {
  return changes.map(({ isFormattingOnly: formatting, lines }) => Number(formatting || lines === 0));
};

/** 1 where the likest hunk is the beginning of a file: what it began with is seldom what broke it. */
export const began: SuspectSignal = ({ diffFeatures: changes }) => {
  return changes.map(({ best }) => Number(best !== null && isNewFileHunk(best.hunk)));
};

/** Score of a place found by words whose function the commit changed; less where it only added lines. */
export const inFunction: SuspectSignal = (input) => changedFunction(input, (by) => by === 'words');

/** The same of a place that a frame or the message names. */
export const inFrame: SuspectSignal = (input) => changedFunction(input, (by) => by !== 'words');

function changedFunction({ diffFeatures: changes }: SuspectInput, counts: (by: LocatedPlace['source']) => boolean): number[] {
  return changes.map(({ best }) => {
    // What a file began with has changed no function.
    if (!best?.place || isNewFileHunk(best.hunk) || !counts(best.place.source)) return 0;
    return best.place.score * (best.hunk.lines.some(({ kind }) => kind === 'delete') ? 1 : ONLY_ADDS);
  });
}

/** How likely the best function is that the commit changed, among all that the error may be about. */
export const bestFunction: SuspectSignal = ({ diffFeatures: changes }) => changes.map(({ bestFunction }) => bestFunction);

/** New lines in a function break less than replaced or deleted ones. */
const ONLY_ADDS = 0.4;
