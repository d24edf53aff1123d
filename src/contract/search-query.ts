import { parseDateRange } from './search-dates.ts';

/** Kinds of results, each searched by itself. */
export const SEARCH_TYPES = [
  'code',
  'symbols',
  'files',
  'commits',
  'changes',
  'issues',
  'errors',
  'chats',
] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** Types that are searched in the database, by words only. */
const TEXT_TYPES = ['issues', 'errors', 'chats'] as const satisfies readonly SearchType[];
export type TextType = (typeof TEXT_TYPES)[number];

/** True for types that are searched in the database. */
export function isTextType(type: SearchType): type is TextType {
  return TEXT_TYPES.some((one) => one === type);
}

/** `words`: ranked. `exact`: the text as it is, case included. `regex`: an extended regular expression of POSIX. */
export const SEARCH_MATCHES = ['words', 'exact', 'regex'] as const;
export type SearchMatch = (typeof SEARCH_MATCHES)[number];

export const FILTER_KEYS = ['repo', 'path', 'lang', 'author', 'date', 'rev', 'type', 'side'] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

/** Filters that narrow each type; `repo` and `type` narrow all. */
const APPLICABLE: Record<SearchType, readonly FilterKey[]> = {
  code: ['path', 'lang', 'rev'],
  symbols: ['path', 'lang', 'rev'],
  files: ['path', 'lang', 'rev'],
  commits: ['path', 'author', 'date', 'rev'],
  changes: ['path', 'author', 'date', 'rev', 'side'],
  issues: ['author', 'date'],
  errors: ['author', 'date'],
  chats: ['author', 'date'],
};
const SINGLE: ReadonlySet<FilterKey> = new Set(['date', 'rev', 'type', 'side']);

/** Filters of one query. */
const MAX_FILTERS = 30;
/** Characters of an exact text or an expression. */
const MAX_PATTERN_LENGTH = 1_000;

/** `key:value` of a query, with its place in the text. `-key:value` excludes. */
export interface SearchFilter {
  key: FilterKey;
  value: string;
  negated: boolean;
  from: number;
  to: number;
}

type ProblemCode =
  | 'unknown_type'
  | 'invalid_date'
  | 'invalid_side'
  | 'repeated'
  | 'not_excludable'
  | 'not_for_type'
  | 'regex_code_only'
  | 'words_or_exact'
  | 'pattern_too_long'
  | 'too_many_filters';

/** Reason that a query cannot run as it is written; without a filter, it concerns the whole text. */
export interface SearchProblem {
  code: ProblemCode;
  filter: SearchFilter | null;
}

export interface SearchQuery {
  filters: SearchFilter[];
  /** The text without its filters. */
  text: string;
  type: SearchType;
  match: SearchMatch;
  problems: SearchProblem[];
}

/**
 * Parses a query:
 *
 *     query  = { filter | text }
 *     filter = [ "-" ] key ":" ( '"' value '"' | value )
 *
 * A key without a value and everything in double quotes are text. `/…/` as the whole text is a regular expression, `"…"` an
 * exact text.
 */
export function parseSearchQuery(query: string, chosen: SearchMatch = 'words'): SearchQuery {
  const { filters, text: rest } = splitFilters(query);
  const type = readType(filters);
  const { text, match } = readMatch(rest, chosen);
  const problems = findProblems({ filters, text, type, match });
  return { filters, text, type, match, problems };
}

const TOKEN = /(?:^|\s)(-?)([A-Za-z]+):(?:"([^"]*)"|([^\s"]\S*))(?=\s|$)|"[^"]*"/g;

function splitFilters(query: string): { filters: SearchFilter[]; text: string } {
  const filters: SearchFilter[] = [];
  const kept: string[] = [];
  let end = 0;
  for (const match of query.matchAll(TOKEN)) {
    const [whole, sign, name, quoted, plain] = match;
    const key = FILTER_KEYS.find((one) => one === name?.toLowerCase());
    const value = (quoted ?? plain ?? '').trim();
    if (key === undefined || value === '') continue;
    const to = match.index + whole.length;
    const from = match.index + (whole.length - whole.trimStart().length);
    kept.push(query.slice(end, from).trim());
    filters.push({ key, value, negated: sign === '-', from, to });
    end = to;
  }
  kept.push(query.slice(end).trim());
  return { filters, text: kept.filter(Boolean).join(' ') };
}

function readType(filters: readonly SearchFilter[]): SearchType {
  const value = filters.find(({ key }) => key === 'type')?.value;
  return (value === undefined ? null : typeOf(value)) ?? 'code';
}

