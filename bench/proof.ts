import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openBisectWorktree } from '../src/cli/bisect-worktree.ts';
import { buildIndex } from '../src/memory/index/build-index.ts';
import { openIndex, readGeneration } from '../src/memory/index/generation-reader.ts';
import type { RepositoryIndex } from '../src/memory/repository-index.ts';
import { bisect } from '../src/proof/bisection/bisect.ts';
import { type CommitRange, readCommitRange } from '../src/proof/bisection/commit-range.ts';
import { estimateSuspects } from '../src/proof/suspect-probabilities.ts';
import { findRepository } from './options.ts';
import { type ProofFault, readFaults, writeTests } from './proof/faults.ts';
import { REPOSITORIES } from './proof/repositories.ts';
import { type FaultyHistory, rewriteHistory } from './proof/rewrite-history.ts';
import { percentile } from './speed-timing.ts';

/*
 * npm run bench:proof -- --repositories DIR [--dependencies DIR] [--only ID]… [--out FILE]
 *
 * Finds the first bad commit of the regressions in `proof/faults.jsonl` by running their tests, with the suspects that the product
 * itself names from the failing output, and counts the runs beside those of `git bisect` between the same ends. Those that `--out`
 * has from an earlier run are not run again.
 */

const { values } = parseArgs({
  options: {
    repositories: { type: 'string' },
    dependencies: { type: 'string', default: '' },
    only: { type: 'string', multiple: true },
    out: { type: 'string' },
  },
});
if (!values.repositories) throw new Error('Name the folder of the repositories: --repositories DIR');

const TIMEOUT_MS = 120_000;
const MAX_ERROR_LENGTH = 60_000;

interface Outcome {
  id: string;
  repository: string;
  language: string;
  /** Commits between the ends. */
  commits: number;
  state: string;
  /** Full hash of what was found, in the copy of the history. */
  found: string | null;
  isRight: boolean;
  /** Commits whose lines the failing run executed. */
  executed: number;
  runs: number;
  skipped: number;
  plain: number;
  /** Rank of the culprit among the suspects; 0 where it is none. */
  rank: number;
  indexMs: number;
  rankMs: number;
  runMs: number;
}

