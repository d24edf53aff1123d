/** Outcome of one execution, in the words of `git bisect`: `skip` says that the revision cannot be tested. */
export type RunOutcome = 'good' | 'bad' | 'skip';

/** Reason why a revision cannot be tested. */
export type UntestableReason =
  | 'exit_code'
  | 'killed'
  | 'time'
  | 'memory'
  | 'output'
  | 'no_tests'
  | 'build'
  | 'other_failure'
  | 'checkout';

/** A command to execute, and the files to execute it on. */
export interface RunTarget {
  /** Full hash. */
  commit: string;
  command: string;
  /** Unified diff to apply to the checkout first; null for the revision itself. */
  patch: string | null;
  /** Records which lines are executed, where the runtime can. */
  recordsLines?: boolean;
}

/** One execution with its classified outcome. */
export interface RunReport {
  outcome: RunOutcome;
  /** Null unless the outcome is `skip`. */
  skipReason: UntestableReason | null;
  output: string;
  ms: number;
  /** Executed lines by the full hash of the commit that wrote them, if they were recorded. */
  lines?: Readonly<Record<string, number>> | undefined;
}

/**
 * Executes a command on a checkout of its own: in a sandbox, in a worktree, or by replaying a log. Rejects only when it was
 * aborted or could not work at all; what happens to the command is an outcome.
 */
export type CommandRunner = (target: RunTarget, signal: AbortSignal) => Promise<RunReport>;

/** Executes a command that is expected to fail, and records its lines unless the recording changes the outcome. */
export async function runWithLines(
  runner: CommandRunner,
  target: RunTarget,
  signal: AbortSignal,
): Promise<RunReport> {
  const recorded = await runner({ ...target, recordsLines: true }, signal);
  return recorded.outcome === 'bad' || recorded.lines === undefined ? recorded : await runner(target, signal);
}

/** Outcomes of earlier executions, by `runResultKey`. A store may forget. */
export interface ResultStore {
  get(key: string): Promise<RunReport | null>;
  set(key: string, run: RunReport): Promise<void>;
}
