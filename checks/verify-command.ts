import { existsSync, globSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { TOOLS } from '#assistant/tools/registry.ts';
import { parseArguments, requireKnownOptions } from '#cli/arguments.ts';
import { formatHelp } from '#cli/help.ts';
import { parseToolInput } from '#cli/tool-input.ts';
import { rateLimitSettings } from '../src/config/rate-limit-settings.ts';
import * as settings from '../src/config/settings.ts';
import { apiRoutes } from '../src/contract/api.ts';
import type { Route } from '../src/contract/route.ts';
import type { ShellCommand } from './document-commands.ts';

const { version, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};
const SETTINGS = new Set(
  Object.values({ ...settings, rateLimitSettings }).flatMap((group) => Object.keys(group)),
);
const ROUTES: Route[] = Object.values(apiRoutes).flatMap((feature) => Object.values(feature) as Route[]);
/** Stands for a variable or an ellipsis in a path or a body. */
const SAMPLE_ID = '0b0e5f4e-6f0c-4a5e-9d5e-3c1f7b2a9d10';
/** Stands for `$(git rev-parse HEAD)`. */
const SAMPLE_COMMIT = '0123456789abcdef0123456789abcdef01234567';

type Check = (args: string[], command: ShellCommand) => string | null;

/** Checks of the programs that the documents use: a text says what is wrong. */
const CHECKS: Record<string, Check> = {
  hindsight: checkHindsight,
  npm: checkNpm,
  npx: (args) => (args[0] === '--package' ? checkPackage(args[1]) : 'npx without --package'),
  node: checkNode,
  curl: checkCurl,
  podman: checkFiles,
  kubectl: checkFiles,
  cp: ([source = '', target]) => (target && existsSync(source) ? null : `${source} does not exist`),
  helm: checkHelm,
  useradd: (args) => (unit(`User=${args.at(-1)}`) ? null : 'not the user of the unit'),
  systemctl: checkUnit,
  journalctl: checkUnit,
  'apt-get': (args) =>
    readAll('scripts/*.mjs').includes(args.at(-1)!) ? null : 'not a package that tests use',
  // Of the shell and of git, in the examples of CI.
  ...Object.fromEntries(['set', 'test', 'exit', 'export', 'tee', 'git'].map((name) => [name, () => null])),
};

function checkUnit(args: string[]): string | null {
  return existsSync(`deploy/${args.at(-1)}.service`) ? null : 'no such unit in deploy';
}

/** Says what is wrong with a command: an unknown program, option, script, file, setting or route. Null for a correct one. */
export function verifyCommand(command: ShellCommand): string | null {
  const { variables, words } = command;
  const unknown = Object.keys(variables).find(
    (name) => !SETTINGS.has(name) && !name.startsWith('HINDSIGHT_'),
  );
  if (unknown) return `no setting ${unknown}`;
  const [program, ...args] = words;
  if (program === undefined) return null;
  const check = CHECKS[program];
  return check ? check(args, command) : `${program} is neither run nor verified`;
}

/** The command line's own parser, its commands, and the options of its help or of the tool's schema. */
function checkHindsight([name = 'serve', ...args]: string[]): string | null {
  const help = formatHelp();
  if (!new RegExp(`^ {2}${name}(?:[ ,]|$)`, 'm').test(help)) return `no command ${name}`;
  try {
    const parsed = parseArguments(args);
    const tool = TOOLS.find((one) => one.name === name.replaceAll('-', '_'));
    if (tool) parseToolInput(tool, parsed);
    else {
      const known = [...help.matchAll(/--([a-z][\w-]*)/g)].map(([, option]) => option!.replaceAll('-', '_'));
      requireKnownOptions(parsed, [...known, 'help']);
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function checkNode([file = '', ...args]: string[]): string | null {
  if (file === 'scripts/hindsight.mjs') return checkHindsight(args);
  return file.startsWith('--') ? null : checkScript([file], args);
}

function checkNpm([action = '', ...args]: string[]): string | null {
  if (['ci', 'start', 'test', 'pack', 'audit', 'config'].includes(action)) return null;
  if (action === 'install') return checkPackage(args.at(-1));
  if (action !== 'run') return `npm ${action} is not known`;
  const [name = '', ...rest] = args.filter((word) => word !== '--silent');
  const line = scripts[name];
  if (!line) return `no script ${name}`;
  const bench = /bench\.mjs (\S+)/.exec(line)?.[1];
  const started = [...line.matchAll(/(?:scripts|bench|e2e)\/[\w./-]+\.(?:mjs|ts)/g)].map(([file]) => file);
  return checkScript(
    bench ? [`bench/${bench}.ts`] : started,
    rest.filter((word) => word !== '--'),
  );
}

/** Files exist, and they or files beside those that they start name every option. */
function checkScript(files: string[], args: string[]): string | null {
  const missing = files.find((file) => !existsSync(file));
  if (missing) return `${missing} does not exist`;
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const further = texts
    .flatMap((text) => [...text.matchAll(/'((?:e2e|bench)\/[\w/-]+)\/[\w-]+\.ts'/g)])
    .map(([, folder]) => readAll(`${folder}/*.ts`));
  const text = [...texts, ...further].join('\n');
  const unknown = args.find(
    (word) => word.startsWith('--') && !new RegExp(`\\b${word.slice(2)}\\b`).test(text),
  );
  return unknown ? `no option ${unknown}` : null;
}

function checkPackage(name = ''): string | null {
  const isOurs = name.endsWith('/cli/hindsight.tgz') || name === `./hindsight-${version}.tgz`;
  return isOurs ? null : `${name} is not the package of this version`;
}

function checkFiles(args: string[]): string | null {
  const missing = args.find(
    (word, at) => ['--file', '--filename'].includes(args[at - 1]!) && !existsSync(word),
  );
  return missing ? `${missing} does not exist` : null;
}

function checkHelm(args: string[]): string | null {
  const chart = args.find((word) => word.startsWith('deploy/')) ?? '';
  if (!existsSync(`${chart}/Chart.yaml`)) return 'no chart';
  const values = readFileSync(`${chart}/values.yaml`, 'utf8');
  const unknown = args.find(
    (word, at) => args[at - 1] === '--set' && !values.includes(`${word.split('=')[0]}:`),
  );
  return unknown ? `no value ${unknown}` : null;
}

/** The route exists with this method, takes a key where one is sent, and its schemas accept query and body. */
function checkCurl(args: string[]): string | null {
  const optionValue = (...names: string[]) => args.find((_, at) => names.includes(args[at - 1]!));
  const data = optionValue('-d', '--data', '--data-binary');
  const method = optionValue('-X', '--request') ?? (data === undefined ? 'GET' : 'POST');
  const url = new URL(args.find((word) => /^https?:/.test(word)) ?? 'http://none');
  const path = url.pathname.replace(/\$\w+|\$\([^)]*\)/g, SAMPLE_ID);
  if (!path.startsWith('/api/'))
    return ['/metrics', '/healthz', '/readyz'].includes(path) ? null : `no page ${path}`;
  const route = ROUTES.find((one) => one.method === method && matches(one.path, path.slice('/api'.length)));
  if (!route) return `no route ${method} ${path}`;
  const sendsKey = args.some((word) => /^Authorization: Bearer/.test(word));
  if (sendsKey && route.access === 'user' && route.apiKey === 'closed') return `${route.path} takes no key`;
  const query = fillIn(Object.fromEntries(url.searchParams));
  const body = data === undefined || route.kind === 'raw' ? undefined : fillIn(parseBody(data));
  return describeIssue(route.query, query) ?? (body === undefined ? null : describeIssue(route.body, body));
}

function parseBody(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}

/** Replaces variables and ellipses by an id, commands by a commit. */
function fillIn(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/"(?:\$\w+|…)"/g, `"${SAMPLE_ID}"`)
    .replace(/"\$\([^)]*\)"/g, `"${SAMPLE_COMMIT}"`);
  return JSON.parse(text);
}

function describeIssue(schema: z.ZodType | undefined, value: unknown): string | null {
  const issue = schema?.safeParse(value).error?.issues[0];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
}

function matches(route: string, path: string): boolean {
  const source = route.replace(/[.]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.+');
  return new RegExp(`^${source}$`).test(path);
}

function unit(line: string): boolean {
  return readFileSync('deploy/hindsight.service', 'utf8').includes(`${line}\n`);
}

function readAll(pattern: string): string {
  return globSync(pattern)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
