import { z } from 'zod';
import { TOOLS } from '#assistant/tools/registry.ts';
import type { readCliConfig } from '#config.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { firstLine } from '#contract/first-line.ts';
import { resolveCommit } from '#git/refs.ts';
import { type Arguments, parseArguments, requireKnownOptions, usageError } from './arguments.ts';
import { completionScript, formatHelp } from './help.ts';
import { createLocalSource, type QueryResults, type QuerySource } from './local.ts';
import { findCheckout, findWorkTree, type LocalRepository, openLocalRepository } from './local-repository.ts';
import { serveLanguageServer } from './lsp/serve-lsp.ts';
import { serveOverStdio } from './mcp.ts';
import { describePush, openPullRequest, previewPush, pushBranch } from './push.ts';
import { connectRepository, createRemoteSource, findProject, type Remote } from './remote.ts';
import { BISECT_OPTIONS, runBisect } from './run-bisect.ts';
import { runSetup, SETUP_OPTIONS } from './run-setup.ts';
import { runWhy, WHY_OPTIONS } from './run-why.ts';
import { SOURCE_MAP_OPTIONS, uploadSourceMaps } from './source-maps.ts';
import { mergeReports, uploadTestRun } from './test-runs.ts';
import { COMMON_OPTIONS, parseToolInput } from './tool-input.ts';
import { listReports } from './why/read-failures.ts';

/** Input and output of the command line. */
export interface Terminal {
  /** Piped input; null for an interactive terminal. */
  input(): Promise<string | null>;
  print(text: string): void;
  /** Receives progress and errors. */
  tell(text: string): void;
  /** Asks a question; false where no one can answer. */
  confirm(question: string): Promise<boolean>;
  signal: AbortSignal;
}

/** Settings of the command line. */
type CliConfig = ReturnType<typeof readCliConfig>;

/** 0: answered; 1: no results, too little evidence to name a cause, or no first bad commit; 2: wrong usage; 3: failed. */
export type ExitCode = 0 | 1 | 2 | 3;

/** A command with its arguments, terminal and settings. */
export interface CommandRun extends Arguments {
  terminal: Terminal;
  config: CliConfig;
}

/** Runs a command, prints its errors, and returns the exit code. */
export async function runCommand(
  argv: readonly string[],
  terminal: Terminal,
  config: CliConfig,
): Promise<ExitCode> {
  try {
    const [command = 'help', ...rest] = argv;
    return await dispatch(command, { ...parseArguments(rest), terminal, config });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    terminal.tell(error.message);
    return error.code === 'invalid_input' || error.code === 'bad_request'
      ? 2
      : error.code === 'not_found'
        ? 1
        : 3;
  }
}

async function dispatch(command: string, run: CommandRun): Promise<ExitCode> {
  if (['help', '--help', '-h'].includes(command)) return print(run, formatHelp());
  const tool = TOOLS.find(({ name }) => name === command.replaceAll('-', '_'));
  if (tool && run.options.has('help')) return print(run, describeTool(tool.name));
  if (run.options.has('help')) return print(run, formatHelp());
  if (tool) {
    const input = parseToolInput(tool, run);
    const { use } = await openSource(run);
    if (!use) throw usageError('usage_tool_needs_repository');
    const { text, citations } = await use(tool, input);
    return print(run, run.options.has('json') ? JSON.stringify({ text, citations }) : text);
  }
  const action = COMMAND_HANDLERS[command];
  if (!action) throw usageError('usage_unknown_command', { command: JSON.stringify(command) });
  requireKnownOptions(run, [...COMMON_OPTIONS, ...(COMMAND_OPTIONS[command] ?? [])]);
  return await action(run);
}

/** Options of a single command. */
const COMMAND_OPTIONS: Record<string, string[]> = {
  search: ['limit'],
  why: WHY_OPTIONS,
  debug: WHY_OPTIONS,
  bisect: BISECT_OPTIONS,
  connect: ['name'],
  'test-runs': ['commit', 'branch', 'suite'],
  sourcemaps: SOURCE_MAP_OPTIONS,
  push: ['target', 'commits', 'dry_run'],
  pr: ['target', 'title', 'draft'],
  setup: SETUP_OPTIONS,
  // Editors name the transport, which is the only one.
  lsp: ['stdio'],
};

const COMMAND_HANDLERS: Record<string, (run: CommandRun) => Promise<ExitCode>> = {
  search: runSearch,
  ask: runAsk,
  why: (run) => runWhy(run, openSource),
  debug: (run) => runWhy(run, openSource),
  bisect: runBisect,
  connect: runConnect,
  setup: runSetup,
  'test-runs': runUpload,
  sourcemaps: runSourceMaps,
  push: runPush,
  pr: runPullRequest,
  mcp: async (run) => {
    await serveOverStdio(() => openSource(run), run.terminal.signal);
    return 0;
  },
  lsp: runLanguageServer,
  completion: async (run) => {
    const script = completionScript(run.words[0] ?? '');
    if (script === null) throw usageError('usage_unknown_shell');
    return print(run, script);
  },
};

