import { z } from 'zod';
import { id, oid, timestamp } from './common.ts';
import { route } from './route.ts';

const MAX_ITEMS = 10;

/** A past fix, replayed as an error: what would have been answered before it was written. */
const replay = z.object({
  /** Text that was investigated: the message of the fix, without hashes and trailers. */
  symptom: z.string(),
  /** The repository was read as of this commit, the parent of the fix. */
  parent: oid,
  fix: z.object({ hash: oid, message: z.string(), author: z.string(), timestamp }),
  places: z
    .array(
      z.object({
        path: z.string(),
        start_line: z.number(),
        end_line: z.number(),
        symbol: z.string().nullable(),
        /** The fix changed this file. */
        is_right: z.boolean(),
      }),
    )
    .max(MAX_ITEMS),
  suspects: z
    .array(
      z.object({
        hash: oid,
        message: z.string(),
        author: z.string(),
        timestamp,
        /** It last changed lines that the fix replaced. */
        is_right: z.boolean(),
      }),
    )
    .max(MAX_ITEMS),
  /** Ranks of the first right place and suspect, from 1; null when none of those listed is right. */
  place_rank: z.number().nullable(),
  cause_rank: z.number().nullable(),
  /** Files that the fix changed, and commits that last changed its lines. */
  expected: z.object({
    files: z.array(z.string()).max(100),
    causes: z.array(z.string()).max(100),
  }),
  /** Fixes of this history that can be replayed, at most as many as were looked for. */
  replayable: z.number(),
  took_ms: z.number(),
});
export type Replay = z.infer<typeof replay>;

/** Fixes to choose from. */
export const MAX_REPLAYABLE = 50;

export const replayRoutes = {
  start: route({
    method: 'POST',
    path: '/projects/:id/replay',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Hide a past fix, answer its message on the code before it, and compare with what was changed',
    rateLimits: [{ bucket: 'replay', limit: 'replaysPerUser', per: 'user' }],
    params: z.object({ id }),
    body: z.object({
      /** Number of the fix, 0 for the newest. */
      number: z
        .number()
        .int()
        .min(0)
        .max(MAX_REPLAYABLE - 1)
        .default(0),
    }),
    reply: replay,
  }),
};
