import { posix } from 'node:path';
import { readFileAt } from '#git/file-at.ts';
import { listTree } from '#git/tree.ts';

/** Files of a revision. */
export interface RepositoryFiles {
  has(path: string): boolean;
  /** Paths with this ending, at most a few. */
  endingWith(suffix: string): string[];
  /** Text of a file; null for one that is absent or not text. */
  read(path: string): Promise<string | null>;
}

const MAX_FILES = 500_000;
const MAX_FOUND = 20;
/** Characters of a configuration file that are read. */
const MAX_READ = 200_000;

/** Opens the files of a commit, a full hash. */
export async function openRepositoryFiles(repo: string, commit: string): Promise<RepositoryFiles> {
  const paths = new Set<string>();
  for await (const { path, type } of listTree(repo, commit)) {
    if (path !== null && type === 'blob') paths.add(path);
    if (paths.size >= MAX_FILES) break;
  }
  return selectFiles(paths, (path) => readFileAt(repo, commit, path).catch(() => null));
}

/** Files by their paths and a function that reads one. */
export function selectFiles(
  paths: ReadonlySet<string>,
  read: (path: string) => Promise<string | null>,
): RepositoryFiles {
  return {
    has: (path) => paths.has(path),
    endingWith: (suffix) =>
      [...paths].filter((path) => path === suffix || path.endsWith(`/${suffix}`)).slice(0, MAX_FOUND),
    read: async (path) => (paths.has(path) ? ((await read(path))?.slice(0, MAX_READ) ?? null) : null),
  };
}

/** The path of a printed file: the same, or the longest ending of it that names exactly one file. */
export function findPrintedFile(printed: string, files: RepositoryFiles): string | null {
  const parts = printed
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  for (let from = 0; from < parts.length; from++) {
    const path = parts.slice(from).join('/');
    if (files.has(path)) return path;
  }
  const found = files.endingWith(parts.at(-1) ?? '');
  return found.length === 1 ? found[0]! : null;
}

/** The folder of a file, or the nearest one above it, that has a file of one of these names; null where none has. */
export function findProjectFolder(
  path: string | null,
  names: readonly string[],
  files: RepositoryFiles,
): { folder: string; config: string } | null {
  for (let folder = path === null ? '' : posix.dirname(path); ; folder = posix.dirname(folder)) {
    const at = folder === '.' ? '' : folder;
    for (const name of names) {
      const config = posix.join(at, name);
      if (files.has(config)) return { folder: at, config };
    }
    if (at === '' || at === '/') return null;
  }
}

/** A path as an argument in its project's folder; one that begins with `-` is no option. */
export function pathArgument(path: string, folder: string): string {
  const relative = folder === '' ? path : posix.relative(folder, path);
  return relative.startsWith('-') ? `./${relative}` : relative;
}
