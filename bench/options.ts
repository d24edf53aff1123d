import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** A row of a data file: a text about a fault, the commit before its fix, and what the fix changed. */
export interface Instance {
  instance_id: string;
  /** `owner/name`. */
  repo: string;
  language: string;
  base_commit: string;
  problem_statement: string;
  gold_files: string[];
  /** `path:Class.method`, null where the data does not say. */
  gold_functions?: string[] | null;
  fix_commit?: string;
  fix_time?: string;
  /** Commits at fault, where the data names them. */
  gold_commits?: string[];
}

/** Options that every benchmark over repositories takes. */
export interface BenchOptions {
  instances: Instance[];
  /** Absolute path of the bare repository of `owner/name`. Throws when it is not there. */
  repository(name: string): string;
  out: string | null;
  k: number;
  /** Options of one benchmark only, as given. */
  other: Record<string, string | undefined>;
}

/**
 * Reads `--data FILE --repositories DIR [--out FILE] [--ids a,b | --ids FILE] [--k 20] [--alias name=other]…` and
 * the named `others`. Throws with a sentence that names the option.
 */
export function readOptions(others: string[] = []): BenchOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      data: { type: 'string', multiple: true },
      repositories: text,
      out: text,
      ids: text,
      k: text,
      alias: { type: 'string', multiple: true },
      ...Object.fromEntries(others.map((name) => [name, text])),
    },
  });
  if (!values.data) throw new Error('Give --data FILE: JSON lines, one instance each.');
  if (!values.repositories) throw new Error('Give --repositories DIR: a folder of bare repositories.');
  const wanted = values.ids === undefined ? null : new Set(readIds(values.ids));
  const instances = values.data
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Instance)
    .filter(({ instance_id }) => wanted?.has(instance_id) ?? true);
  const aliases = new Map((values.alias ?? []).map((pair) => pair.split('=', 2) as [string, string]));
  return {
    instances,
    repository: (name) => findRepository(values.repositories!, aliases.get(name) ?? name),
    out: values.out ?? null,
    k: Number(values.k ?? 20),
    other: values as Record<string, string | undefined>,
  };
}

function readIds(ids: string): string[] {
  return (existsSync(ids) ? readFileSync(ids, 'utf8') : ids).split(/[\s,]+/).filter(Boolean);
}

/**
 * Absolute path of the bare repository of `owner/name` in a folder, or of `small/name`, which is kept beside the errors as
 * `git fast-export` writes it. Throws when it is not there.
 */
export function findRepository(folder: string, name: string): string {
  if (name.startsWith(SMALL)) return importSmall(name.slice(SMALL.length));
  const base = join(folder, name.replace('/', '+'));
  const found = [`${base}/repo`, `${base}.git`, base].find((path) => existsSync(join(path, 'HEAD')));
  if (!found) throw new Error(`${name} is not in ${folder}: a bare repository is expected at ${base}.`);
  return found;
}

/** Owner of the repositories that are kept beside the errors. */
const SMALL = 'small/';
const imported = new Map<string, string>();
let parent: string | null = null;

/** Makes a bare repository of `bench/errors/small/NAME.fastexport`, once per process. Its commits have the same hashes everywhere. */
function importSmall(name: string): string {
  const known = imported.get(name);
  if (known) return known;
  const input = readFileSync(new URL(`errors/small/${name}.fastexport`, import.meta.url));
  parent ??= temporaryFolder();
  const folder = join(parent, name);
  execFileSync('git', ['init', '--quiet', '--bare', folder]);
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input });
  imported.set(name, folder);
  return folder;
}

/** A folder that goes with the process. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-small-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
