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
  const total = sumOf(rest);
  // Suspects outside the range are ruled out by the good end and leave their share to the others.
  return rest.map(
    (one, number) =>
      SUSPECT_SHARE * (suspects.get(range.oids[number]!) ?? 0) + ((1 - SUSPECT_SHARE) * one) / total,
  );
}

/** Share of the suspects among the executed commits; the rest follows the number of executed lines. */
const EXECUTED_SUSPECTS_SHARE = 0.4;
/** Weight of a suspect of which no line was executed: it may have removed what is missing. */
const UNEXECUTED_FACTOR = 0.01;
/** Weight that a suspect adds to its executed lines, where its probability is that of an average commit. */
const SUSPECT_BONUS = 0.2;

/**
 * Weighs the commits again by the lines that the failing command executed: a commit of which none was executed hardly changed the
 * outcome. `lines` counts those that each commit wrote.
 */
export function weighExecutedCommits(
  range: CommitRange,
  weights: Float64Array,
  lines: Readonly<Record<string, number>>,
): Float64Array {
  const executed = Float64Array.from(range.oids, (oid) => Math.sqrt(lines[oid] ?? 0));
  const average = sumOf(weights) / weights.length;
  const suspected = weights.map((one, number) => one * (executed[number]! > 0 ? 1 : UNEXECUTED_FACTOR));
  const written = executed.map((root, number) => root * (1 + (SUSPECT_BONUS * weights[number]!) / average));
  const [first, second] = [sumOf(suspected), sumOf(written)];
  if (second === 0) return weights;
  return suspected.map(
    (one, number) =>
      (EXECUTED_SUSPECTS_SHARE * one) / first + ((1 - EXECUTED_SUSPECTS_SHARE) * written[number]!) / second,
  );
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, one) => sum + one, 0);
}
