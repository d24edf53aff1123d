/** Outcome of a test in one run. */
export interface TestObservation {
  commit: string;
  /** `flaky`: it failed, and passed when its runner repeated it. */
  outcome: 'passed' | 'failed' | 'flaky' | 'skipped';
  /** Share of the tests of the run that failed; 0 for a run of few tests. */
  runFailureShare: number;
}

/**
 * `new`: failing since its first run, while the suite ran before without it. `unknown`: too few runs, or failing in every one
 * that is known.
 */
export type TestState = 'passing' | 'flaky' | 'broken' | 'new' | 'unknown';

/** State of a test with its evidence. */
interface TestVerdict {
  state: TestState;
  /** Newest good commit before the break; null where none is known. */
  good: string | null;
  /** First bad commit that was tested; null unless broken or new. */
  bad: string | null;
  /** Commits of which one broke it: those that `bad` has and no good commit has. */
  candidates: number;
  /** Commits with both outcomes, newest first. */
  mixed: string[];
  /** Failures that ended without a break, and runs, before the present state. */
  failures: number;
  runs: number;
}

interface History {
  /** In the order of upload. */
  observations: readonly TestObservation[];
  /** Parents of commits; a commit without an entry has none. */
  graph: ReadonlyMap<string, readonly string[]>;
  head: string;
  /** Commits of runs of the suite. */
  suiteCommits: ReadonlySet<string>;
}

/** A run in which this share fails is an outage, not evidence about one test. */
const OUTAGE_SHARE = 0.5;
/** Isolated failures from which a test without a repeated run counts as flaky. */
const MIN_ISOLATED_FAILURES = 3;
/** Probability below which a series of equal outcomes is no chance of a flaky test. */
const MAX_CHANCE_OF_FAILURES = 0.02;
const MAX_CHANCE_OF_PASSES = 0.02;
const MAX_MIXED = 10;

/** Counts of one commit. */
interface Tally {
  passed: number;
  failed: number;
}

/**
 * Decides between flaky and broken. Both outcomes at one commit, or several failures that ended by themselves, are flaky; failures
 * that continue to the head are a break, unless a test that flakes this often would fail so often by chance. The break lies among
 * the commits that the first bad one has and no good one has, as in `git bisect`.
 */
export function classifyTest({ observations, graph, head, suiteCommits }: History): TestVerdict {
  const ofHead = withAncestors(graph, [head]);
  const tallies = countOutcomes(observations.filter(({ commit }) => ofHead.has(commit)));
  const tested = [...ofHead].filter((commit) => tallies.has(commit)).reverse();
  const verdict: TestVerdict = {
    state: 'unknown',
    good: null,
    bad: null,
    candidates: 0,
    mixed: [],
    failures: 0,
    runs: 0,
  };
  if (tested.length === 0) return verdict;
  const isBad = (commit: string) => tallies.get(commit)!.passed === 0;
  const isGood = (commit: string) => tallies.get(commit)!.failed === 0;
  // All that a commit with a pass has is older than that pass.
  const beforePass = withAncestors(
    graph,
    tested.filter((commit) => !isBad(commit)),
  );
  const open = tested.filter((commit) => isBad(commit) && !beforePass.has(commit));
  const earlier = tested.filter((commit) => !open.includes(commit));
  const sum = (commits: string[], key: keyof Tally) =>
    commits.reduce((total, commit) => total + tallies.get(commit)![key], 0);
  verdict.mixed = earlier
    .filter((commit) => !isBad(commit) && !isGood(commit))
    .toReversed()
    .slice(0, MAX_MIXED);
  verdict.failures = sum(earlier, 'failed');
  verdict.runs = verdict.failures + sum(earlier, 'passed');
  const rate = (verdict.failures + 0.5) / (verdict.runs + 1);
  const isFlaky = verdict.mixed.length > 0 || countIsolated(earlier, isBad) >= MIN_ISOLATED_FAILURES;
  if (open.length > 0 && !(isFlaky && rate ** sum(open, 'failed') > MAX_CHANCE_OF_FAILURES))
    return { ...verdict, ...locateBreak(open, tested.filter(isGood), graph, suiteCommits, verdict.runs) };
  if (!isFlaky)
    return { ...verdict, state: verdict.failures === 0 && verdict.runs === 0 ? 'unknown' : 'passing' };
  const lastFailure = tested.findLastIndex((commit) => !isGood(commit));
  const passes = sum(tested.slice(lastFailure + 1), 'passed');
  const rateBefore = (verdict.failures + 0.5) / (verdict.runs - passes + 1);
  return { ...verdict, state: (1 - rateBefore) ** passes > MAX_CHANCE_OF_PASSES ? 'flaky' : 'passing' };
}

/** Range of the break: from the good commits before the oldest open failure to that failure. */
function locateBreak(
  open: readonly string[],
  goods: readonly string[],
  graph: History['graph'],
  suiteCommits: ReadonlySet<string>,
  runs: number,
): Pick<TestVerdict, 'state' | 'good' | 'bad' | 'candidates'> {
  const [bad = ''] = open;
  const before = withAncestors(graph, [bad]);
  const goodBefore = goods.filter((commit) => before.has(commit));
  const known = withAncestors(graph, goodBefore);
  const candidates = [...before].filter((commit) => !known.has(commit)).length;
  const good = goodBefore.at(-1) ?? null;
  if (good !== null) return { state: 'broken', good, bad, candidates };
  const suiteBefore = [...before].find((commit) => commit !== bad && suiteCommits.has(commit)) ?? null;
  if (suiteBefore !== null && runs === 0) {
    const older = withAncestors(
      graph,
      [...suiteCommits].filter((commit) => before.has(commit) && commit !== bad),
    );
    const added = [...before].filter((commit) => !older.has(commit)).length;
    return { state: 'new', good: suiteBefore, bad, candidates: added };
  }
  return { state: 'unknown', good: null, bad, candidates };
}

function countOutcomes(observations: readonly TestObservation[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const { commit, outcome, runFailureShare } of observations) {
    if (outcome === 'skipped' || (outcome === 'failed' && runFailureShare >= OUTAGE_SHARE)) continue;
    const tally = tallies.get(commit) ?? { passed: 0, failed: 0 };
    if (outcome !== 'failed') tally.passed++;
    if (outcome !== 'passed') tally.failed++;
    tallies.set(commit, tally);
  }
  return tallies;
}

/** Counts series of bad commits that a pass ended. */
function countIsolated(commits: readonly string[], isBad: (commit: string) => boolean): number {
  return commits.filter((commit, index) => isBad(commit) && (index === 0 || !isBad(commits[index - 1]!)))
    .length;
}

/** Commits with all their ancestors in the graph, children before their parents. */
export function withAncestors(graph: History['graph'], commits: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const finished: string[] = [];
  const stack = commits.map((commit) => ({ commit, isDone: false }));
  while (stack.length > 0) {
    const { commit, isDone } = stack.pop()!;
    if (isDone) finished.push(commit);
    else if (!seen.has(commit)) {
      seen.add(commit);
      stack.push({ commit, isDone: true });
      for (const parent of graph.get(commit) ?? []) stack.push({ commit: parent, isDone: false });
    }
  }
  return new Set(finished.reverse());
}
