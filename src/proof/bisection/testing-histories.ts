import type { RunOutcome } from '../runner.ts';
import { Bisection } from './bisection.ts';
import { buildCommitRange, type CommitRange } from './commit-range.ts';

/** A source of random numbers from 0 to 1 that a seed decides. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

const oidOf = (number: number) => number.toString(16).padStart(40, '0');

/** A history of so many commits, newest first; `mergeShare` of them merge an older commit as their second parent. */
export function randomHistory(count: number, mergeShare: number, random: Random): CommitRange {
  const commits = Array.from({ length: count }, (_, number) => {
    const older = count - number - 1;
    const isMerge = older > 2 && random() < mergeShare;
    // With merges, a commit also continues an older line now and then.
    const first =
      mergeShare > 0 && older > 2 && random() < 0.3 ? 1 + Math.floor(random() * Math.min(older, 6)) : 1;
    const second = 1 + Math.floor(random() * Math.min(older, 20));
    const parents = [number + first, ...(isMerge && second !== first ? [number + second] : [])];
    return { oid: oidOf(number), tree: oidOf(number), parents: parents.map(oidOf) };
  });
  const reached = new Set([oidOf(0)]);
  for (const { oid, parents } of commits)
    if (reached.has(oid)) for (const parent of parents) reached.add(parent);
  return buildCommitRange(
    commits.filter(({ oid }) => reached.has(oid)),
    { hasGoodEnd: true },
  );
}

/** Commits that have the fault of a culprit: itself and its descendants. */
export function faultyCommits({ oids, parents }: CommitRange, culprit: number): Set<string> {
  const faulty = new Set([culprit]);
  for (let number = oids.length - 1; number >= 0; number--)
    if (parents[number]!.some((parent) => faulty.has(parent))) faulty.add(number);
  return new Set([...faulty].map((number) => oids[number]!));
}

/** Runs a search against known outcomes; returns it and the number of tests. */
export function runSearch(
  range: CommitRange,
  weights: Float64Array,
  outcomeOf: (oid: string) => RunOutcome,
): { search: Bisection; tests: number } {
  const search = new Bisection(range, weights);
  let tests = 0;
  for (let oid = search.next(); oid !== null; oid = search.next()) {
    tests++;
    search.record(oid, outcomeOf(oid));
  }
  return { search, tests };
}

/** Tests that `git bisect` needs, both ends included: each time the commit that divides the candidates most evenly. */
export function countPlainTests(range: CommitRange, outcomeOf: (oid: string) => RunOutcome): number {
  const { oids, parents } = range;
  let alive = new Set(oids.keys());
  let tests = 2;
  const reach = (start: number) => {
    const reached = new Set([start]);
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const parent of parents[at]!)
        if (alive.has(parent) && !reached.has(parent)) {
          reached.add(parent);
          open.push(parent);
        }
    return reached;
  };
  let head = 0;
  while (alive.size > 1) {
    let chosen = { value: -1, commit: -1, reached: new Set<number>() };
    for (const commit of alive) {
      if (commit === head) continue;
      const reached = reach(commit);
      const value = Math.min(reached.size, alive.size - reached.size);
      if (value > chosen.value) chosen = { value, commit, reached };
    }
    tests++;
    const isBad = outcomeOf(oids[chosen.commit]!) === 'bad';
    if (isBad) head = chosen.commit;
    alive = new Set([...alive].filter((commit) => chosen.reached.has(commit) === isBad));
  }
  return tests;
}
