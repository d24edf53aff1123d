import type { TestObservation, TestState } from './classify-test.ts';

/** A made history of one test with its truth. */
export interface TestHistory {
  seed: number;
  /** Parents of every commit, oldest first. */
  graph: Map<string, string[]>;
  head: string;
  /** In the order of upload. */
  observations: TestObservation[];
  /** Commits of runs of the suite, with or without this test. */
  suiteCommits: Set<string>;
  state: TestState;
  /** Commit that broke it; null unless broken or new. */
  onset: string | null;
}

const KINDS = ['broken', 'broken', 'flaky', 'flaky', 'passing', 'fixed', 'new', 'flaky then broken'] as const;

/**
 * Makes a history of 30 to 80 commits with merged feature branches. Half to nearly all commits are tested (gaps), failures are often
 * run again, some runs fail as a whole (outages), skip the test, or are uploaded late.
 */
export function makeHistory(seed: number): TestHistory {
  const random = mulberry32(seed);
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const { graph, order } = makeGraph(between(30, 80), random, between);
  const head = order.at(-1)!;
  const kind = KINDS[seed % KINDS.length]!;
  const onset = order[between(Math.floor(order.length * 0.4), Math.floor(order.length * 0.8))]!;
  const repair = order
    .slice(order.indexOf(onset) + 3)
    .find((commit) => ancestorsOf(graph, commit).has(onset));
  const flakeRate = 0.15 + 0.3 * random();
  const failureRate = (commit: string): number | null => {
    const since = ancestorsOf(graph, commit);
    const isBroken = since.has(onset);
    if (kind === 'broken') return isBroken ? 1 : 0;
    if (kind === 'flaky') return flakeRate;
    if (kind === 'fixed') return isBroken && !(repair !== undefined && since.has(repair)) ? 1 : 0;
    if (kind === 'new') return isBroken ? 1 : null;
    return kind === 'passing' ? 0 : isBroken ? 1 : flakeRate;
  };
  const coverage = 0.5 + 0.45 * random();
  const observations: TestObservation[] = [];
  const suiteCommits = new Set<string>();
  for (const commit of order) {
    if (commit !== head && random() > coverage) continue;
    suiteCommits.add(commit);
    const rate = failureRate(commit);
    if (rate === null) continue;
    const run = () => {
      const isOutage = random() < 0.05;
      const outcome = isOutage || random() < rate ? 'failed' : random() < 0.05 ? 'skipped' : 'passed';
      observations.push({ commit, outcome, runFailureShare: isOutage ? 0.9 : 0.02 });
      return outcome;
    };
    if (run() === 'failed' && random() < 0.6) run();
  }
  // Late uploads: a tenth changes places with the next.
  for (let at = 1; at < observations.length; at++) {
    if (random() < 0.1) observations.splice(at - 1, 2, observations[at]!, observations[at - 1]!);
  }
  const isReached = ancestorsOf(graph, head).has(onset);
  const state = kind === 'fixed' ? 'passing' : kind === 'flaky then broken' ? 'broken' : kind;
  const isBroken = isReached && (state === 'broken' || state === 'new');
  return { seed, graph, head, observations, suiteCommits, state, onset: isBroken ? onset : null };
}

function makeGraph(count: number, random: () => number, between: (from: number, to: number) => number) {
  const graph = new Map<string, string[]>();
  const order: string[] = [];
  const add = (parents: string[]) => {
    const commit = (order.length + 1).toString(16).padStart(40, '0');
    graph.set(commit, parents);
    order.push(commit);
    return commit;
  };
  let main = add([]);
  while (order.length < count) {
    if (random() < 0.7) main = add([main]);
    else {
      const base = main;
      let branch = add([base]);
      for (let more = between(0, 3); more > 0; more--) branch = add([branch]);
      for (let more = between(0, 3); more > 0; more--) main = add([main]);
      main = add([main, branch]);
    }
  }
  return { graph, order };
}

function ancestorsOf(graph: Map<string, string[]>, commit: string): Set<string> {
  const found = new Set([commit]);
  for (const one of found) for (const parent of graph.get(one) ?? []) found.add(parent);
  return found;
}

/** A small seeded generator of numbers from 0 to 1. */
function mulberry32(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
