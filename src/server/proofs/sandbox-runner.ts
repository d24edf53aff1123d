import { lstat, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { StoredProofRequest } from '#db/proof-tables.ts';
import { readFileAt } from '#git/file-at.ts';
import { type CommandEnd, classifyRun } from '#proof/classify-run.ts';
import { countExecutedLines } from '#proof/executed-lines/count-lines.ts';
import { readRecording } from '#proof/executed-lines/read-lines.ts';
import { prepareRecording, recordingCommand } from '#proof/executed-lines/record-lines.ts';
import type { RunReport, RunTarget } from '#proof/runner.ts';
import { PLACES } from '#sandbox/commands/bubblewrap.ts';
import { checkOut } from '#sandbox/commands/check-out.ts';
import { removeSandboxFolder } from '#sandbox/commands/remove-folder.ts';
import type { CommandResult, PreparedSetup, Sandbox } from '#sandbox/commands/sandbox.ts';

/** Prefix of the temporary folders of checkouts. */
const CHECKOUT_PREFIX = 'hindsight-proof-';

/** Prepares a checkout; the result of a set-up command, or the output of one that failed. */
export type PrepareCheckout = (
  target: RunTarget,
  signal: AbortSignal,
) => Promise<{ prepared: PreparedSetup } | { failure: string }>;

export interface SandboxRunner {
  /** Text of the failure that counts; null while every failure does. */
  expected: string | null;
  run(target: RunTarget, signal: AbortSignal): Promise<RunReport>;
}

interface RunnerOptions {
  sandbox: Sandbox;
  /** Absolute path of the bare repository. */
  repo: string;
  script: StoredProofRequest['script'];
  /** Prepares a checkout by the set-up command; null without one. */
  prepare: PrepareCheckout | null;
}

/** Runs a command on a new checkout each time, in the sandbox. */
export function createSandboxRunner({ sandbox, repo, script, prepare }: RunnerOptions): SandboxRunner {
  const runner: SandboxRunner = {
    expected: null,
    async run({ commit, command, patch, recordsLines }, signal) {
      const started = performance.now();
      const root = await mkdtemp(join(tmpdir(), CHECKOUT_PREFIX));
      const checkout = join(root, 'checkout');
      try {
        await checkOut(repo, commit, checkout, { patch, signal });
        if (script) await addScript(checkout, script);
        const setup = prepare ? await prepare({ commit, command, patch }, signal) : null;
        if (setup && 'failure' in setup) return untestable(setup.failure, performance.now() - started);
        const lines = recordsLines ? join(root, 'lines') : null;
        if (lines !== null) await prepareRecording(lines);
        const result = await sandbox.run({
          ...{ checkout, lines, signal, setup: setup ? setup.prepared : null },
          command: lines === null ? command : recordingCommand(command, PLACES.lines),
        });
        const report = classifyRun(toCommandEnd(result), runner.expected);
        return lines === null
          ? report
          : { ...report, lines: await countLines(lines, { repo, commit, signal }) };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof AppError) || error.code === 'internal') throw error;
        return untestable(error.message, performance.now() - started);
      } finally {
        await removeSandboxFolder(root);
      }
    },
  };
  return runner;
}

/** Counts the recorded lines by the commits that wrote them; none where the recording can't be read. */
async function countLines(
  folder: string,
  { repo, commit, signal }: { repo: string; commit: string; signal: AbortSignal },
): Promise<Record<string, number>> {
  const readSource = (path: string) => readFileAt(repo, commit, path).catch(() => null);
  const executed = await readRecording(folder, { root: PLACES.checkout, readSource });
  return await countExecutedLines(repo, executed, { commit, signal });
}

/** A revision that could not be checked out or prepared. */
function untestable(output: string, ms: number): RunReport {
  return { outcome: 'skip', skipReason: 'checkout', output, ms };
}

/** Writes a file into a checkout. Throws `bad_request` where a part of its path is a link or a file. */
async function addScript(
  checkout: string,
  { path, text }: NonNullable<StoredProofRequest['script']>,
): Promise<void> {
  const parts = path.split('/');
  let folder = checkout;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    const found = await lstat(folder).catch(() => null);
    if (found === null) await mkdir(folder);
    else if (!found.isDirectory()) throw new AppError('bad_request', 'path_through_file');
  }
  const file = join(folder, parts.at(-1)!);
  const found = await lstat(file).catch(() => null);
  if (found?.isDirectory()) throw new AppError('bad_request', 'path_is_folder');
  // A link is replaced instead of followed.
  await rm(file, { force: true });
  await writeFile(file, text, { flag: 'wx' });
}

function toCommandEnd({ exitCode, signal, output, limit, ms }: CommandResult): CommandEnd {
  if (limit === null) return { exitCode, signal, limit, output, ms };
  if (limit === 'time' || limit === 'cpu') return { exitCode, signal, limit: 'time', output, ms };
  if (limit === 'memory' || limit === 'output') return { exitCode, signal, limit, output, ms };
  return { exitCode: null, signal: 'SIGKILL', limit: null, output, ms };
}
