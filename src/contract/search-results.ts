import { z } from 'zod';
import { queryFlag, queryInt } from './common.ts';
import { errorState } from './error-groups.ts';
import { issueKind, issueState } from './issues.ts';
import { route } from './route.ts';
import { changeHit } from './search.ts';
import { SEARCH_MATCHES, SEARCH_TYPES } from './search-query.ts';

/** Results of one page. */
const MAX_PAGE_RESULTS = 50;
/** Projects that one search covers, newest first. */
export const MAX_SEARCHED_PROJECTS = 50;
/** Parts of one file in a result. */
export const MAX_FRAGMENTS = 3;
/** Values of one facet. */
export const MAX_FACET_VALUES = 12;
const MAX_FRAGMENT_LINES = 12;
const MAX_MARKS = 100;

/** Characters of a text that matched: from, and up to, not including. */
const mark = z.tuple([z.number(), z.number()]);

/** Consecutive lines of a file with the matches in each. */
const fragment = z.object({
  /** From 1. */
  start: z.number(),
  lines: z.array(z.object({ text: z.string(), marks: z.array(mark).max(MAX_MARKS) })).max(MAX_FRAGMENT_LINES),
});
export type SearchFragment = z.infer<typeof fragment>;

const inFile = { project_id: z.string(), path: z.string(), language: z.string() };

export const codeResult = z.object({
  kind: z.literal('code'),
  ...inFile,
  symbol: z.string().nullable(),
  /** Lines to open. */
  line: z.number(),
  to_line: z.number(),
  /** Matching lines or passages of the file, as far as they were counted. */
  matches: z.number(),
  fragments: z.array(fragment).max(MAX_FRAGMENTS),
});

const symbolResult = z.object({
  kind: z.literal('symbol'),
  ...inFile,
  /** Full name such as `Session.request`. */
  name: z.string(),
  marks: z.array(mark).max(MAX_MARKS),
  line: z.number(),
  to_line: z.number(),
});

const fileResult = z.object({
  kind: z.literal('file'),
  ...inFile,
  marks: z.array(mark).max(MAX_MARKS),
  lines: z.number(),
});

const commitResult = z.object({
  kind: z.literal('commit'),
  project_id: z.string(),
  hash: z.string(),
  subject: z.string(),
  marks: z.array(mark).max(MAX_MARKS),
  author: z.string(),
  /** ISO 8601; empty for a broken date. */
  timestamp: z.string(),
});

const changeResult = changeHit.extend({
  kind: z.literal('change'),
  project_id: z.string(),
});

const issueResult = z.object({
  kind: z.literal('issue'),
  project_id: z.string(),
  issue_kind: issueKind,
  number: z.number(),
  title: z.string(),
  /** Beginning of its text. */
  excerpt: z.string().nullable(),
  state: issueState,
  author: z.string(),
  timestamp: z.string(),
});

const errorResult = z.object({
  kind: z.literal('error'),
  project_id: z.string(),
  session_id: z.string(),
  title: z.string(),
  /** Most probable cause, as far as the answer names one. */
  cause: z.string().nullable(),
  state: errorState,
  author: z.string(),
  timestamp: z.string(),
});

const chatResult = z.object({
  kind: z.literal('chat'),
  project_id: z.string(),
  thread_id: z.string(),
  title: z.string(),
  /** Text around the match. */
  excerpt: z.string().nullable(),
  author: z.string(),
  timestamp: z.string(),
});

const searchResult = z.discriminatedUnion('kind', [
  codeResult,
  symbolResult,
  fileResult,
  commitResult,
  changeResult,
  issueResult,
  errorResult,
  chatResult,
]);
export type SearchResult = z.infer<typeof searchResult>;

const FACET_KEYS = ['project', 'language', 'folder', 'author', 'state'] as const;

const facet = z.object({
  key: z.enum(FACET_KEYS),
  /** Most frequent first. */
  values: z
    .array(z.object({ value: z.string(), label: z.string(), count: z.number() }))
    .max(MAX_FACET_VALUES),
  /** Further values that are not listed. */
  more: z.number(),
});
export type SearchFacet = z.infer<typeof facet>;