/** Answers an editor from the local repository until it ends the connection. */
async function runLanguageServer(run: CommandRun): Promise<ExitCode> {
  const { terminal, config } = run;
  const { signal, tell } = terminal;
  const folder = findWorkTree(readOption(run, 'repo') ?? '.');
  const cache = readOption(run, 'cache') ?? config.cacheDir;
  const open = async () => await openLocalRepository({ folder, cache, onProgress: tell, signal });
  const explain = async (local: LocalRepository, error: string) =>
    (await createLocalSource(local, signal).debug(error)).solution;
  await serveLanguageServer({ folder, cacheDir: cache, open, explain, signal });
  return 0;
}

async function runSearch(run: CommandRun): Promise<ExitCode> {
  const query = await readText(run, 'usage_no_query');
  const limit = Number(run.options.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1) throw usageError('usage_limit');
  const found = await (await openSource(run)).search(query, limit);
  const nothing = found.passages.length + found.commits.length === 0;
  print(
    run,
    run.options.has('json') ? JSON.stringify(found) : nothing ? 'No results.' : formatResults(found),
  );
  return nothing ? 1 : 0;
}

async function runAsk(run: CommandRun): Promise<ExitCode> {
  const question = await readText(run, 'usage_no_question');
  const found = await (await openSource(run)).ask(question);
  const offered = found.readings.map(({ text }) => `- ${text}`).join('\n');
  const text = offered === '' ? found.answer : `${found.answer}\n\nAsk instead:\n${offered}`;
  return print(run, run.options.has('json') ? JSON.stringify(found) : text);
}

