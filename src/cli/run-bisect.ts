import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { readCommitSummaries } from '#git/branches.ts';
import { type BisectEvent, type BisectResult, bisect } from '#proof/bisection/bisect.ts';
import { readCommitRange } from '#proof/bisection/commit-range.ts';
import { type Reproduction, reproduce } from '#proof/reproduce.ts';
import { runResultKey } from '#proof/run-result-key.ts';
import type { ResultStore } from '#proof/runner.ts';
import { shellCommand } from '#proof/shell-quote.ts';
import { estimateSuspects } from '#proof/suspect-probabilities.ts';
import { usageError } from './arguments.ts';
import { openResultFolder } from './bisect-results.ts';
import { type BisectWorktree, openBisectWorktree, resolveAdditions } from './bisect-worktree.ts';
import { findCheckout, openLocalRepository } from './local-repository.ts';
import type { CommandRun, ExitCode } from './run.ts';
import { findCheckoutCommit } from './why/branch-context.ts';

/** Options of `hindsight bisect`. */
export const BISECT_OPTIONS = ['good', 'bad', 'error', 'setup', 'with', 'timeout', 'fresh'];

const DEFAULT_TIMEOUT_S = 600;
/** Candidates of an inconclusive search that are printed. */
const MAX_PRINTED = 20;

/** A search on the command line, once its options are read. */
interface Search {
  run: CommandRun;
  repo: string;
  command: string;
  /** Full hash. */
  bad: string;
  good: string | null;
  /** Text of the error of `--error`. */
  errorText: string | null;
  worktree: BisectWorktree;
  /** Whatever decides outcomes beside command and tree. */
  setup: string;
  results: ResultStore | undefined;
}

/**
 * Runs `hindsight bisect -- COMMAND`: reproduces the failure, ranks suspects from its output, and finds the first bad commit, all
 * in a temporary worktree. Exit code 0: found; 1: not found, or the command does not fail.
 */
export async function runBisect(run: CommandRun): Promise<ExitCode> {
  const command = readCommand(run.words);
  const checkout = findCheckout(option(run, 'repo') ?? '.');
  if (checkout === null)
    throw new AppError('bad_request', 'not_a_git_repository', { params: { folder: '.' } });
  const bad = await requireCommit(checkout, option(run, 'bad') ?? 'HEAD');
  const typed = option(run, 'good');
  const good = typed === undefined ? null : await requireCommit(checkout, typed);
  const file = option(run, 'error');
  const errorText = file === undefined ? null : await readErrorFile(file);
  const setup = option(run, 'setup') ?? null;
  const additions = await resolveAdditions(option(run, 'repo') ?? '.', run.lists.get('with') ?? []);
  const timeoutMs = 1000 * readTimeout(run);
  const worktree = await openBisectWorktree({ repo: checkout, commit: bad, setup, additions, timeoutMs });
  try {
    const folder = join(option(run, 'cache') ?? run.config.cacheDir, 'bisect');
    return await search({
      ...{ run, repo: checkout, command, bad, good, errorText, worktree },
      setup: JSON.stringify([setup, additions]),
      // Added files may change between two runs.
      results: run.options.has('fresh') || additions.length > 0 ? undefined : openResultFolder(folder),
    });
  } finally {
    await worktree.remove();
  }
}

async function search(given: Search): Promise<ExitCode> {
  const { run, repo, command, bad, good, worktree, errorText } = given;
  const { terminal } = run;
  const { signal, tell } = terminal;
  const range = await readCommitRange(repo, { good, bad, signal });
  const reproduction = await reproduceFailure(given);
  if (reproduction.state !== 'reproduced' && reproduction.state !== 'flaky')
    return endUnreproduced(given, reproduction);
  const failure = reproduction.runs.find(({ outcome }) => outcome === 'bad')!.output;
  worktree.expected = errorText ?? failure;
  const { title, suspects } = await rankSuspectCommits(given, errorText ?? failure);
  tell(title);
  const tree = range.trees[0]!;
  const results = withResult(
    given.results,
    runResultKey({ command, tree, setup: given.setup }),
    reproduction,
  );
  const result = await bisect(worktree.runner, {
    ...{ command, range, suspects, results, setup: given.setup, signal, repeat: reproduction.repeat },
    onEvent: (event) => reportEvent(event, tell),
  });
  return await printResult(given, result);
}

async function reproduceFailure({ run, command, bad, worktree, errorText }: Search): Promise<Reproduction> {
  const { tell, signal } = run.terminal;
  worktree.expected = errorText;
  tell(`Running the command at ${bad.slice(0, 7)} three times …`);
  return await reproduce(worktree.runner, {
    ...{ commit: bad, command, patch: null, expected: errorText, signal },
    onRun: ({ outcome, skipReason, ms }) =>
      tell(`${bad.slice(0, 7)}  ${outcome}  ${reasonText(skipReason)}${ms} ms`),
  });
}

