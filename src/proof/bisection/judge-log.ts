import type { BisectLog } from '../bisect-log.ts';
import type { RunOutcome } from '../runner.ts';
import type { CommitRange } from './commit-range.ts';

/**
 * Conclusion of a log that was made elsewhere:
 *
 * - `proven`: the commit was tested bad, and all of its parents were tested good or are ancestors of a commit that was
 * - `inconclusive`: no commit is proven by the outcomes
 * - `unknown_commit`: it tests a commit that the history does not have
 * - `contradiction`: a commit has two outcomes, or an ancestor of a good commit is bad
 */
type LogConclusion =
  | { state: 'proven'; firstBad: string }
  | { state: 'inconclusive' }
  | { state: 'unknown_commit' | 'contradiction'; commit: string };

/** Concludes from the outcomes of a log alone, over the whole history of the bad end; its claim plays no part. */
export function judgeBisectLog({ runs }: BisectLog, history: CommitRange): LogConclusion {
  const numbers = new Map(history.oids.map((oid, number) => [oid, number]));
  const outcomes = new Map<number, RunOutcome>();
  for (const { commit, outcome } of runs) {
    const number = numbers.get(commit);
    if (number === undefined) return { state: 'unknown_commit', commit };
    const earlier = outcomes.get(number);
    if (earlier !== undefined && earlier !== 'skip' && outcome !== 'skip' && earlier !== outcome)
      return { state: 'contradiction', commit };
    if (earlier === undefined || earlier === 'skip') outcomes.set(number, outcome);
  }
  const isGood = markAncestors(history, outcomes);
  const bad = [...outcomes].filter(([, outcome]) => outcome === 'bad').map(([number]) => number);
  const contradiction = bad.find((number) => isGood[number] === 1);
  if (contradiction !== undefined) return { state: 'contradiction', commit: history.oids[contradiction]! };
  const proven = bad.filter((number) => history.parents[number]!.every((parent) => isGood[parent] === 1));
  // Two proven commits contradict the claim that there is a first one.
  if (proven.length !== 1) return { state: 'inconclusive' };
  return { state: 'proven', firstBad: history.oids[proven[0]!]! };
}

/** 1 beside commits that are good or have a good descendant. */
function markAncestors(
  { oids, parents }: CommitRange,
  outcomes: ReadonlyMap<number, RunOutcome>,
): Uint8Array {
  const isGood = new Uint8Array(oids.length);
  for (const [number, outcome] of outcomes) if (outcome === 'good') isGood[number] = 1;
  for (let number = 0; number < oids.length; number++)
    if (isGood[number] === 1) for (const parent of parents[number]!) isGood[parent] = 1;
  return isGood;
}
