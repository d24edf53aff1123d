import type { CommitRange } from './commit-range.ts';

/** Share of the probability that follows the suspects; the rest goes to every commit. */
const SUSPECT_SHARE = 0.8;

/**
 * Weighs the commits of a range: the suspects by their probabilities, mixed with an equal share for every commit, so that none is
 * ruled out by a wrong ranking. Without a good end the equal share falls with the distance from the bad end, which makes the
 * search look back in growing steps.
 */
export function weighCommits(range: CommitRange, suspects: ReadonlyMap<string, number>): Float64Array {
  const count = range.oids.length;
  const rest = Float64Array.from({ length: count }, (_, number) => (range.hasGoodEnd ? 1 : 1 / (number + 1)));
  const total = rest.reduce((sum, one) => sum + one, 0);
  // Suspects outside the range are ruled out by the good end and leave their share to the others.
  return rest.map(
    (one, number) =>
      SUSPECT_SHARE * (suspects.get(range.oids[number]!) ?? 0) + ((1 - SUSPECT_SHARE) * one) / total,
  );
}