const chosen = readFaults().filter(
  ({ id, repository }) => values.only?.some((name) => name === id || name === repository) ?? true,
);
const outcomes = readOutcomes().filter(({ id }) => chosen.some((fault) => fault.id === id));
for (const [name, faults] of Map.groupBy(chosen, ({ repository }) => repository)) {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-proof-'));
  const indexes = { directory: join(folder, 'index'), previous: null as string | null };
  try {
    for (const fault of faults)
      if (!outcomes.some(({ id }) => id === fault.id))
        outcomes.push(await prove(fault, join(folder, fault.id), indexes));
  } catch (error) {
    console.error(name, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
printTables(outcomes);

/** Reads the outcomes of an earlier run. */
function readOutcomes(): Outcome[] {
  if (!values.out || !existsSync(values.out)) return [];
  const lines = readFileSync(values.out, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

/** Generations of the indexes of a repository, which share what is equal. */
interface IndexFolder {
  directory: string;
  previous: string | null;
}

async function prove(fault: ProofFault, folder: string, indexes: IndexFolder): Promise<Outcome> {
  await mkdir(folder);
  const history = await rewriteHistory(findRepository(values.repositories!, fault.repository), fault, folder);
  const { repo, good, bad, culprit } = history;
  const signal = new AbortController().signal;
  const began = performance.now();
  const index = await indexHistory(history, indexes);
  const indexed = performance.now();
  const repository = REPOSITORIES.find(({ name }) => name === fault.repository)!;
  const additions = [
    ...(repository.dependencies
      ? [{ path: 'node_modules', from: join(values.dependencies, repository.dependencies) }]
      : []),
    ...writeTests(repo, fault, join(folder, 'tests')),
  ];
  const worktree = await openBisectWorktree({
    repo,
    commit: bad,
    setup: null,
    additions,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    const { command } = fault;
    // The search begins with this run.
    const failing = await worktree.runner({ commit: bad, command, patch: null, recordsLines: true }, signal);
    const report = { error_message: failing.output.slice(-MAX_ERROR_LENGTH) };
    const now = new Date(1000 * (index.commits.time(0) + 86_400)).toISOString();
    const ran = performance.now();
    const suspects = await estimateSuspects(report, { repo, index, sessions: [], now, signal });
    const ranked = performance.now();
    const range = await readCommitRange(repo, { good, bad, signal });
    worktree.expected = failing.output;
    let isFirst = true;
    const result = await bisect(
      async (target, aborted) => {
        const isBadEnd = isFirst && target.commit === bad;
        isFirst = false;
        return isBadEnd ? failing : await worktree.runner(target, aborted);
      },
      { command, range, suspects, signal },
    );
    const order = [...suspects].sort((a, b) => b[1] - a[1]).map(([oid]) => oid);
    const outcome = {
      ...{ id: fault.id, repository: fault.repository, language: repository.language },
      commits: range.oids.length,
      state: failing.outcome === 'bad' ? result.state : 'not_reproduced',
      found: result.firstBad,
      isRight: result.firstBad === culprit,
      executed: Object.keys(failing.lines ?? {}).length,
      runs: result.runs.filter(({ isKept }) => !isKept).length,
      skipped: result.runs.filter(({ outcome }) => outcome === 'skip').length,
      plain: countPlainRuns(history, range),
      rank: order.indexOf(culprit) + 1,
      indexMs: Math.round(indexed - began),
      rankMs: Math.round(ranked - ran),
      runMs: result.runs.reduce((sum, { ms }) => sum + ms, 0),
    };
    console.error(JSON.stringify(outcome));
    if (values.out) appendFileSync(values.out, `${JSON.stringify(outcome)}\n`);
    return outcome;
  } finally {
    await worktree.remove();
  }
}

async function indexHistory({ repo, bad }: FaultyHistory, indexes: IndexFolder): Promise<RepositoryIndex> {
  const { directory, previous } = indexes;
  await mkdir(directory, { recursive: true });
  await buildIndex({
    ...{ repo, revision: bad, directory, previous, signal: new AbortController().signal },
    limits: { maxFileBytes: 2 ** 20, maxEntries: 2_000_000 },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      indexes.previous = name;
    },
  });
  return openIndex(await readGeneration(directory, indexes.previous!));
}

/** Runs of `git bisect` with both ends, by git itself: the commit that it would test next, and the known outcome of it. */
function countPlainRuns({ repo, good, bad, culprit }: FaultyHistory, range: CommitRange): number {
  const faulty = new Set([range.oids.indexOf(culprit)]);
  for (let number = range.oids.length - 1; number >= 0; number--)
    if (range.parents[number]!.some((parent) => faulty.has(parent))) faulty.add(number);
  const isFaulty = new Set([...faulty].map((number) => range.oids[number]));
  let head = bad;
  const goods = [good];
  for (let runs = 2; ; runs++) {
    const args = ['rev-list', '--bisect', head, '--not', ...goods];
    const next = execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
    if (next === head || next === '') return runs;
    if (isFaulty.has(next)) head = next;
    else goods.push(next);
  }
}

function printTables(all: readonly Outcome[]): void {
  const columns = [
    'regressions',
    'right',
    'inconclusive',
    'wrong',
    'commits',
    'culprit first',
    'in ten',
    'executed',
    'runs',
    'plain',
    'ratio',
  ];
  console.log(`| repository | ${columns.join(' | ')} |\n|---|${'--:|'.repeat(columns.length)}`);
  for (const [name, some] of Map.groupBy(all, ({ repository }) => repository)) printRow(name, some);
  for (const [name, some] of Map.groupBy(all, ({ language }) => language)) printRow(name, some);
  printRow('all', all);
  const behind = Math.max(...all.map(({ runs, skipped, plain }) => runs - skipped - plain));
  console.log(
    `\nMost runs beyond plain bisection: ${behind}. Skipped: ${all.reduce((sum, { skipped }) => sum + skipped, 0)}.`,
  );
}

function printRow(name: string, some: readonly Outcome[]): void {
  const median = (value: (outcome: Outcome) => number) => percentile(some.map(value), 0.5);
  const count = (test: (outcome: Outcome) => boolean) => some.filter(test).length;
  const cells = [
    ...[some.length, count(({ isRight }) => isRight), count(({ state }) => state === 'inconclusive')],
    count(({ state, isRight }) => state === 'found' && !isRight),
    ...[median(({ commits }) => commits), count(({ rank }) => rank === 1)],
    ...[count(({ rank }) => rank > 0 && rank <= 10), median(({ executed }) => executed)],
    ...[median(({ runs }) => runs), median(({ plain }) => plain)],
    median(({ runs, plain }) => runs / plain).toFixed(2),
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
