import { runResultKey } from '../run-result-key.ts';
import {
  type CommandRunner,
  type ResultStore,
  type RunOutcome,
  type RunReport,
  runWithLines,
} from '../runner.ts';
import { Bisection, type BisectionState } from './bisection.ts';
import type { CommitRange } from './commit-range.ts';
import { weighCommits, weighExecutedCommits } from './weigh-commits.ts';

interface BisectOptions {
  command: string;
  range: CommitRange;
  /** Probabilities of suspects by their full hashes, of the unfiltered ranking; empty without any. */
  suspects: ReadonlyMap<string, number>;
  /** Kept results; those of equal trees within this search are always shared. */
  results?: ResultStore | undefined;
  /** Whatever decides outcomes beside command and tree, such as the set-up. */
  setup?: string | undefined;
  /** Good runs after which a commit is good, for a command that fails only sometimes; 1 when absent. */
  repeat?: number | undefined;
  /** Executions after which the search is given up; `MAX_RUNS` when absent. */
  maxRuns?: number | undefined;
  onEvent?: ((event: BisectEvent) => void) | undefined;
  signal: AbortSignal;
}

/** Tests that are left. */
interface TestsLeft {
  likely: number;
  atMost: number;
}

/** Progress of a search. */
export type BisectEvent =
  | { type: 'start'; commit: string; purpose: RunPurpose; candidates: number; testsLeft: TestsLeft }
  | { type: 'run'; run: BisectRun; output: string; candidates: number; testsLeft: TestsLeft };

/** Purpose of a run: an end of the range, a suspect or its parent, a step between, or a repetition. */
type RunPurpose = 'bad' | 'good' | 'suspect' | 'bisect' | 'repeat';

/** One outcome of a commit in a search. */
interface BisectRun extends Pick<RunReport, 'outcome' | 'skipReason' | 'ms'> {
  /** Full hash. */
  commit: string;
  purpose: RunPurpose;
  /** True when the outcome was known, so that nothing was executed. */
  isKept: boolean;
}

export interface BisectResult {
  state: Exclude<BisectionState, 'running'>;
  /** Full hash; null unless `found`. */
  firstBad: string | null;
  /** Commits that can be the first bad one, newest first: one if it was found. */
  candidates: string[];
  /** In the order of the search; the executions are those that are not kept. */
  runs: BisectRun[];
}

const MAX_RUNS = 250;
/** Likeliest suspects whose tests are named as such. */
const MAX_NAMED_SUSPECTS = 10;

/**
 * Finds the first bad commit by executing a command. The same outcomes lead to the same search, so one that was interrupted goes on
 * from its kept results.
 */
export async function bisect(runner: CommandRunner, options: BisectOptions): Promise<BisectResult> {
  const { range, suspects, maxRuns = MAX_RUNS, onEvent, signal } = options;
  const weights = weighCommits(range, suspects);
  const search = new Bisection(range, weights);
  const purposeOf = nameRuns(range, suspects);
  const execute = executeOnce(runner, options);
  const runs: BisectRun[] = [];
  for (let commit = search.next(); commit !== null; commit = search.next()) {
    signal.throwIfAborted();
    if (runs.length >= maxRuns) break;
    const state = () => ({ candidates: search.candidateCount, testsLeft: search.testsLeft() });
    const purpose = purposeOf(commit);
    onEvent?.({ type: 'start', commit, purpose, ...state() });
    const tested = await testCommit(commit, execute, options.repeat ?? 1);
    search.record(commit, tested.at(-1)!.report.outcome);
    const { lines } = tested[0]!.report;
    if (lines && commit === range.oids[0]) search.reweigh(weighExecutedCommits(range, weights, lines));
    for (const [repetition, { report, isKept }] of tested.entries()) {
      const { outcome, skipReason, ms, output } = report;
      const why = repetition === 0 ? purpose : 'repeat';
      const run: BisectRun = { commit, purpose: why, outcome, skipReason, ms, isKept };
      runs.push(run);
      onEvent?.({ type: 'run', run, output, ...state() });
    }
  }
  const state = search.state === 'running' ? 'inconclusive' : search.state;
  return { state, firstBad: search.firstBad, candidates: search.candidates(), runs };
}

/** Names the purpose of testing a commit. */
function nameRuns(
  { oids, parents }: CommitRange,
  suspects: ReadonlyMap<string, number>,
): (commit: string) => RunPurpose {
  const likeliest = [...suspects].sort((a, b) => b[1] - a[1]).slice(0, MAX_NAMED_SUSPECTS);
  const named = new Set(likeliest.map(([oid]) => oid));
  const numbers = new Map(oids.map((oid, number) => [oid, number]));
  for (const [oid] of likeliest)
    for (const parent of parents[numbers.get(oid) ?? -1] ?? []) named.add(oids[parent]!);
  return (commit) => {
    const number = numbers.get(commit);
    if (number === undefined) return 'good';
    return number === 0 ? 'bad' : named.has(commit) ? 'suspect' : 'bisect';
  };
}

interface TestedRun {
  report: RunReport;
  isKept: boolean;
}

type ExecuteCommit = (commit: string, repetition: number) => Promise<TestedRun>;

/** Executes until the outcome is not good, at most `repeat` times. */
async function testCommit(commit: string, execute: ExecuteCommit, repeat: number): Promise<TestedRun[]> {
  const tested: TestedRun[] = [];
  let outcome: RunOutcome = 'good';
  for (let repetition = 0; repetition < repeat && outcome === 'good'; repetition++) {
    const one = await execute(commit, repetition);
    tested.push(one);
    outcome = one.report.outcome;
  }
  return tested;
}

/** Executes the command at a commit, unless the result of its tree is kept. */
function executeOnce(runner: CommandRunner, options: BisectOptions): ExecuteCommit {
  const { command, range, results, setup, signal } = options;
  const numbers = new Map(range.oids.map((oid, number) => [oid, number]));
  const own = new Map<string, RunReport>();
  return async (commit, repetition) => {
    const number = numbers.get(commit);
    // Commits outside the range have unknown trees; they are tested once.
    const tree = number === undefined ? commit : range.trees[number]!;
    const parts = repetition === 0 ? setup : `${setup ?? ''} ${repetition}`;
    const key = runResultKey({ command, tree, setup: parts });
    const kept = own.get(key) ?? (await results?.get(key)) ?? null;
    if (kept) return { report: kept, isKept: true };
    const target = { commit, command, patch: null };
    const isBadEnd = number === 0 && repetition === 0;
    const report = isBadEnd ? await runWithLines(runner, target, signal) : await runner(target, signal);
    own.set(key, report);
    await results?.set(key, report);
    return { report, isKept: false };
  };
}
