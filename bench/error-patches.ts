import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { answerError } from '../src/assistant/debug/answer-error.ts';
import { openBisectWorktree } from '../src/cli/bisect-worktree.ts';
import { checkPatch } from '../src/git/apply.ts';
import { formatDiff } from '../src/git/branches.ts';
import { revertTree } from '../src/git/revert.ts';
import { closeChangeIndex, openChangeIndex } from '../src/memory/changes/change-index.ts';
import { provePatch } from '../src/proof/prove-patch.ts';
import { type LabelledError, readErrors } from './error-sets.ts';
import { findRepository } from './options.ts';
import { type ProofFault, readFaults, writeTests } from './proof/faults.ts';
import { REPOSITORIES } from './proof/repositories.ts';
import { rewriteHistory } from './proof/rewrite-history.ts';
import { openQuestionIndex } from './question-index.ts';

/*
 * node bench/error-patches.ts --repositories DIR [--dependencies DIR] [--cache DIR] [--only ID]…
 *
 * Verifies patches for the errors of `bench/errors` whose tests run here: the one that the answer suggests, the revert of the culprit,
 * and the change of the maintainers without its tests. A test that the fix added is the command, all tests that it changed are the
 * wider command.
 */

const { values } = parseArgs({
  options: {
    repositories: { type: 'string', default: '' },
    dependencies: { type: 'string', default: '' },
    cache: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
});

const SETS = ['open', 'aside', 'aside-2', 'aside-3'];
const TIMEOUT_MS = 300_000;
const REPORT_DELAY_SECONDS = 86_400;
const AUTHOR = { name: 'Bench', email: 'bench@localhost', time: 1_000_000_000 };
const { signal } = new AbortController();

interface Outcome {
  id: string;
  source: string;
  verdict: string;
}

const errors = new Map(SETS.flatMap(readErrors).map((error) => [error.id, error]));
const outcomes: Outcome[] = [];
for (const fault of readFaults()) {
  const error = errors.get(fault.id);
  if (error && (values.only?.includes(fault.id) ?? true)) outcomes.push(...(await verifyAll(fault, error)));
}
printTable();

async function verifyAll(fault: ProofFault, error: LabelledError): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-patches-'));
  const { repo } = await rewriteHistory(findRepository(values.repositories, fault.repository), fault, folder);
  const repository = REPOSITORIES.find(({ name }) => name === fault.repository)!;
  const modules = repository.dependencies
    ? [{ path: 'node_modules', from: join(values.dependencies, repository.dependencies) }]
    : [];
  const additions = [...modules, ...writeTests(repo, fault, join(folder, 'tests'))];
  const options = { repo, commit: fault.bad, setup: null, additions, timeoutMs: TIMEOUT_MS };
  const worktree = await openBisectWorktree(options);
  const all: Outcome[] = [];
  try {
    for (const [source, patch] of Object.entries(await listPatches(repo, fault, error))) {
      const widerCommand = repository.suite(fault.tests!.paths);
      const request = { commit: fault.bad, command: fault.command, widerCommand, patch: patch ?? '', signal };
      const verdict = patch === null ? 'none' : (await provePatch(worktree.runner, request)).verdict;
      all.push({ id: fault.id, source, verdict });
      console.error(fault.id, source, verdict);
    }
  } finally {
    await worktree.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return all;
}

/** Patches by their source; null where there is none, or where it does not apply. */
async function listPatches(repo: string, fault: ProofFault, error: LabelledError) {
  const { bad, culprit, tests } = fault;
  const { tree, conflicts } = await revertTree(repo, { commit: culprit, head: bad, by: AUTHOR });
  const fix = execFileSync(
    'git',
    [
      'diff',
      '--binary',
      `${tests!.commit}^`,
      tests!.commit,
      '--',
      '.',
      ...tests!.paths.map((path) => `:!${path}`),
    ],
    { cwd: repo, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const applied = async (patch: string) =>
    patch === '' ? null : (await checkPatch(repo, bad, patch)).applies ? patch : null;
  return {
    'the answer’s own': await suggestPatch(repo, error),
    'revert of the culprit':
      conflicts.length > 0 ? null : await applied(await text(formatDiff(repo, { base: bad, head: tree }))),
    'change of the maintainers': await applied(fix),
  };
}

async function suggestPatch(repo: string, error: LabelledError): Promise<string | null> {
  const { repository, revision } = error;
  const opened = await openQuestionIndex(repo, revision, { name: repository, cache: values.cache });
  const { index } = opened;
  const hunks = openChangeIndex(opened.hunks);
  const reported = index.commits.time(index.commits.find(revision)) + REPORT_DELAY_SECONDS;
  const now = new Date(1000 * reported).toISOString();
  const { patch } = await answerError(error, { repo, index, hunks, sessions: [], now }, 'en');
  closeChangeIndex(opened.hunks);
  return patch;
}

function printTable(): void {
  const verdicts = ['verified', 'not_green', 'worse', 'not_red', 'untestable', 'none'];
  console.log(`| patch | errors | ${verdicts.join(' | ')} |\n|---|${'--:|'.repeat(verdicts.length + 1)}`);
  for (const [source, some] of Map.groupBy(outcomes, (outcome) => outcome.source)) {
    const counts = verdicts.map((verdict) => some.filter((outcome) => outcome.verdict === verdict).length);
    console.log(`| ${source} | ${some.length} | ${counts.join(' | ')} |`);
  }
}
