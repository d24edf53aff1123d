import { createHash } from 'node:crypto';
import type { ProofEnding, ProofRun } from '#contract/proofs.ts';
import { patchedTree } from '#git/apply.ts';
import { treeOf } from '#git/merge.ts';
import { type BisectResult, bisect } from '#proof/bisection/bisect.ts';
import { readCommitRange } from '#proof/bisection/commit-range.ts';
import { type PatchVerification, provePatch, type VerificationStep } from '#proof/prove-patch.ts';
import { type Reproduction, reproduce } from '#proof/reproduce.ts';
import { runResultKey } from '#proof/run-result-key.ts';
import type { ResultStore, RunReport } from '#proof/runner.ts';
import { isSameFailure } from '#proof/same-failure.ts';
import type { ProofRow } from './queries.ts';
import type { RunRecorder } from './record-runs.ts';
import type { SandboxRunner } from './sandbox-runner.ts';

/** Parts that a proof works with. */
interface ProofContext {
  proof: ProofRow;
  /** Absolute path of the bare repository. */
  repo: string;
  /** Text of the error that is proven. */
  errorText: string;
  runner: SandboxRunner;
  recorder: RunRecorder;
  results: ResultStore;
  /** Good runs after which a commit is good, by an earlier reproduction of the same command. */
  repeat: number;
  /** Probabilities of the suspects by full hash. */
  loadSuspects(): Promise<ReadonlyMap<string, number>>;
  signal: AbortSignal;
}

/** Conclusion of a proof. */
export interface ConcludedProof {
  ending: ProofEnding;
  first_bad?: string | null;
  verified_tree?: string | null;
}

/** First lines of a failure that a result shows. */
const MAX_FAILURE_LENGTH = 2_000;

/** Runs a proof to its conclusion. Rejects when it was aborted, or when the sandbox itself fails. */
export async function runProof(context: ProofContext): Promise<ConcludedProof> {
  const { kind } = context.proof;
  if (kind === 'reproduce') return await runReproduction(context);
  return kind === 'bisect' ? await runBisection(context) : await runVerification(context);
}

const REPRODUCTION_ENDINGS: Record<Reproduction['state'], ProofEnding> = {
  reproduced: 'reproduced',
  other_failure: 'other_message',
  flaky: 'flaky',
  passes: 'passes',
  untestable: 'untestable',
};

async function runReproduction(context: ProofContext): Promise<ConcludedProof> {
  const { proof, repo, errorText, runner, recorder, results, signal } = context;
  const { bad, command } = proof.request;
  let number = 0;
  recorder.start(bad, REPETITIONS);
  const reproduction = await reproduce(runner.run, {
    ...{ commit: bad, command, patch: null, expected: errorText, signal },
    onRun(run) {
      number++;
      recorder.add(bad, number === 1 ? 'bad' : 'repeat', run, Math.max(0, REPETITIONS - number));
      if (run.outcome !== 'skip' && number < REPETITIONS) recorder.start(bad, REPETITIONS - number);
    },
  });
  const { state, runs } = reproduction;
  recorder.result.failure = firstFailure(runs);
  recorder.result.repeat = reproduction.repeat;
  if (state === 'reproduced' || state === 'other_failure') {
    const tree = await treeOf(repo, bad);
    await results.set(runResultKey({ command, tree, setup: decisiveSetup(context) }), runs[0]!);
  }
  return { ending: REPRODUCTION_ENDINGS[state] };
}

/** Executions of a reproduction, as `reproduce` has them. */
const REPETITIONS = 3;

