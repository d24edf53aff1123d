import type { RunReport, UntestableReason } from './runner.ts';
import { isSameFailure } from './same-failure.ts';

/** End of a command, as a sandbox or a shell reports it. */
export interface CommandEnd {
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** Limit that ended it. */
  limit: keyof typeof LIMIT_REASONS | null;
  /** Standard output and error in the order of printing. */
  output: string;
  ms: number;
}

/** Reasons by the limit of a sandbox that ended a command. */
const LIMIT_REASONS = {
  time: 'time',
  cpu: 'time',
  memory: 'memory',
  processes: 'memory',
  disk: 'output',
  output: 'output',
} as const;
/** 125 skips a revision in `git bisect run`; a shell ends with 126 and 127 when it cannot execute the command. */
const SKIP_EXIT_CODES = new Set([125, 126, 127]);
/** Signals from outside; crashes such as SIGSEGV and SIGABRT are failures of the program. */
const OUTSIDE_SIGNALS = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGXCPU', 'SIGXFSZ']);
const OUTSIDE_SIGNAL_EXIT_CODES = new Set([129, 130, 137, 143, 152, 153]);

/** Lines of runners that executed no test: the named one does not exist at this revision, or was skipped. */
const NO_TESTS = [
  /^=+ (?:no tests ran|(?:\d+ (?:deselected|skipped|warnings?)(?:, )?)+) in [\d.]+s/m,
  /^(?:\d+ (?:skipped|deselected)(?:, \d+ \w+)*|no tests ran) in [\d.]+s/m,
  /^ERROR: (?:not found|file or directory not found|found no collectors for): /m,
  /^Ran 0 tests in /m,
  /^(?:testing: warning: no tests to run$|ok\s+\S+\s+(?:[\d.]+s|\(cached\))\s+\[no tests to run\])/m,
  /^No tests found, exiting with code 1/m,
  /^No test files found, exiting/m,
  /^ *0 passing(?: \(|$)/m,
  /^(?:# |ℹ )tests 0$/m,
  /^No tests executed!/m,
  /^0 examples, 0 failures/m,
  /^No test matches the given testcase filter/m,
  /No tests (?:were executed|matching pattern)/,
  /No tests found for given includes/,
  /^npm (?:ERR!|error) Missing script: /im,
  /^make: \*\*\* No rule to make target /m,
];

/** Lines of a build, an import or a collection that failed before any test was executed. */
const BUILD_FAILED = [
  /^FAIL\s+\S+ \[(?:build|setup) failed\]/m,
  /^error(?:\[E\d+\])?: (?:could not compile|no test target named|no matching package)/m,
  /^\[ERROR\] COMPILATION ERROR/m,
  /^> Compilation (?:failed|error)/m,
  /: error CS\d{4}: /,
  /^make(?:\[\d+\])?: \*\*\* \[.*\.(?:o|lo|a|so)\] Error /m,
  /(?:^|\n)(?:E {3})?(?:ImportError while (?:importing test module|loading conftest)|ModuleNotFoundError: )/,
  /^ImportError: Failed to import test module/m,
  /Interrupted: \d+ errors? during collection/,
  /^ {2}● Test suite failed to run/m,
  /^Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find (?:module|package) '/m,
];

/**
 * Classifies the end of a command. 0 is good and any other exit code bad, except that the revision cannot be tested (`skip`) when
 *
 * - the exit code is 125, 126 or 127, or a signal from outside or a limit of time, memory or output ended the command,
 * - no test was executed,
 * - a failure is expected, and it fails in another way, or in a build, an import or a collection before any test.
 *
 * Without an expected failure every one counts, a broken build too: it may be what is searched for.
 */
export function classifyRun(end: CommandEnd, expected: string | null = null): RunReport {
  const { output, ms } = end;
  const skip = (skipReason: UntestableReason): RunReport => ({ outcome: 'skip', skipReason, output, ms });
  if (end.limit !== null) return skip(LIMIT_REASONS[end.limit]);
  if (isKilled(end)) return skip('killed');
  if (end.exitCode !== null && SKIP_EXIT_CODES.has(end.exitCode)) return skip('exit_code');
  if (NO_TESTS.some((line) => line.test(output)) && !hasPassed(output)) return skip('no_tests');
  if (end.exitCode === 0) return { outcome: 'good', skipReason: null, output, ms };
  if (expected === null || isSameFailure(expected, output))
    return { outcome: 'bad', skipReason: null, output, ms };
  return skip(BUILD_FAILED.some((line) => line.test(output)) ? 'build' : 'other_failure');
}

function isKilled({ exitCode, signal }: CommandEnd): boolean {
  if (signal !== null) return OUTSIDE_SIGNALS.has(signal);
  return exitCode !== null && OUTSIDE_SIGNAL_EXIT_CODES.has(exitCode);
}

/** True when some runner of the output executed a test: `go test ./...` names packages without any as well. */
function hasPassed(output: string): boolean {
  return /\b[1-9]\d* (?:passed|passing|failed|failing)\b|^ok\s+\S+\s+[\d.]+s$|^--- (?:PASS|FAIL)|^(?:# |ℹ )(?:pass|fail) [1-9]/m.test(
    output,
  );
}
