import {
  filterValues,
  parseSearchQuery,
  type SearchMatch,
  type SearchQuery,
} from '#contract/search-query.ts';
import type { WatchKind } from '#contract/watches.ts';
import { lastName, listDefinitionVersions } from '#evolution/definition-versions.ts';
import { showCommit } from '#git/diff.ts';
import { readFileAt } from '#git/file-at.ts';
import type { LogCommit, PathChange } from '#git/log.ts';
import { detectLanguage } from '#memory/chunk/languages.ts';
import { terms } from '#memory/tokens.ts';
import { createRegexMatcher } from '#search/expressions/line-matcher.ts';
import { matchesLanguage, matchesPath } from '#search/projects/filter-values.ts';

/** Subject of a watch. */
export interface WatchSubject {
  kind: WatchKind;
  value: string;
  path: string;
  match: SearchMatch;
}

/** A commit with what is read of it on demand. */
interface CommitReader {
  commit: LogCommit;
  /** Changed lines by path. Read once, and bounded. */
  changedLines(): Promise<ChangedLines[]>;
  /** Terms of a text of the commit, read once for all watches. */
  termsOf(text: string): ReadonlySet<string>;
  /** Text of a file at the commit or before it; null where there is none. */
  readFile(path: string, side: 'before' | 'after'): Promise<string | null>;
}

interface ChangedLines {
  path: string;
  added: string;
  removed: string;
}

/** An error as watches see it. */
export interface WatchedError {
  id: string;
  title: string;
  culprit: string | null;
  /** Frames of the application. */
  frames: { path: string; symbol: string | null }[];
}

const MAX_DIFF_BYTES = 256 * 1024;

/** Creates a reader of one commit. */
export function createCommitReader(repo: string, commit: LogCommit, signal?: AbortSignal): CommitReader {
  let lines: Promise<ChangedLines[]> | undefined;
  const known = new Map<string, ReadonlySet<string>>();
  const loadLines = async () => {
    const options = { context: 0, maxBytes: MAX_DIFF_BYTES, ...(signal && { signal }) };
    const files = await showCommit(repo, commit.oid, options);
    return files.map(({ new_path, old_path, hunks }) => {
      const all = hunks.flatMap((hunk) => hunk.lines);
      const side = (kind: 'add' | 'delete') =>
        all.flatMap((line) => (line.kind === kind ? [line.text] : [])).join('\n');
      return { path: new_path ?? old_path ?? '', added: side('add'), removed: side('delete') };
    });
  };
  return {
    commit,
    changedLines: () => {
      lines ??= loadLines();
      return lines;
    },
    termsOf: (text) => {
      const found = known.get(text) ?? readTerms(text);
      known.set(text, found);
      return found;
    },
    readFile: async (path, side) => {
      const revision = side === 'after' ? commit.oid : commit.parents[0];
      return revision === undefined ? null : await readFileAt(repo, revision, path);
    },
  };
}

/** True when a commit concerns the subject of a watch. Merges concern none. */
export async function matchesCommit(watch: WatchSubject, reader: CommitReader): Promise<boolean> {
  const { commit } = reader;
  if (commit.parents.length > 1) return false;
  if (watch.kind === 'author') return isAuthor(commit, watch.value);
  if (watch.kind === 'path') {
    return commit.changes.some((change) => pathsOf(change).some((path) => isWithin(path, watch.value)));
  }
  if (watch.kind === 'function') {
    const change = commit.changes.find((one) => pathsOf(one).includes(watch.path));
    return change !== undefined && (await changesDefinition(reader, change, watch.value));
  }
  return watch.kind === 'query' && (await matchesQuery(watch, reader));
}

/** True when a new error concerns the subject of a watch. */
export function matchesError(watch: WatchSubject, error: WatchedError): boolean {
  const { kind, value } = watch;
  if (kind === 'error') return value === error.id;
  if (kind === 'path') return error.frames.some(({ path }) => endsWithin(path, value));
  if (kind === 'function') {
    const isSameName = (symbol: string | null) => symbol !== null && lastName(symbol) === lastName(value);
    return error.frames.some(({ path, symbol }) => endsWithin(path, watch.path) && isSameName(symbol));
  }
  if (kind !== 'query') return false;
  const query = parseSearchQuery(value, watch.match);
  if (query.text === '' || !['code', 'errors'].includes(query.type)) return false;
  if (query.filters.some(({ key }) => key !== 'type' && key !== 'repo')) return false;
  return createTextTest(query)([error.title, error.culprit].join('\n'));
}

/** True when a search can be watched: it has a text or a filter that commits have, and no revision or date. */
export function isWatchableQuery(value: string, match: SearchMatch): boolean {
  const query = parseSearchQuery(value, match);
  const filters = query.filters.filter(({ key }) => key !== 'type' && key !== 'repo');
  if (query.problems.length > 0 || ['issues', 'chats'].includes(query.type)) return false;
  if (filters.some(({ key }) => key === 'rev' || key === 'date')) return false;
  if (query.match === 'regex' && createRegexMatcher(query.text) === null) return false;
  return query.text !== '' || (filters.length > 0 && query.type !== 'errors');
}

