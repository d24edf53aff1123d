import { type CommandRunner, type RunReport, type RunTarget, runWithLines } from './runner.ts';
import { isSameFailure } from './same-failure.ts';

/**
 * Result of executing a command several times at one revision:
 *
 * - `reproduced`: it fails every time, as expected
 * - `other_failure`: it fails every time, in another way
 * - `flaky`: it fails sometimes
 * - `passes`, `untestable`: it never fails, or cannot be tested
 */
type ReproductionState = 'reproduced' | 'other_failure' | 'flaky' | 'passes' | 'untestable';

export interface Reproduction {
  state: ReproductionState;
  runs: RunReport[];
  /** Good runs after which a commit counts as good in a search with this command; 1 unless it is flaky. */
  repeat: number;
}

/** Executions that must agree. */
const REPETITIONS = 3;
/** A flaky command is repeated until a bad commit is missed in one of so many cases. */
const MISSED_ONE_IN = 50;
const MAX_REPEAT = 10;

interface ReproduceOptions extends RunTarget {
  /** Text of the error; null when every failure counts. */
  expected: string | null;
  onRun?: (run: RunReport) => void;
  signal: AbortSignal;
}

/**
 * Executes a command three times: a failure is reproduced if it fails each time with the expected message. Outcomes that
 * disagree make the command flaky. A revision that cannot be tested is not tried again.
 */
export async function reproduce(runner: CommandRunner, options: ReproduceOptions): Promise<Reproduction> {
  const { expected, onRun, signal, ...target } = options;
  const runs: RunReport[] = [];
  while (runs.length < REPETITIONS) {
    // The first is the bad end of a later search.
    const run = await (runs.length === 0 ? runWithLines(runner, target, signal) : runner(target, signal));
    runs.push(run);
    onRun?.(run);
    if (run.outcome === 'skip') break;
  }
  return { ...judgeRuns(runs, expected), runs };
}

function judgeRuns(runs: readonly RunReport[], expected: string | null): Omit<Reproduction, 'runs'> {
  const bad = runs.filter(({ outcome }) => outcome === 'bad');
  const last = runs.at(-1)!;
  if (last.outcome === 'skip' && bad.length === 0) {
    return { state: last.skipReason === 'other_failure' ? 'other_failure' : 'untestable', repeat: 1 };
  }
  if (bad.length === 0) return { state: 'passes', repeat: 1 };
  if (bad.length < runs.length) return { state: 'flaky', repeat: repetitionsFor(bad.length / runs.length) };
  const isExpected = expected === null || bad.some(({ output }) => isSameFailure(expected, output));
  return { state: isExpected ? 'reproduced' : 'other_failure', repeat: 1 };
}

/** Good runs after which a commit with this share of failures is missed once in `MISSED_ONE_IN` cases. */
function repetitionsFor(failureShare: number): number {
  return Math.min(MAX_REPEAT, Math.ceil(Math.log(MISSED_ONE_IN) / -Math.log(1 - failureShare)));
}
