import { z } from 'zod';
import { id, ownBranchField, queryFlag, queryInt, revision } from './common.ts';
import { hunk, pendingParts } from './projects.ts';
import { ANSWER_RATE_LIMITS } from './rate-limits.ts';
import { route } from './route.ts';

/** Hits of each kind that one search gives. */
const MAX_SEARCH_RESULTS = 50;

export const passageHit = z.object({
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  symbol: z.string().nullable(),
  language: z.string(),
  score: z.number(),
  /** A few lines around the best match. */
  snippet: z.string(),
  snippet_start_line: z.number(),
});

export const commitHit = z.object({
  hash: z.string(),
  message: z.string(),
  author: z.string(),
  timestamp: z.string(),
  score: z.number(),
});

/** A change of one file in one commit. Either path is null where the file was not there. */
export const changeHit = commitHit.omit({ score: true }).extend({
  old_path: z.string().nullable(),
  new_path: z.string().nullable(),
  /** The lines that fit with a few around them; null when they could not be read in time. */
  hunk: hunk.nullable(),
});

export const historyMatches = z.object({
  changes: z.array(changeHit).max(MAX_SEARCH_RESULTS),
  /** Of an exact text: the oldest change that added it, and the newest that removed it. */
  first_added: changeHit.nullable(),
  last_removed: changeHit.nullable(),
  /** The text is so common that not every change with it was looked at. */
  partial: z.boolean(),
  /** Commits whose changes can be found so far, of so many; changes of files that were left out or read in part. */
  indexed: z.object({ commits: z.number(), total: z.number().nullable(), omitted: z.number() }),
});

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/search',
    apiKey: 'read',
    projectFrom: 'query',
    rateLimits: ANSWER_RATE_LIMITS.map((limit) => ({ ...limit, ifQuery: 'revision' })),
    summary: 'Search passages and commits of a project, ranked',
    query: z.object({
      q: z.string().trim().min(1, 'query_empty').max(10_000),
      project_id: id,
      limit: queryInt({ min: 1, max: MAX_SEARCH_RESULTS, default: 20 }),
      /** Search what the project was then; its indexed head when absent. */
      revision: revision.optional(),
      /** See `workingBranchField`. */
      working_branch: queryFlag,
    }),
    reply: z.object({
      commit: z.string(),
      own_branch: ownBranchField,
      /** Parts that are still being read, whose results are missing; absent once the index is complete. */
      pending: pendingParts.optional(),
      passages: z.array(passageHit).max(MAX_SEARCH_RESULTS),
      commits: z.array(commitHit).max(MAX_SEARCH_RESULTS),
      took_ms: z.number(),
    }),
  }),
  history: route({
    method: 'GET',
    path: '/search/history',
    apiKey: 'read',
    projectFrom: 'query',
    summary: 'Search added and removed lines in the whole history',
    query: z.object({
      q: z.string().trim().min(1, 'query_empty').max(10_000),
      project_id: id,
      /** `exact`: lines with this very text, newest first; `words`: the changes that are most like it, best first. */
      match: z.enum(['words', 'exact']).default('words'),
      side: z.enum(['any', 'added', 'removed']).default('any'),
      limit: queryInt({ min: 1, max: MAX_SEARCH_RESULTS, default: 20 }),
    }),
    reply: historyMatches.extend({ took_ms: z.number() }),
  }),
};