const pathsOf = ({ path, oldPath }: PathChange) => (oldPath === null ? [path] : [path, oldPath]);

/** True for a file, for files of a folder, and, with `*` or `?`, for paths of a pattern. */
function isWithin(path: string, value: string): boolean {
  if (/[*?]/.test(value)) return matchesPath(path, value);
  return path === value || path.startsWith(`${value}/`);
}

/** The same for a path of another machine, which may have folders before it. */
function endsWithin(path: string, value: string): boolean {
  const clean = path.replaceAll('\\', '/');
  return isWithin(clean, value) || clean.endsWith(`/${value}`) || clean.includes(`/${value}/`);
}

/** As the filter `author` of a list of commits. */
function isAuthor({ author, email }: LogCommit, value: string): boolean {
  return `${author}\n${email}`.toLowerCase().includes(value.toLowerCase());
}

/** Compares a definition before and after; one without a grammar counts as changed with the lines that name it. */
async function changesDefinition(reader: CommitReader, change: PathChange, name: string): Promise<boolean> {
  const { path, oldPath } = change;
  const find = async (side: 'before' | 'after') => {
    const file = side === 'before' ? (oldPath ?? path) : path;
    const text = await reader.readFile(file, side);
    const found = text === null ? [] : await listDefinitionVersions(file, text);
    return (
      found.find((one) => one.name === name) ?? found.find((one) => lastName(one.name) === lastName(name))
    );
  };
  const [before, after] = [await find('before'), await find('after')];
  if (before || after) return before?.text !== after?.text;
  const lines = (await reader.changedLines()).find((one) => one.path === path);
  const words = new Set(`${lines?.added}\n${lines?.removed}`.match(/[\p{L}\p{N}_$]+/gu));
  return words.has(lastName(name));
}

async function matchesQuery({ value, match }: WatchSubject, reader: CommitReader): Promise<boolean> {
  const { commit } = reader;
  const query = parseSearchQuery(value, match);
  if (query.type === 'errors' || !acceptsAuthor(query, commit)) return false;
  const paths = commit.changes.map(({ path }) => path).filter((path) => acceptsFile(query, path));
  const isNarrowed = query.filters.some(({ key }) => key === 'path' || key === 'lang');
  if (isNarrowed && paths.length === 0) return false;
  if (query.text === '') return true;
  const test = createTextTest(query, reader.termsOf);
  const { type } = query;
  if (type !== 'changes' && type !== 'files' && test(commit.message)) return true;
  if (type === 'commits') return false;
  if (type === 'files' || type === 'symbols' || type === 'code') {
    if (query.match !== 'regex' && paths.some(test)) return true;
    if (type === 'files') return false;
  }
  const [side] = filterValues(query, 'side');
  const lines = (await reader.changedLines()).filter(({ path }) => acceptsFile(query, path));
  return lines.some(({ added, removed }) => {
    if (side !== undefined) return test(side.toLowerCase() === 'added' ? added : removed);
    return test(added) || test(removed);
  });
}

function acceptsAuthor(query: SearchQuery, commit: LogCommit): boolean {
  return accepts(query, 'author', (value) => isAuthor(commit, value));
}

function acceptsFile(query: SearchQuery, path: string): boolean {
  return (
    accepts(query, 'path', (value) => matchesPath(path, value)) &&
    accepts(query, 'lang', (value) => matchesLanguage(detectLanguage(path, ''), value))
  );
}

function accepts(query: SearchQuery, key: 'author' | 'path' | 'lang', matches: (value: string) => boolean) {
  const included = filterValues(query, key);
  if (included.length > 0 && !included.some(matches)) return false;
  return !filterValues(query, key, true).some(matches);
}

const readTerms = (text: string): ReadonlySet<string> => new Set(terms(text));

/** Tests a text by a query: all words, the exact text, or a line that matches the expression. */
function createTextTest(
  { text, match }: SearchQuery,
  termsOf: CommitReader['termsOf'] = readTerms,
): (haystack: string) => boolean {
  if (match === 'exact') return (haystack) => haystack.includes(text);
  if (match === 'regex') {
    const matcher = createRegexMatcher(text);
    return (haystack) => matcher !== null && findsLine(matcher, haystack);
  }
  const wanted = new Set(terms(text));
  return (haystack) => {
    if (wanted.size === 0) return haystack.includes(text);
    const found = termsOf(haystack);
    return [...wanted].every((term) => found.has(term));
  };
}

/** An expression that costs too much matches nothing. */
function findsLine(matcher: NonNullable<ReturnType<typeof createRegexMatcher>>, text: string): boolean {
  try {
    return matcher.find(Buffer.from(`${text}\n`), 0) >= 0;
  } catch {
    return false;
  }
}
