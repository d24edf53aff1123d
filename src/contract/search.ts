import { z } from 'zod';
import { id, queryInt } from './common.ts';
import { route } from './route.ts';

export const passageHit = z.object({
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  symbol: z.string().nullable(),
  language: z.string(),
  score: z.number(),
  /** A few lines around the best match. */
  snippet: z.string(),
  snippet_line: z.number(),
});

export const commitHit = z.object({
  hash: z.string(),
  message: z.string(),
  author: z.string(),
  timestamp: z.string(),
  score: z.number(),
});

export const searchRoutes = {
  search: route({
    method: 'GET',
    path: '/search',
    summary: 'Ranked passages and commits of one project',
    query: z.object({
      q: z.string().trim().min(1, 'Enter something to search for').max(10_000),
      project_id: id,
      limit: queryInt({ min: 1, max: 50, default: 20 }),
    }),
    reply: z.object({
      commit: z.string(),
      passages: z.array(passageHit),
      commits: z.array(commitHit),
      took_ms: z.number(),
    }),
  }),
};
