import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * Secrets of the browser tests, and the search for them. Every secret of a test is registered with `sentinel`. All that a
 * program wrote (log, data folder, database) is kept in one folder per run, named by this variable, and searched when
 * the run is over. Screenshots and recordings have no such folder and keep nothing.
 */
const FOLDER_VARIABLE = 'E2E_KEPT_FOLDER';
const SECRETS_FILE = 'told.txt';
const PATTERNS_FILE = 'needles.txt';
const LINK_PATTERNS_FILE = 'link-needles.txt';

const SECRET_SETTING = /SECRET|API_KEY$|SMTP_URL$/;

/** Tokens are known by their shape, also those that no journey has seen: sign-ins and tickets, API keys, renewals. */
const SHAPES = [
  'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}',
  'hs_[A-Za-z0-9_-]{43}',
  '[A-Za-z0-9-]{20,64}\\.[0-9]{1,9}\\.[A-Za-z0-9_-]{43}',
];

/** Nothing shorter is looked for: it would be found by chance. */
const MIN_SECRET_LENGTH = 8;

/** Folder of the programs' output; null when it will not be searched. */
export function retainedOutputFolder(): string | null {
  return process.env[FOLDER_VARIABLE] ?? null;
}

/** Returns a secret as it is; from now on no program of the run may write it anywhere. */
export function sentinel(secret: string): string {
  const folder = retainedOutputFolder();
  if (folder) appendFileSync(join(folder, SECRETS_FILE), `${secret}\n`);
  return secret;
}

/** Tells the secrets among a program's settings: keys, and passwords in addresses. */
export function guardSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (SECRET_SETTING.test(name)) sentinel(name.endsWith('_URL') ? new URL(value).password : value);
  }
}

/** Before all journeys: makes the folder. */
export function setup(): void {
  process.env[FOLDER_VARIABLE] = mkdtempSync(join(tmpdir(), 'hindsight-kept-'));
}

/** After all journeys: fails the run when a secret lies anywhere. */
export async function teardown(): Promise<void> {
  const folder = retainedOutputFolder()!;
  try {
    const programs = readdirSync(folder).filter((name) => name.endsWith('.log'));
    const found = programs.length === 0 ? [] : await search(folder);
    if (found.length > 0) throw new Error(`Secrets lie where they must not:\n${found.join('\n')}`);
    console.log(`No secret lies in what ${programs.length} programs wrote.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lists matches as `file:secret`; emails may contain their own links. */
async function search(folder: string): Promise<string[]> {
  const secrets = readFileSync(join(folder, SECRETS_FILE), 'utf8').split('\n');
  const everywhere = async (values: string[], patterns: string, ...where: string[]) => {
    const forms = values.filter((value) => value.length >= MIN_SECRET_LENGTH).flatMap(formsOf);
    writeFileSync(join(folder, patterns), [...new Set(forms)].join('\n'));
    return await grep(folder, ['-F', '-f', join(folder, patterns), ...where]);
  };
  const searchLinks = async () => {
    const links = await grep(folder, ['-hE', '--include=*.eml', '-e', '#[A-Za-z0-9_-]{20,}']);
    const values = links.map((link) => link.slice(1));
    return await everywhere(values, LINK_PATTERNS_FILE, '--exclude=*.eml');
  };
  // All search gigabytes: side by side.
  const found = await Promise.all([
    everywhere(secrets, PATTERNS_FILE),
    searchLinks(),
    // In the database, digests are adjacent to key prefixes; together they look like a key.
    grep(folder, ['-E', ...SHAPES.flatMap((shape) => ['-e', shape]), '--exclude-dir=postgres']),
  ]);
  return found.flat().map((line) => relative(folder, line));
}

/** Every match as `file:match`. Throws when grep itself fails, since silence would look like innocence. */
async function grep(folder: string, args: string[]): Promise<string[]> {
  // Where an `--include` comes first, nothing else is looked at.
  const own = [SECRETS_FILE, PATTERNS_FILE, LINK_PATTERNS_FILE].map((file) => `--exclude=${file}`);
  const child = spawn('grep', ['-rao', ...args, ...own, folder], { env: { ...process.env, LC_ALL: 'C' } });
  const ended = once(child, 'close') as Promise<[number | null]>;
  child.stdout.setEncoding('latin1');
  const [[status], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (status === null || status > 1) throw new Error(`grep could not search: ${stderr}`);
  return [...new Set(stdout.split('\n').filter((line) => line !== ''))];
}

/** A secret verbatim, as a part of a URL, and in base64 and hexadecimal, anywhere in a longer text. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((before) => {
    // Characters at both ends also hold bits of the neighbours.
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(first, last);
  });
  const inAddress = encodeURIComponent(secret);
  return [
    ...[secret, inAddress, inAddress.replaceAll('%20', '+'), bytes.toString('hex')],
    ...encoded.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]),
  ];
}
