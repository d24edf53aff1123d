import { expect, test } from 'vitest';
import type { RunOutcome, RunReport } from '../runner.ts';
import { type BisectEvent, bisect } from './bisect.ts';
import { buildCommitRange } from './commit-range.ts';
import {
  countPlainTests,
  createRandom,
  faultyCommits,
  randomHistory,
  runSearch,
} from './testing-histories.ts';
import { weighCommits } from './weigh-commits.ts';

const signal = new AbortController().signal;

/** Outcomes of a fault: bad where it is, good elsewhere and outside of the range. */
const truth = (faulty: ReadonlySet<string>) => (oid: string) =>
  (faulty.has(oid) ? 'bad' : 'good') as RunOutcome;

test.each([
  ['a line', 0],
  ['merges', 0.3],
])(
  'finds every culprit in %s, at most three tests behind plain bisection, whatever the suspects',
  (_, merges) => {
    const random = createRandom(7);
    for (let round = 0; round < 120; round++) {
      const range = randomHistory(2 + Math.floor(random() * 180), merges, random);
      const culprit = Math.floor(random() * range.oids.length);
      const outcomeOf = truth(faultyCommits(range, culprit));
      // Right, wrong, and overconfidently wrong rankings.
      const suspects = new Map(
        range.oids.map((oid) => [oid, random() ** 12] as const).filter(() => random() < 0.2),
      );
      const wrong = range.oids[Math.floor(random() * range.oids.length)]!;
      if (round % 3 === 1) suspects.set(wrong, 50);
      // Trusted blindly, these would be tested one after the other.
      if (round % 3 === 2) for (const [at, oid] of range.oids.entries()) suspects.set(oid, 1e9 / 2 ** at);
      const { search, tests } = runSearch(range, weighCommits(range, suspects), outcomeOf);
      expect(search.firstBad).toBe(range.oids[culprit]);
      expect(tests - countPlainTests(range, outcomeOf)).toBeLessThanOrEqual(3);
    }
  },
);

test('a right suspect is proven by itself, its parent and the bad end', () => {
  const range = randomHistory(1000, 0, createRandom(1));
  const culprit = 400;
  const suspects = new Map([[range.oids[culprit]!, 0.8]]);
  const { search, tests } = runSearch(
    range,
    weighCommits(range, suspects),
    truth(faultyCommits(range, culprit)),
  );
  expect([search.firstBad, tests]).toEqual([range.oids[culprit], 3]);
  // The oldest commit of the range needs the good end, a parent outside.
  const oldest = runSearch(range, weighCommits(range, new Map()), truth(new Set(range.oids)));
  expect(oldest.search.firstBad).toBe(range.oids.at(-1));
  expect(oldest.tests).toBeLessThanOrEqual(countPlainTests(range, truth(new Set(range.oids))) + 1);
});

test('lines that the failing command executed bring the culprit nearer, and mislead by three tests at most', async () => {
  const range = randomHistory(1000, 0.2, createRandom(3));
  const random = createRandom(4);
  for (const isExecuted of [true, false]) {
    const counts: number[] = [];
    for (let round = 0; round < 30; round++) {
      const culprit = Math.floor(random() * range.oids.length);
      const others = range.oids.filter((oid) => oid !== range.oids[culprit] && random() < 0.06);
      const named = isExecuted ? [...others, range.oids[culprit]!] : others;
      const lines = Object.fromEntries(named.map((oid) => [oid, 1 + Math.floor(random() * 20)]));
      const outcomeOf = truth(faultyCommits(range, culprit));
      const runner = async ({ commit }: { commit: string }) => {
        return { outcome: outcomeOf(commit), skipReason: null, output: '', ms: 1, lines };
      };
      const result = await bisect(runner, { command: 'x', range, suspects: new Map(), signal });
      expect(result.firstBad).toBe(range.oids[culprit]);
      const behind = result.runs.length - countPlainTests(range, outcomeOf);
      expect(behind).toBeLessThanOrEqual(3);
      counts.push(behind);
    }
    const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
    if (isExecuted) expect(mean).toBeLessThan(-2);
  }
});

test('a command that passes while lines are recorded is run without', async () => {
  const range = randomHistory(8, 0, createRandom(1));
  const asked: boolean[] = [];
  const runner = async ({ commit, recordsLines = false }: { commit: string; recordsLines?: boolean }) => {
    asked.push(recordsLines);
    const isBad = commit === range.oids[0] && !recordsLines;
    const lines = recordsLines ? {} : undefined;
    return { outcome: (isBad ? 'bad' : 'good') as RunOutcome, skipReason: null, output: '', ms: 1, lines };
  };
  const result = await bisect(runner, { command: 'x', range, suspects: new Map(), signal });
  expect(result.firstBad).toBe(range.oids[0]);
  expect(asked.slice(0, 3)).toEqual([true, false, false]);
});

