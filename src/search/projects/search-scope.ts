import type { DateRange } from '#contract/search-dates.ts';
import type { SearchMatch } from '#contract/search-query.ts';
import { isNonSource } from '#evolution/fixes.ts';
import type { ChangeIndex } from '#memory/changes/change-index.ts';
import type { DiffSide } from '#memory/changes/hunk.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable, CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { matchesLanguage, matchesPath } from './filter-values.ts';

/** Values of a filter: a match is required by the first, if there are any, and ruled out by the second. */
interface FilterValues {
  include: readonly string[];
  exclude: readonly string[];
}

/** Filters of a search, as plain data that a thread can receive. */
export interface SearchFilters {
  path: FilterValues;
  language: FilterValues;
  author: FilterValues;
  date: DateRange | null;
  side: DiffSide | null;
}

/** A project that is searched. */
export interface SearchedProject {
  id: string;
  /** Absolute path of the bare repository. */
  repo: string;
  index: RepositoryIndex;
  /** Opens the changes; null before they are indexed. To be called again for each use: only some projects stay open. */
  openHunks(): ChangeIndex | null;
  /** Embedding of the text; null without an embedding model. */
  embedding: QueryEmbedding | null;
  /** Lines of a passage of a file. */
  readText(passage: number, file: number): Promise<string>;
  /** Content of a blob that the index does not hold; empty for one that is missing or too large. */
  readBlob(oid: string): Promise<Buffer>;
  /** Only commits that this one (a full hash) reaches; all where null. */
  reachableFrom: string | null;
}

/** Text, filters and page of a search. */
export interface ProjectSearch {
  text: string;
  match: SearchMatch;
  filters: SearchFilters;
  skip: number;
  limit: number;
  signal: AbortSignal;
}

/** 1 for tests, documents and examples, by file of an index. */
export const nonSourceFiles = memoizeByIdentity((code: CodeTable) =>
  Uint8Array.from({ length: code.fileCount }, (_, file) => Number(isNonSource(code.filePath(file)))),
);

const isEmpty = ({ include, exclude }: FilterValues) => include.length === 0 && exclude.length === 0;

function accepts(values: FilterValues, matches: (value: string) => boolean): boolean {
  return (values.include.length === 0 || values.include.some(matches)) && !values.exclude.some(matches);
}

/** True when a path passes the filter. */
export function acceptsPath(path: string, values: FilterValues): boolean {
  return accepts(values, (value) => matchesPath(path, value));
}

/** Tests files of an index by path and language, each at most once; null where every file passes. */
export function fileFilter(
  code: CodeTable,
  { path, language }: SearchFilters,
): ((file: number) => boolean) | null {
  if (isEmpty(path) && isEmpty(language)) return null;
  return memoizeNumbers(
    code.fileCount,
    (file) =>
      acceptsPath(code.filePath(file), path) &&
      accepts(language, (value) => matchesLanguage(code.fileLanguage(file), value)),
  );
}

/** Tests commits by author, date, paths and reachability, each at most once; null where every commit passes. */
export function commitFilter(
  { index: { commits }, reachableFrom }: SearchedProject,
  { path, author, date }: SearchFilters,
): ((commit: number) => boolean) | null {
  const reached = reachableFrom === null ? null : reachableCommits(commits, commits.find(reachableFrom));
  if (!reached && !date && isEmpty(path) && isEmpty(author)) return null;
  const pathPasses = memoizeNumbers(commits.pathCount, (number) => acceptsPath(commits.path(number), path));
  return memoizeNumbers(commits.count, (commit) => {
    if (reached && !reached[commit]) return false;
    const time = commits.committed(commit);
    // NaN compares false: a commit with a broken date is in no period.
    if (date?.since != null && !(time >= date.since)) return false;
    if (date?.until != null && !(time < date.until)) return false;
    if (!isEmpty(author)) {
      const name = `${commits.author(commit)}\n${commits.email(commit)}`.toLowerCase();
      if (!accepts(author, (value) => name.includes(value.toLowerCase()))) return false;
    }
    return isEmpty(path) || commits.paths(commit).some(pathPasses);
  });
}

function memoizeNumbers(count: number, test: (value: number) => boolean): (value: number) => boolean {
  const known = new Int8Array(count);
  return (value) => {
    if (known[value] === 0) known[value] = test(value) ? 1 : -1;
    return known[value] === 1;
  };
}

function reachableCommits(commits: CommitTable, from: number): Uint8Array {
  const reached = new Uint8Array(commits.count);
  const waiting = from < 0 ? [] : [from];
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (reached[commit]) continue;
    reached[commit] = 1;
    waiting.push(...commits.parents(commit));
  }
  return reached;
}
