import { z } from 'zod';
import { coveringTest, MAX_TESTS } from './change-check.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** Items of the lists of an impact. */
export const [MAX_CALLERS, MAX_CHANGES_WITH, MAX_REGRESSIONS, MAX_IMPACT_PATHS] = [40, 10, 10, 50];

const text = z.string().min(1).max(1024);

const impact = z.object({
  subject: z.object({
    kind: z.enum(['symbol', 'path', 'branch']),
    name: z.string(),
    /** Files of the symbol or the branch, or the path. */
    paths: z.array(z.string()).max(MAX_IMPACT_PATHS),
    /** Definitions whose callers are listed. */
    symbols: z.array(z.string()).max(MAX_IMPACT_PATHS),
  }),
  /** Places that use the definitions, those outside of tests first. */
  callers: z
    .array(
      z.object({
        path: z.string(),
        line: z.number(),
        /** Definition around the place; null outside of any. */
        symbol: z.string().nullable(),
        /** Definition that is used. */
        uses: z.string(),
        text: z.string().max(200),
        /** Matched by name alone: the name has several definitions, or is that of a member. */
        guessed: z.boolean(),
      }),
    )
    .max(MAX_CALLERS),
  caller_count: z.number(),
  tests: z.array(coveringTest).max(MAX_TESTS),
  /** Files that change in the same commits. */
  changes_with: z
    .array(z.object({ path: z.string(), with: z.string(), together: z.number(), of: z.number() }))
    .max(MAX_CHANGES_WITH),
  /** Commits that reverted or broke something here, then fixes; newest first. */
  regressions: z
    .array(
      z.object({
        hash: z.string(),
        subject: z.string(),
        author: z.string(),
        /** ISO 8601; empty for a broken date. */
        timestamp: z.string(),
        path: z.string(),
        kind: z.enum(['revert', 'regression', 'fix']),
      }),
    )
    .max(MAX_REGRESSIONS),
});
export type Impact = z.infer<typeof impact>;

export const impactRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/impact',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get what a change of a symbol, a file or a branch may affect',
    description:
      'Give one of `symbol`, `path` and `branch`. Callers are those of the indexed commit; `guessed` marks matches by name alone.',
    params: projectParams,
    query: z.object({
      symbol: text.optional(),
      path: text.optional(),
      branch: z.string().min(1).max(200).optional(),
    }),
    reply: impact,
  }),
};
