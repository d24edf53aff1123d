import { z } from 'zod';
import { TOOLS } from '#assistant/tools/registry.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { firstLine } from '#contract/first-line.ts';
import { type Arguments, allowOptions, readArguments, wrongUse } from './arguments.ts';
import { completion, help } from './help.ts';
import { askLocal, type Found, type Source } from './local.ts';
import { openLocal } from './local-repository.ts';
import { serveOverStdio } from './mcp.ts';
import { askRemote, connectRepository, findProject, type Remote } from './remote.ts';
import { OWN_OPTIONS, readToolInput } from './tool-input.ts';

/** What the command line reads and writes. */
export interface Terminal {
  /** What was piped in; null when it is a keyboard. */
  input(): Promise<string | null>;
  print(text: string): void;
  /** Progress and failures. */
  tell(text: string): void;
  signal: AbortSignal;
}

/** Settings of the command line. */
export interface CliConfig {
  /** The folder of what was read of repositories of this machine. */
  cacheDir: string;
  server: string | null;
  apiKey: string | null;
}

/** 0: answered; 1: nothing found, or too thin to name a cause; 2: typed wrongly; 3: failed. */
export type ExitCode = 0 | 1 | 2 | 3;

interface Run extends Arguments {
  terminal: Terminal;
  config: CliConfig;
}

/** Runs one command, says what went wrong in words, and returns the exit code. */
export async function runCommand(
  given: readonly string[],
  terminal: Terminal,
  config: CliConfig,
): Promise<ExitCode> {
  try {
    const [command = 'help', ...rest] = given;
    return await dispatch(command, { ...readArguments(rest), terminal, config });
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

async function dispatch(command: string, run: Run): Promise<ExitCode> {
  if (['help', '--help', '-h'].includes(command)) return print(run, help());
  const tool = TOOLS.find(({ name }) => name === command.replaceAll('-', '_'));
  if (tool && run.options.has('help')) return print(run, describe(tool.name));
  if (run.options.has('help')) return print(run, help());
  if (tool) {
    const input = readToolInput(tool, run);
    const { use } = await openSource(run);
    if (!use) throw wrongUse('usage_tool_needs_repository');
    const { text, citations } = await use(tool, input);
    return print(run, run.options.has('json') ? JSON.stringify({ text, citations }) : text);
  }
  const action = COMMANDS[command];
  if (!action) throw wrongUse('usage_unknown_command', { command: JSON.stringify(command) });
  allowOptions(run, [...OWN_OPTIONS, ...(OTHER_OPTIONS[command] ?? [])]);
  return await action(run);
}

/** Options that one command alone takes. */
const OTHER_OPTIONS: Record<string, string[]> = { search: ['limit'], connect: ['name'] };

const COMMANDS: Record<string, (run: Run) => Promise<ExitCode>> = {
  search: runSearch,
  ask: runAsk,
  debug: runDebug,
  connect: runConnect,
  mcp: async (run) => {
    await serveOverStdio(() => openSource(run), run.terminal.signal);
    return 0;
  },
  completion: async (run) => {
    const script = completion(run.words[0] ?? '');
    if (script === null) throw wrongUse('usage_unknown_shell');
    return print(run, script);
  },
};

async function runSearch(run: Run): Promise<ExitCode> {
  const query = await textOf(run, 'usage_no_query');
  const limit = Number(run.options.get('limit') ?? 10);
  if (!Number.isInteger(limit) || limit < 1) throw wrongUse('usage_limit');
  const found = await (await openSource(run)).search(query, limit);
  const nothing = found.passages.length + found.commits.length === 0;
  print(run, run.options.has('json') ? JSON.stringify(found) : nothing ? 'Nothing fits.' : writeFound(found));
  return nothing ? 1 : 0;
}

async function runAsk(run: Run): Promise<ExitCode> {
  const question = await textOf(run, 'usage_no_question');
  const found = await (await openSource(run)).ask(question);
  return print(run, run.options.has('json') ? JSON.stringify(found) : found.answer);
}

async function runDebug(run: Run): Promise<ExitCode> {
  const error = run.words.length > 0 ? run.words.join(' ') : await run.terminal.input();
  if (!error?.trim()) throw wrongUse('usage_no_error');
  const found = await (await openSource(run)).debug(error);
  print(run, run.options.has('json') ? JSON.stringify(found) : found.solution);
  return found.abstained ? 1 : 0;
}

async function runConnect(run: Run): Promise<ExitCode> {
  const [url] = run.words;
  if (!url) throw wrongUse('usage_no_git_url');
  const remote = remoteOf(run);
  if (!remote) throw wrongUse('usage_no_server');
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

/** A server where one is named, else the repository here. */
async function openSource(run: Run): Promise<Source> {
  const { options, terminal, config } = run;
  const { signal, tell } = terminal;
  const remote = options.has('repo') ? null : remoteOf(run);
  if (remote) {
    const named = options.get('project');
    return askRemote(
      remote,
      await findProject(remote, typeof named === 'string' ? named : null, signal),
      signal,
    );
  }
  const folder = String(options.get('repo') ?? '.');
  const cache = String(options.get('cache') ?? config.cacheDir);
  return askLocal(await openLocal({ folder, cache, onProgress: tell, signal }), signal);
}

function remoteOf({ options, config }: Run): Remote | null {
  const server = options.get('server') ?? config.server;
  if (typeof server !== 'string') return null;
  if (!URL.canParse(server)) throw wrongUse('usage_server_url', { server });
  if (!config.apiKey) throw wrongUse('usage_no_api_key');
  return { server, apiKey: config.apiKey };
}

/** The words, else what was piped in. */
async function textOf({ words, terminal }: Run, missing: ErrorKey): Promise<string> {
  const text = (words.length > 0 ? words.join(' ') : await terminal.input())?.trim();
  if (!text) throw wrongUse(missing);
  return text;
}

function describe(name: string): string {
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

function writeFound({ passages, commits }: Found): string {
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

function print({ terminal }: Run, text: string): ExitCode {
  terminal.print(text);
  return 0;
}