test('without a good end, a recent culprit in a long history is found by looking back in growing steps', () => {
  const long = randomHistory(20_000, 0, createRandom(1));
  const range = { ...long, hasGoodEnd: false };
  const outcomeOf = truth(faultyCommits(range, 25));
  const { search, tests } = runSearch(range, weighCommits(range, new Map()), outcomeOf);
  expect(search.firstBad).toBe(range.oids[25]);
  expect(tests).toBeLessThanOrEqual(11);
});

test('untestable commits are passed by; what they hide is named', () => {
  const range = randomHistory(200, 0, createRandom(1));
  const faulty = faultyCommits(range, 100);
  const skipping = (from: number, to: number) => (oid: string) => {
    const number = range.oids.indexOf(oid);
    return number >= from && number <= to ? 'skip' : truth(faulty)(oid);
  };
  const weights = weighCommits(range, new Map());
  const passed = runSearch(range, weights, skipping(60, 98));
  expect(passed.search.firstBad).toBe(range.oids[100]);
  const hidden = runSearch(range, weights, skipping(97, 103));
  expect(hidden.search.state).toBe('inconclusive');
  expect(hidden.search.candidates()).toEqual(range.oids.slice(96, 104));
  const never = runSearch(range, weights, (oid) => (oid === range.oids[0] ? 'bad' : 'skip'));
  expect(never.search.state).toBe('inconclusive');
  expect(never.tests).toBeLessThan(60);
});

test('the ends are tested: a failure that is absent, untestable or older than the range ends the search', () => {
  const range = randomHistory(50, 0, createRandom(1));
  const weights = weighCommits(range, new Map());
  const states = (['good', 'skip', 'bad'] as const).map((outcome) =>
    runSearch(range, weights, () => outcome),
  );
  expect(states.map(({ search }) => search.state)).toEqual([
    'bad_end_good',
    'bad_end_untestable',
    'good_end_bad',
  ]);
  expect(states.slice(0, 2).map(({ tests }) => tests)).toEqual([1, 1]);
});

test('a merge is the first bad commit if all of its parents are good', () => {
  const commits = [
    { oid: 'm', parents: ['a', 'b'] },
    { oid: 'a', parents: ['r'] },
    { oid: 'b', parents: ['r'] },
  ].map((one) => ({ ...one, tree: one.oid }));
  const range = buildCommitRange(commits, { hasGoodEnd: true });
  const found = runSearch(range, weighCommits(range, new Map()), (oid) => (oid === 'm' ? 'bad' : 'good'));
  expect([found.search.firstBad, found.tests]).toEqual(['m', 3]);
});

/** Executes nothing: replies by commit, and counts. */
function countingRunner(outcomeOf: (oid: string, count: number) => RunOutcome) {
  const executed: string[] = [];
  const runner = async ({ commit }: { commit: string }): Promise<RunReport> => {
    executed.push(commit);
    const outcome = outcomeOf(commit, executed.filter((one) => one === commit).length);
    return { outcome, skipReason: outcome === 'skip' ? 'exit_code' : null, output: outcome, ms: 1 };
  };
  return { executed, runner };
}

test('an interrupted search goes on from its kept results, and equal trees are executed once', async () => {
  const line = randomHistory(64, 0, createRandom(1));
  // Every second commit is a revert of the one before.
  const range = {
    ...line,
    trees: line.trees.map((tree, at) => (at > 40 && at % 2 === 1 ? line.trees[41]! : tree)),
  };
  const outcomeOf = truth(faultyCommits(range, 30));
  const kept = new Map<string, RunReport>();
  const results = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, report: RunReport) => void kept.set(key, report),
  };
  const options = { command: 'make check', range, suspects: new Map(), results, signal };
  const first = countingRunner(outcomeOf);
  const stop = new AbortController();
  const onEvent = (event: BisectEvent) => {
    if (event.type === 'run' && first.executed.length === 3) stop.abort();
  };
  await expect(bisect(first.runner, { ...options, onEvent, signal: stop.signal })).rejects.toThrow();
  const second = countingRunner(outcomeOf);
  const result = await bisect(second.runner, options);
  expect(result.firstBad).toBe(range.oids[30]);
  expect(result.runs.slice(0, 4).map(({ isKept }) => isKept)).toEqual([true, true, true, false]);
  expect(new Set([...first.executed, ...second.executed]).size).toBe(
    first.executed.length + second.executed.length,
  );
  expect(result.runs[0]).toMatchObject({ commit: range.oids[0], purpose: 'bad', outcome: 'bad' });
});

test('a command that fails only sometimes is repeated before a commit is good', async () => {
  const range = randomHistory(40, 0, createRandom(1));
  const faulty = faultyCommits(range, 12);
  // Fails every third time.
  const { runner } = countingRunner((oid, count) => (faulty.has(oid) && count % 3 === 0 ? 'bad' : 'good'));
  const result = await bisect(runner, { command: 'x', range, suspects: new Map(), repeat: 3, signal });
  expect(result.firstBad).toBe(range.oids[12]);
  expect(result.runs.some(({ purpose }) => purpose === 'repeat')).toBe(true);
});
