import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { cachedWordTerms, forEachTerm } from '#search/lexical/word-terms.ts';

/** A file or folder of the code or of its history. */
export interface NamedPath {
  path: string;
  isFolder: boolean;
  isCurrent: boolean;
}

/** Paths of the code and of the whole history by the terms of their base names. */
interface PathTable {
  readonly paths: readonly NamedPath[];
  /** Numbers of the paths whose base name without extension has a term. */
  withTerm(term: string): readonly number[];
  /** Numbers of the paths with this base name, in lower case, with or without its extension. */
  named(name: string): readonly number[];
  /** Number of a path without its final slash; -1 for unknown ones. */
  find(path: string): number;
}

/** More paths of the history are left out, which bounds the memory. */
const MAX_PATHS = 300_000;
/** Base names that stand for their folder. */
const FOLDER_STEM = /^(?:__init__|index|mod|main|lib|package-info|doc)$/i;

const BENCHMARK = /(?:^|\/)bench(?:es|marks?|marking)?\//i;

/** True for files that measure the code, which are often named like what they measure. */
export function isBenchmarkPath(path: string): boolean {
  return BENCHMARK.test(path);
}

/** Builds the table of an index when it is first needed. */
export const pathTableOf = memoizeByIdentity(({ code, commits }: RepositoryIndex): PathTable => {
  const builder = new PathTableBuilder();
  for (let file = 0; file < (code?.fileCount ?? 0); file++) builder.addFile(code!.filePath(file), true);
  for (let path = 0; path < Math.min(commits.pathCount, MAX_PATHS); path++)
    builder.addFile(commits.path(path), false);
  return builder.table();
});

class PathTableBuilder {
  readonly #paths: NamedPath[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byTerm = new Map<string, number[]>();
  readonly #byName = new Map<string, number[]>();

  addFile(path: string, isCurrent: boolean): void {
    if (this.#numbers.has(path)) return;
    const slash = path.lastIndexOf('/');
    this.#add(path, slash, false, isCurrent);
    for (let end = slash; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (this.#numbers.has(folder)) return;
      this.#add(folder, folder.lastIndexOf('/'), true, isCurrent);
    }
  }

  table(): PathTable {
    const none: readonly number[] = [];
    return {
      paths: this.#paths,
      withTerm: (term) => this.#byTerm.get(term) ?? none,
      named: (name) => this.#byName.get(name.toLowerCase()) ?? none,
      find: (path) => this.#numbers.get(path) ?? -1,
    };
  }

  #add(path: string, slash: number, isFolder: boolean, isCurrent: boolean): void {
    const number = this.#paths.push({ path, isFolder, isCurrent }) - 1;
    this.#numbers.set(path, number);
    const base = path.slice(slash + 1).toLowerCase();
    const stem = isFolder ? base : stemOf(base);
    push(this.#byName, base, number);
    if (stem !== base) push(this.#byName, stem, number);
    for (const term of pathNameTerms(path)) push(this.#byTerm, term, number);
  }
}

function push(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Base name without its extension. */
function stemOf(base: string): string {
  return base.replace(/(?<=[^.])(?:\.\w{1,10})+$/, '');
}

/** Distinct terms of the base name of a path; none for names that stand for their folder. */
export function pathNameTerms(path: string): string[] {
  const stem = stemOf(path.slice(path.lastIndexOf('/') + 1));
  return FOLDER_STEM.test(stem) ? [] : nameTerms(stem);
}

/** Terms of the folders of a path. */
export function folderTerms(path: string): Set<string> {
  const found = new Set<string>();
  const slash = path.lastIndexOf('/');
  if (slash > 0) forEachTerm(path.slice(0, slash), (term) => found.add(term));
  return found;
}

/** Distinct parts of a name as terms: of `fooBar`, `foo` and `bar`. */
export function nameTerms(name: string): string[] {
  const found = new Set<string>();
  for (const [word] of name.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const [whole, ...parts] = cachedWordTerms(word);
    for (const term of parts.length >= 2 ? parts : [whole, ...parts]) if (term !== undefined) found.add(term);
  }
  return [...found];
}