/** Suspects of the failure by the local index at HEAD; none where nothing can be indexed. */
async function rankSuspectCommits({ run }: Search, errorText: string) {
  const { tell, signal } = run.terminal;
  const folder = option(run, 'repo') ?? '.';
  const cache = option(run, 'cache') ?? run.config.cacheDir;
  const { repo, index } = await openLocalRepository({ folder, cache, onProgress: tell, signal });
  const now = new Date().toISOString();
  const deps = { repo, index, sessions: [], now, signal };
  const suspects = await estimateSuspects({ error_message: errorText.slice(-MAX_ERROR_LENGTH) }, deps);
  const [best] = [...suspects].sort((a, b) => b[1] - a[1]);
  const commit = best && index.commits.find(best[0]);
  const title =
    best === undefined || commit === undefined
      ? 'No suspects: plain bisection.'
      : `First suspect: ${best[0].slice(0, 7)} ${index.commits.subject(commit)}`;
  return { suspects, title };
}

/** Characters of an output from which suspects are ranked. */
const MAX_ERROR_LENGTH = 60_000;

/** The store with the result of the bad end, which was just executed. */
function withResult(store: ResultStore | undefined, key: string, { runs }: Reproduction): ResultStore {
  const bad = runs.find(({ outcome }) => outcome === 'bad')!;
  return {
    get: async (wanted) => (wanted === key ? bad : ((await store?.get(wanted)) ?? null)),
    set: async (wanted, report) => await store?.set(wanted, report),
  };
}

function reportEvent(event: BisectEvent, tell: (text: string) => void): void {
  if (event.type === 'start') return;
  const { run, candidates, testsLeft } = event;
  const { commit, outcome, skipReason, ms, isKept } = run;
  const time = isKept ? 'known' : `${ms} ms`;
  const commits = candidates === 1 ? '1 commit' : `${candidates} commits`;
  const left = testsLeft.likely === 0 ? '' : `, about ${testsLeft.likely} to run`;
  tell(`${commit.slice(0, 7)}  ${outcome}  ${reasonText(skipReason)}${time}  ${commits} left${left}`);
}

function reasonText(reason: string | null): string {
  return reason === null ? '' : `(${reason.replaceAll('_', ' ')})  `;
}

/** Sentences for a command that does not fail, or in another way. */
const UNREPRODUCED: Record<Exclude<Reproduction['state'], 'reproduced' | 'flaky'>, string> = {
  passes: 'The command passes here. Name a revision at which it fails: --bad REV.',
  other_failure: 'The command fails here with another error than that of --error.',
  untestable: 'The command runs no test here, or could not run. Its output:',
};

function endUnreproduced({ run, bad }: Search, { state, runs }: Reproduction): ExitCode {
  const { terminal, options } = run;
  const sentence = UNREPRODUCED[state as keyof typeof UNREPRODUCED];
  if (state === 'untestable') terminal.tell(runs.at(-1)!.output.slice(-4_000));
  if (options.has('json')) terminal.print(JSON.stringify({ state, first_bad: null, bad, runs: [] }));
  else terminal.print(sentence);
  return 1;
}

const ENDINGS: Record<BisectResult['state'], string> = {
  found: '',
  inconclusive: 'The first bad commit could be any of these, which cannot be tested further:',
  bad_end_good: 'The command passes at the bad revision.',
  bad_end_untestable: 'The command cannot be tested at the bad revision.',
  good_end_bad: 'The command already fails at the good revision. Name an older one: --good REV.',
};

async function printResult({ run, repo }: Search, result: BisectResult): Promise<ExitCode> {
  const { terminal, options } = run;
  const { state, firstBad, candidates, runs } = result;
  const executed = runs.filter(({ isKept }) => !isKept).length;
  if (options.has('json')) {
    const listed = runs.map(({ commit, outcome, ms, purpose }) => ({ commit, outcome, ms, purpose }));
    terminal.print(JSON.stringify({ state, first_bad: firstBad, candidates, executed, runs: listed }));
    return state === 'found' ? 0 : 1;
  }
  const named = firstBad ? [firstBad] : state === 'inconclusive' ? candidates.slice(0, MAX_PRINTED) : [];
  const summaries = await readCommitSummaries(repo, named);
  const lines = named.map((oid) => {
    const { author = '', subject = '', time = 0 } = summaries.get(oid) ?? {};
    return `${oid.slice(0, 7)}  ${new Date(time * 1000).toISOString().slice(0, 10)}  ${author}  ${subject}`;
  });
  if (firstBad) terminal.print(`${firstBad} is the first bad commit\n\n${lines.join('\n')}`);
  else terminal.print([ENDINGS[state], ...lines].join('\n'));
  terminal.tell(`${executed} runs`);
  return state === 'found' ? 0 : 1;
}

/** One word is a command line of its own; several are quoted. */
function readCommand(words: readonly string[]): string {
  const command = words.length === 1 ? words[0]!.trim() : shellCommand(words);
  if (!command) throw usageError('usage_no_command');
  return command;
}

function option({ options }: CommandRun, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === 'string' ? value : undefined;
}

function readTimeout(run: CommandRun): number {
  const seconds = Number(option(run, 'timeout') ?? DEFAULT_TIMEOUT_S);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 86_400) throw usageError('usage_timeout');
  return seconds;
}

async function requireCommit(repo: string, name: string): Promise<string> {
  const commit = await findCheckoutCommit(repo, name);
  if (commit === null) throw new AppError('bad_request', 'base_not_fetched', { params: { ref: name } });
  return commit;
}

async function readErrorFile(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (!text?.trim()) throw new AppError('bad_request', 'bisect_error_file', { params: { file } });
  return text;
}