async function runConnect(run: CommandRun): Promise<ExitCode> {
  const [url] = run.words;
  if (!url) throw usageError('usage_no_git_url');
  const remote = findRemote(run);
  if (!remote) throw usageError('usage_no_server');
  const name = String(
    run.options.get('name') ??
      url
        .replace(/\/+$|\.git\/*$/g, '')
        .split(/[/:]/)
        .at(-1),
  );
  const { tell, signal } = run.terminal;
  const project = await connectRepository(remote, { name, git_url: url }, tell, signal);
  print(run, run.options.has('json') ? JSON.stringify(project) : `${project.id} ${project.status}`);
  return project.status === 'ready' ? 0 : 3;
}

async function runSourceMaps(run: CommandRun): Promise<ExitCode> {
  const [action, folder] = run.words;
  if (action !== 'upload' || !folder) throw usageError('usage_source_maps');
  const remote = findRemote(run);
  if (!remote) throw usageError('usage_no_server');
  const project = await findProject(remote, readOption(run, 'project') ?? null, run.terminal.signal);
  const upload = {
    folder,
    release: readOption(run, 'release') ?? null,
    urlPrefix: readOption(run, 'url_prefix') ?? '',
  };
  const uploaded = await uploadSourceMaps(remote, project, upload, run.terminal);
  return print(
    run,
    run.options.has('json') ? JSON.stringify({ uploaded }) : `Source maps uploaded: ${uploaded}`,
  );
}

/** Uploads each report as a run of its own; tests of several files of one suite are compared by name. */
async function runUpload(run: CommandRun): Promise<ExitCode> {
  const [action, ...paths] = run.words;
  if (action !== 'upload' || paths.length === 0) throw usageError('usage_test_runs');
  const remote = findRemote(run);
  if (!remote) throw usageError('usage_no_server');
  const { signal, tell } = run.terminal;
  const { ci } = run.config;
  const checkout = findCheckout(String(run.options.get('repo') ?? '.'));
  const head = checkout && (await resolveCommit(checkout, 'HEAD'));
  const commit = readOption(run, 'commit') ?? ci.commit ?? head;
  if (!commit) throw usageError('usage_no_commit');
  const project = await findProject(remote, readOption(run, 'project') ?? null, signal);
  const suite = readOption(run, 'suite') ?? '';
  const query = { commit, suite, branch: readOption(run, 'branch') ?? ci.branch ?? undefined };
  const merged = await mergeReports(await listReports(paths), signal);
  const stored = await uploadTestRun(remote, project, query, merged, signal);
  const { passed, failed, flaky, skipped } = stored;
  tell(`${passed} passed, ${failed} failed, ${flaky} flaky, ${skipped} skipped at ${commit.slice(0, 7)}`);
  return run.options.has('json') ? print(run, JSON.stringify(stored)) : 0;
}

async function runPush(run: CommandRun): Promise<ExitCode> {
  const { project, branch, remote } = await openBranch(run);
  const { tell, signal } = run.terminal;
  const commits = readOption(run, 'commits')?.split(',').filter(Boolean);
  const request = { branch, target: readOption(run, 'target') ?? branch, commits };
  const preview = await previewPush(remote, project, request, signal);
  tell(describePush(preview));
  if (preview.blocked)
    throw new AppError('conflict', 'remote_error', { params: { message: preview.blocked.text } });
  if (run.options.has('dry_run')) return run.options.has('json') ? print(run, JSON.stringify(preview)) : 0;
  const push = await pushBranch(remote, project, { ...request, expected: preview.remote_head }, signal);
  const said = [push.failure?.text, push.message].filter(Boolean).join('\n');
  if (said !== '') tell(said);
  print(run, run.options.has('json') ? JSON.stringify(push) : `${push.state} ${push.target} ${push.head}`);
  return push.state === 'done' ? 0 : 3;
}

async function runPullRequest(run: CommandRun): Promise<ExitCode> {
  const { project, branch, remote } = await openBranch(run);
  const request = { branch, target: readOption(run, 'target'), title: readOption(run, 'title') };
  const draft = run.options.has('draft');
  const opened = await openPullRequest(remote, project, { ...request, draft }, run.terminal.signal);
  return print(run, run.options.has('json') ? JSON.stringify(opened) : opened.url);
}

/** The server, the project and the branch that a command names. */
async function openBranch(run: CommandRun): Promise<{ remote: Remote; project: string; branch: string }> {
  const [branch] = run.words;
  if (!branch) throw usageError('usage_no_branch');
  const remote = findRemote(run);
  if (!remote) throw usageError('usage_no_server');
  const project = await findProject(remote, readOption(run, 'project') ?? null, run.terminal.signal);
  return { remote, project, branch };
}

function readOption({ options }: Arguments, name: string): string | undefined {
  const value = options.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** Opens the server of the options, else the local repository. */
async function openSource(run: CommandRun): Promise<QuerySource> {
  const { options, terminal, config } = run;
  const { signal, tell } = terminal;
  const remote = options.has('repo') ? null : findRemote(run);
  if (remote) {
    const named = options.get('project');
    return createRemoteSource(
      remote,
      await findProject(remote, typeof named === 'string' ? named : null, signal),
      findCheckout('.'),
      signal,
    );
  }
  const folder = String(options.get('repo') ?? '.');
  const cache = String(options.get('cache') ?? config.cacheDir);
  return createLocalSource(await openLocalRepository({ folder, cache, onProgress: tell, signal }), signal);
}

function findRemote({ options, config }: CommandRun): Remote | null {
  const server = options.get('server') ?? config.server;
  if (typeof server !== 'string') return null;
  if (!URL.canParse(server)) throw usageError('usage_server_url', { server });
  if (!config.apiKey) throw usageError('usage_no_api_key');
  return { server, apiKey: config.apiKey };
}

/** Returns the words, else the piped input. */
async function readText({ words, terminal }: CommandRun, missing: ErrorKey): Promise<string> {
  const text = (words.length > 0 ? words.join(' ') : await terminal.input())?.trim();
  if (!text) throw usageError(missing);
  return text;
}

function describeTool(name: string): string {
  const tool = TOOLS.find((one) => one.name === name)!;
  const schema = z.toJSONSchema(tool.input, { io: 'input' }) as {
    properties: Record<string, { description?: string; type?: string }>;
    required?: string[];
  };
  const fields = Object.entries(schema.properties).map(([field, { description, type }]) => {
    const must = schema.required?.includes(field) ? ' (required)' : '';
    return `  --${field.replaceAll('_', '-')} ${type ?? ''}${must}  ${description ?? ''}`.trimEnd();
  });
  return [tool.description, '', ...fields].join('\n');
}

function formatResults({ passages, commits }: QueryResults): string {
  const code = passages.map(({ path, start_line, end_line, symbol, snippet }) => {
    const indented = snippet.split('\n').map((line) => `    ${line}`);
    return `${path}:${start_line}-${end_line}${symbol ? `  ${symbol}` : ''}\n${indented.join('\n')}`;
  });
  const history = commits.map(
    ({ hash, message, author, timestamp }) =>
      `${hash.slice(0, 7)}  ${timestamp.slice(0, 10)}  ${author}  ${firstLine(message)}`,
  );
  return [...code, history.join('\n')].filter((part) => part !== '').join('\n\n');
}

function print({ terminal }: CommandRun, text: string): ExitCode {
  terminal.print(text);
  return 0;
}
