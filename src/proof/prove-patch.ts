import { parseTestLog } from '#test-reports/parse-log.ts';
import type { CommandRunner, RunReport } from './runner.ts';

/**
 * Result of testing a patch. Only `verified` says that it works:
 *
 * - `not_red`: the command does not fail without the patch
 * - `not_green`: it fails with the patch, at once or when it is repeated
 * - `untestable`: one of the runs says nothing
 * - `worse`: other tests fail that did not before
 */
type PatchVerdict = 'verified' | 'not_red' | 'not_green' | 'untestable' | 'worse';

/** Step of a verification, in the order of execution. */
export type VerificationStep = 'before' | 'after' | 'after_again' | 'wider_before' | 'wider_after';

export interface PatchVerification {
  verdict: PatchVerdict;
  runs: { step: VerificationStep; run: RunReport }[];
  /** Tests that fail with the patch only. */
  newFailures: string[];
}

interface VerifyOptions {
  /** Full hash of the commit that the patch applies to. */
  commit: string;
  command: string;
  /** Command of the tests around it; null to leave them out. */
  widerCommand: string | null;
  patch: string;
  onRun?: (step: VerificationStep, run: RunReport) => void;
  signal: AbortSignal;
}

const MAX_NEW_FAILURES = 50;

/**
 * Tests a patch: the command fails before it, passes after it twice, and the wider command fails in no further test. The wider
 * command runs only if the command itself is green.
 */
export async function provePatch(runner: CommandRunner, options: VerifyOptions): Promise<PatchVerification> {
  const { commit, command, widerCommand, patch, onRun, signal } = options;
  const runs: PatchVerification['runs'] = [];
  const execute = async (step: VerificationStep) => {
    const target = {
      commit,
      command: step.startsWith('wider') ? widerCommand! : command,
      patch: step.includes('before') ? null : patch,
    };
    const run = await runner(target, signal);
    runs.push({ step, run });
    onRun?.(step, run);
    return run;
  };
  const end = (verdict: PatchVerdict, newFailures: string[] = []) => ({ verdict, runs, newFailures });

  const before = await execute('before');
  if (before.outcome !== 'bad') return end(before.outcome === 'good' ? 'not_red' : 'untestable');
  for (const step of ['after', 'after_again'] as const) {
    const { outcome, skipReason } = await execute(step);
    if (outcome === 'good') continue;
    return end(outcome === 'bad' || skipReason === 'other_failure' ? 'not_green' : 'untestable');
  }
  if (widerCommand === null || widerCommand === command) return end('verified');
  const [was, is] = [await execute('wider_before'), await execute('wider_after')];
  if (is.outcome === 'good') return end('verified');
  if (was.outcome === 'good') return end('worse', failedTests(is).slice(0, MAX_NEW_FAILURES));
  return compareFailures(was, is, end);
}

/** Compares runs that both fail by their failed tests; runs without named tests say nothing. */
function compareFailures(
  was: RunReport,
  is: RunReport,
  end: (verdict: PatchVerdict, newFailures?: string[]) => PatchVerification,
): PatchVerification {
  const known = new Set(failedTests(was));
  const now = failedTests(is);
  if (known.size === 0 || now.length === 0) return end('untestable');
  const added = now.filter((name) => !known.has(name));
  return added.length === 0 ? end('verified') : end('worse', added.slice(0, MAX_NEW_FAILURES));
}

/** Names of the failed tests of a run, as its runner prints them. */
function failedTests({ output }: RunReport): string[] {
  const { failures } = parseTestLog(output);
  return failures
    .filter(({ runner }) => runner !== null)
    .map(({ name, file }) => `${file ?? ''} ${name}`.trim());
}
