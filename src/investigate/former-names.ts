import { unquotePath } from '#git/quoting.ts';
import { git } from '#git/run.ts';
import type { Memory } from '#memory/memory.ts';

/** Names under which files of today lay before. */
export interface FormerNames {
  /** Today's name of a path; the path itself when it never was another file's name. */
  current(path: string): string;
  /** A path and its former names, newest first. */
  all(path: string): string[];
}

/** Renames of renames that are followed. */
const ROUNDS = 3;
const TIME_LIMIT_MS = 2_000;

/** Finds the former names of files: the commits that renamed them are remembered, git says from where. */
export async function findFormerNames(
  paths: string[],
  { repo, memory, signal }: { repo: string; memory: Memory; signal?: AbortSignal },
): Promise<FormerNames> {
  const current = new Map(paths.map((path) => [path, path]));
  let names = paths;
  for (let round = 0; round < ROUNDS && names.length > 0; round++) {
    const renames = await readRenames(repo, renaming(memory, names), signal);
    const found = renames.filter(({ from, to }) => names.includes(to) && !current.has(from));
    for (const { from, to } of found) current.set(from, current.get(to) ?? to);
    names = found.map(({ from }) => from);
  }
  return {
    current: (path) => current.get(path) ?? path,
    all: (path) => [...current].filter(([, today]) => today === path).map(([name]) => name),
  };
}

/** Commits that gave a file one of these names. */
function renaming({ commits }: Memory, names: string[]): string[] {
  const found = new Set<number>();
  for (const name of names) {
    const path = commits.pathNumber(name);
    if (path < 0) continue;
    // A file gets its name in the oldest commit that touched it under that name.
    const first = commits.touching(path).at(-1);
    if (first === undefined) continue;
    if (commits.statuses(first)[commits.paths(first).indexOf(path)] === 'R') found.add(first);
  }
  return Array.from(found, (commit) => commits.oid(commit));
}

async function readRenames(repo: string, oids: string[], signal?: AbortSignal) {
  if (oids.length === 0) return [];
  const { stdout } = await git(
    repo,
    ['diff-tree', '--stdin', '-r', '-M', '--diff-filter=R', '--name-status', '--no-commit-id'],
    { name: 'read renames', input: `${oids.join('\n')}\n`, timeoutMs: TIME_LIMIT_MS, signal },
  );
  // One a line: `R100 TAB from TAB to`.
  return stdout
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([status]) => status?.startsWith('R'))
    .map(([, from = '', to = '']) => ({ from: unquotePath(from), to: unquotePath(to) }));
}