async function runBisection(context: ProofContext): Promise<ConcludedProof> {
  const { proof, repo, errorText, runner, recorder, results, repeat, signal } = context;
  const { good, bad, command } = proof.request;
  const range = await readCommitRange(repo, { good, bad, signal });
  let isSame = true;
  let isFirst = true;
  const found = await bisect(runner.run, {
    ...{ command, range, results, repeat, signal, suspects: await context.loadSuspects() },
    setup: decisiveSetup(context),
    onEvent(event) {
      const left = event.testsLeft.likely;
      if (event.type === 'start') return recorder.start(event.commit, left);
      const { commit, purpose, outcome, skipReason, ms, isKept } = event.run;
      const report = { outcome, skipReason, ms, output: event.output };
      if (isKept) recorder.reuse(commit, outcome, left);
      else recorder.add(commit, purpose, report, left);
      // The failure at the bad end is the one that counts from there on.
      if (isFirst && outcome === 'bad') {
        isSame = matchesError(errorText, event.output);
        runner.expected = isSame && isSameFailure(errorText, event.output) ? errorText : event.output;
        recorder.result.failure = firstFailure([report]);
      }
      isFirst = false;
    },
  });
  recorder.result.candidates =
    found.state === 'inconclusive' ? found.candidates.slice(0, MAX_CANDIDATES) : [];
  return { ending: bisectionEnding(found, isSame), first_bad: found.firstBad };
}

const MAX_CANDIDATES = 100;

function bisectionEnding({ state }: BisectResult, isSame: boolean): ProofEnding {
  if (state === 'found') return isSame ? 'proven' : 'proven_failure';
  if (state === 'inconclusive') return 'inconclusive';
  if (state === 'good_end_bad') return 'fails_before';
  return state === 'bad_end_good' ? 'passes' : 'untestable';
}

/** False when the output names an error, and another one than the text. */
function matchesError(errorText: string, output: string): boolean {
  const namesError = !isSameFailure(output, '');
  return !namesError || isSameFailure(errorText, output);
}

const PURPOSES: Record<VerificationStep, ProofRun['purpose']> = {
  before: 'bad',
  after: 'patched',
  after_again: 'repeat',
  wider_before: 'check',
  wider_after: 'check_patched',
};

const VERIFICATION_ENDINGS: Record<PatchVerification['verdict'], ProofEnding> = {
  verified: 'verified',
  not_red: 'passes',
  not_green: 'still_fails',
  untestable: 'untestable',
  worse: 'check_worse',
};

async function runVerification({
  proof,
  repo,
  runner,
  recorder,
  signal,
}: ProofContext): Promise<ConcludedProof> {
  const { bad: commit, command, check: widerCommand } = proof.request;
  const patch = proof.request.patch!.text;
  const planned = widerCommand === null || widerCommand === command ? 3 : 5;
  let number = 0;
  recorder.start(commit, planned);
  const { verdict, runs, newFailures } = await provePatch(runner.run, {
    ...{ commit, command, widerCommand, patch, signal },
    onRun(step, run) {
      number++;
      recorder.add(commit, PURPOSES[step], run, Math.max(0, planned - number));
      if (number < planned) recorder.start(commit, planned - number);
    },
  });
  const shown = verdict === 'worse' ? newFailures.join('\n') : firstFailure(runs.map(({ run }) => run));
  recorder.result.failure = shown?.slice(0, MAX_FAILURE_LENGTH) ?? null;
  recorder.result.verified = verdict === 'verified';
  const verified_tree = verdict === 'verified' ? await patchedTree(repo, commit, patch) : null;
  return { ending: VERIFICATION_ENDINGS[verdict], verified_tree };
}

/** Whatever decides an outcome beside command and tree. */
function decisiveSetup({ proof, errorText }: ProofContext): string {
  const { setup, script } = proof.request;
  const text = JSON.stringify([setup, script, errorText]);
  return createHash('sha256').update(text).digest('hex');
}

/** End of the output of the first run that failed or could not be tested. */
function firstFailure(runs: readonly RunReport[]): string | null {
  const failed =
    runs.find(({ outcome }) => outcome === 'bad') ?? runs.find(({ outcome }) => outcome === 'skip');
  const text = failed?.output.replaceAll('\0', '').trim().slice(-MAX_FAILURE_LENGTH).toWellFormed();
  return text || null;
}
