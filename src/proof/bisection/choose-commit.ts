import type { CandidateSet, Split } from './candidate-set.ts';

/** State of a search that decides which commit is tested next. */
interface SearchState {
  candidates: CandidateSet;
  /** Candidates that cannot be tested. */
  untestable: ReadonlySet<number>;
  /** Tests that are left before plain bisection must have been at most three tests faster. */
  testsLeft: number;
}

/** Heaviest candidates whose splits are compared, beside the first-parent line: the suspects. */
const MAX_SUSPECTS = 24;

/**
 * Chooses the commit whose outcome says most: the split nearest to half of the probability, on the first-parent line or at a
 * suspect or its parent. A heavy suspect is therefore isolated by two tests, itself (bad) and its parent (good).
 *
 * A split is allowed only if plain bisection of its larger side still fits into the tests that are left, so that wrong
 * probabilities cost a fixed number of tests. Returns null when no testable candidate is left.
 */
export function chooseCommit(state: SearchState): number | null {
  const { candidates, untestable } = state;
  const isTestable = ({ commit }: Split) => commit !== candidates.head && !untestable.has(commit);
  const line = candidates.lineSplits();
  const onLine = new Set(line.map(({ commit }) => commit));
  const suspects = candidates
    .heaviest(MAX_SUSPECTS)
    .flatMap((commit) => [commit, ...candidates.parentsOf(commit)])
    .filter((commit) => !onLine.has(commit));
  const offLine = [...new Set(suspects)].map((commit) => candidates.splitAt(commit));
  const splits = [...line, ...offLine].filter(isTestable);
  const allowed = splits.filter((split) => fitsBudget(split, state));
  if (allowed.length > 0) return best(allowed, state, weightOfSmallerSide);
  // Wide histories have no balanced split on the first-parent line.
  const all = [...splits, ...candidates.allSplits().filter(isTestable)];
  return all.length === 0 ? null : best(all, state, countOfSmallerSide);
}

function fitsBudget({ count }: Split, { candidates, testsLeft }: SearchState): boolean {
  const larger = Math.max(count, candidates.count - count);
  return 1 + Math.ceil(Math.log2(Math.max(1, larger))) <= testsLeft;
}

type SplitMeasure = (split: Split, candidates: CandidateSet) => number;

const weightOfSmallerSide: SplitMeasure = ({ weight }, candidates) =>
  Math.min(weight, candidates.weight - weight) / candidates.weight;

const countOfSmallerSide: SplitMeasure = ({ count }, candidates) =>
  Math.min(count, candidates.count - count) / candidates.count;

function best(splits: readonly Split[], state: SearchState, measure: SplitMeasure): number {
  const { candidates } = state;
  const value = (split: Split) => measure(split, candidates) * distanceFactor(split.commit, state);
  const scored = splits.map((split) => ({ split, value: value(split) }));
  scored.sort(
    (a, b) =>
      b.value - a.value ||
      countOfSmallerSide(b.split, candidates) - countOfSmallerSide(a.split, candidates) ||
      a.split.commit - b.split.commit,
  );
  return scored[0]!.split.commit;
}

/**
 * Lowers commits near an untestable one, which a broken build often shares with its neighbours; the distance doubles with every
 * further one.
 */
function distanceFactor(commit: number, { untestable, candidates }: SearchState): number {
  const near = [...untestable].filter((one) => candidates.has(one));
  if (near.length === 0) return 1;
  const distance = Math.min(...near.map((one) => Math.abs(one - commit)));
  return Math.min(1, distance / 2 ** Math.min(near.length, 30));
}
