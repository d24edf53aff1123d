import { z } from 'zod';
import { id, MAX_LIST, ownBranchField, queryFlag, queryInt } from './common.ts';
import { route } from './route.ts';

/** A line of a file that has the text. */
const matchingLine = z.object({
  path: z.string(),
  /** From 1. */
  line: z.number(),
  /** At most 1,000 characters of it. */
  text: z.string(),
});

export const lineRoutes = {
  find: route({
    method: 'GET',
    path: '/search/lines',
    apiKey: 'read',
    projectFrom: 'query',
    summary: 'Search lines of indexed files by exact text or regular expression',
    query: z.object({
      project_id: id,
      q: z.string().min(1, 'query_empty').max(1000),
      /** `regex`: an extended regular expression of POSIX; `text`: the text as it is, case included. */
      match: z.enum(['text', 'regex']).default('text'),
      limit: queryInt({ min: 1, max: MAX_LIST, default: 100 }),
      /** See `workingBranchField`. */
      working_branch: queryFlag,
    }),
    // A line has 1,000 characters, each of which may take six bytes of JSON.
    maxReplyBytes: 8 * 2 ** 20,
    reply: z.object({
      commit: z.string(),
      own_branch: ownBranchField,
      /** In the order of paths. */
      lines: z.array(matchingLine).max(MAX_LIST),
      /** There may be more: the limit or the time was reached. */
      partial: z.boolean(),
      took_ms: z.number(),
    }),
  }),
};