/** The type that a value names, in the singular too: `type:commit`. */
function typeOf(value: string): SearchType | null {
  const name = value.toLowerCase();
  return SEARCH_TYPES.find((type) => type === name || type === `${name}s`) ?? null;
}

function readMatch(text: string, chosen: SearchMatch): { text: string; match: SearchMatch } {
  if (chosen !== 'words' || text.length < 3) return { text, match: chosen };
  const inner = text.slice(1, -1);
  if (/^\/.*\/$/s.test(text) && !inner.includes(' /')) return { text: inner, match: 'regex' };
  if (/^".*"$/s.test(text) && !inner.includes('"')) return { text: inner, match: 'exact' };
  return { text, match: chosen };
}

function findProblems({ filters, text, type, match }: Omit<SearchQuery, 'problems'>): SearchProblem[] {
  const problems: SearchProblem[] = filters.flatMap((filter, index) => {
    const code = problemOf(filter, filters.slice(0, index), type);
    return code === null ? [] : [{ code, filter }];
  });
  const add = (code: ProblemCode) => problems.push({ code, filter: null });
  if (filters.length > MAX_FILTERS) add('too_many_filters');
  if (match === 'regex' && type !== 'code') add('regex_code_only');
  if (match !== 'words' && text.length > MAX_PATTERN_LENGTH) add('pattern_too_long');
  if (match === 'exact' && isTextType(type)) add('words_or_exact');
  return problems;
}

function problemOf(
  { key, value, negated }: SearchFilter,
  earlier: readonly SearchFilter[],
  type: SearchType,
): ProblemCode | null {
  if (SINGLE.has(key) && negated) return 'not_excludable';
  if (SINGLE.has(key) && earlier.some((other) => other.key === key)) return 'repeated';
  if (key === 'type' && typeOf(value) === null) return 'unknown_type';
  if (key === 'date' && parseDateRange(value, 0) === null) return 'invalid_date';
  if (key === 'side' && !/^(?:added|removed)$/i.test(value)) return 'invalid_side';
  if (key !== 'repo' && key !== 'type' && !APPLICABLE[type].includes(key)) return 'not_for_type';
  return null;
}

/** Values of one filter of a query, those that exclude or the others. */
export function filterValues({ filters }: Pick<SearchQuery, 'filters'>, key: FilterKey, negated = false) {
  return filters
    .filter((filter) => filter.key === key && filter.negated === negated)
    .map(({ value }) => value);
}

/** True for filters that narrow the results of a type. */
export function isApplicable(key: FilterKey, type: SearchType): boolean {
  return key === 'repo' || key === 'type' || APPLICABLE[type].includes(key);
}

/** A filter as it is written in a query. */
export function formatFilter(key: FilterKey, value: string, negated = false): string {
  const clean = value.replaceAll('"', '');
  return `${negated ? '-' : ''}${key}:${/\s/.test(clean) ? `"${clean}"` : clean}`;
}

/** A query with a filter before its text; the only one of its key where just one is possible. */
export function withFilter(query: string, key: FilterKey, value: string, negated = false): string {
  const others = SINGLE.has(key) ? withoutFilters(query, (filter) => filter.key === key) : query;
  const { filters } = splitFilters(others);
  const isPresent = filters.some(
    (one) => one.key === key && one.value.toLowerCase() === value.toLowerCase() && one.negated === negated,
  );
  if (isPresent) return others.trim();
  const at = filters.findLast((_, index) => isLeading(others, filters, index))?.to ?? 0;
  const [before, after] = [others.slice(0, at).trim(), others.slice(at).trim()];
  return [before, formatFilter(key, value, negated), after].filter(Boolean).join(' ');
}

/** True for a filter before which there are only others. */
function isLeading(query: string, filters: readonly SearchFilter[], index: number): boolean {
  const before = filters.slice(0, index).reduce((text, { from, to }) => blank(text, from, to), query);
  return before.slice(0, filters[index]!.from).trim() === '';
}

const blank = (text: string, from: number, to: number) =>
  text.slice(0, from) + ' '.repeat(to - from) + text.slice(to);

/** A query without some of its filters. */
export function withoutFilters(query: string, isRemoved: (filter: SearchFilter) => boolean): string {
  const removed = splitFilters(query).filters.filter(isRemoved);
  const text = removed.toReversed().reduce((rest, { from, to }) => {
    return `${rest.slice(0, from).trimEnd()} ${rest.slice(to).trimStart()}`;
  }, query);
  return text.trim();
}