/**
 * `not_ready`: not indexed yet. `partly_indexed`: symbols or older commits are still being read, and were not searched.
 * `revision_not_found`: has no such revision. `revision_not_indexed`: the revision can only be searched in fewer projects at
 * once. `timed_out`: results may be missing. `without_branch`: the indexed head was searched, and the caller's branch was not.
 */
const scopeState = z.enum([
  'searched',
  'not_ready',
  'partly_indexed',
  'revision_not_found',
  'revision_not_indexed',
  'timed_out',
  'without_branch',
]);

const scopedProject = z.object({
  id: z.string(),
  name: z.string(),
  state: scopeState,
  /** Searched commit; null where none was. */
  commit: z.string().nullable(),
  /** Branch that the commit was indexed from; null for another revision. */
  branch: z.string().nullable(),
  /** The caller's own branch: searched on top of the indexed commit, or left out; null without one. */
  own_branch: z.enum(['searched', 'left_out']).nullable(),
  /** Files that are not indexed, which an exact search leaves out. */
  unindexed_files: z.number(),
  /** Commits whose changes can be found so far, of so many; null for other types. */
  history: z.object({ commits: z.number(), total: z.number().nullable() }).nullable(),
});
export type ScopedProject = z.infer<typeof scopedProject>;

const text = z.string().max(10_000);

/** True includes the caller's own branches, false leaves them out; by default those that lack no indexed commits are included. */
const ownBranches = queryFlag;

export const searchResultRoutes = {
  results: route({
    method: 'GET',
    path: '/search/results',
    apiKey: 'read',
    projectFrom: 'key',
    summary: 'Search code, history, issues, errors and chats of several projects',
    description:
      'The query may hold the filters `repo:`, `path:`, `lang:`, `author:`, `date:`, `rev:`, `type:` and `side:`.',
    query: z.object({
      q: text,
      match: z.enum(SEARCH_MATCHES).default('words'),
      skip: queryInt({ min: 0, max: 950, default: 0 }),
      limit: queryInt({ min: 1, max: MAX_PAGE_RESULTS, default: 20 }),
      own_branches: ownBranches,
    }),
    reply: z.object({
      type: z.enum(SEARCH_TYPES),
      results: z.array(searchResult).max(MAX_PAGE_RESULTS),
      /** Results that were counted. */
      total: z.number(),
      /** False when there may be more than were counted: total and facets are of a sample. */
      complete: z.boolean(),
      facets: z.array(facet).max(FACET_KEYS.length),
      projects: z.array(scopedProject).max(MAX_SEARCHED_PROJECTS),
      /** Projects beyond the limit, which were not searched. */
      projects_omitted: z.number(),
      /** Values of `repo:` that no project of the caller matches. */
      unknown_projects: z.array(z.string()).max(MAX_PAGE_RESULTS),
      took_ms: z.number(),
    }),
  }),
  counts: route({
    method: 'GET',
    path: '/search/counts',
    apiKey: 'read',
    projectFrom: 'key',
    summary: 'Count the results of a search by type',
    query: z.object({ q: text, match: z.enum(SEARCH_MATCHES).default('words'), own_branches: ownBranches }),
    reply: z.object({
      /** A type is missing where the query does not apply to it. */
      counts: z
        .array(z.object({ type: z.enum(SEARCH_TYPES), total: z.number(), complete: z.boolean() }))
        .max(SEARCH_TYPES.length),
    }),
  }),
  values: route({
    method: 'GET',
    path: '/search/values',
    apiKey: 'read',
    projectFrom: 'key',
    summary: 'Suggest values of a filter from the projects that a query covers',
    query: z.object({
      key: z.enum(['author', 'path', 'lang', 'rev']),
      /** Part of the value. */
      text: z.string().max(200).default(''),
      q: text.default(''),
    }),
    reply: z.object({ values: z.array(z.object({ value: z.string(), detail: z.string() })).max(20) }),
  }),
};
