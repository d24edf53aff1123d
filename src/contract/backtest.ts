import { z } from 'zod';
import { sentence, timestamp } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** Fixes that one back-test replays when nothing is said, and at most. */
const BACKTEST_FIXES = { default: 50, max: 200 } as const;

/** Hit rate at 1, 3 and 5, over the cases with a known expected result. */
const hitRate = z.object({
  case_count: z.number(),
  at1: z.number(),
  at3: z.number(),
  at5: z.number(),
});
export type HitRate = z.infer<typeof hitRate>;

/** Answers whose confidence lies in one bin: their mean confidence, and their accuracy. */
const calibrationBin = z.object({
  from: z.number(),
  to: z.number(),
  case_count: z.number(),
  /** Mean of the stated confidences, 0 to 1. */
  mean_confidence: z.number(),
  /** Share with the right file among the first three, 0 to 1. */
  accuracy: z.number(),
});

const backtestMetrics = z.object({
  files: hitRate,
  functions: hitRate,
  causes: hitRate,
  calibration: z.object({
    /** Expected calibration error: mean gap between stated and right, weighed by cases; 0 is best. */
    expected_error: z.number(),
    bins: z.array(calibrationBin).max(10),
  }),
});
export type BacktestMetrics = z.infer<typeof backtestMetrics>;

/** Right files, functions or commits that are shown of one fix. */
const MAX_GOLD = 100;

/** One replayed fix. A rank counts from 1; null: not among those listed. */
const backtestCase = z.object({
  hash: z.string(),
  message: z.string(),
  timestamp: z.string(),
  files: z.object({ expected: z.array(z.string()).max(MAX_GOLD), rank: z.number().nullable() }),
  functions: z.object({ expected: z.array(z.string()).max(MAX_GOLD), rank: z.number().nullable() }),
  /** Commits that last wrote the lines which the fix took away. */
  causes: z.object({ expected: z.array(z.string()).max(MAX_GOLD), rank: z.number().nullable() }),
  confidence: z.number(),
});
export type BacktestCase = z.infer<typeof backtestCase>;

const backtest = z.object({
  id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  /** The indexed commit whose past was replayed. */
  commit: z.string(),
  fixes: z.number(),
  seed: z.number().nullable(),
  done: z.number(),
  /** Fixes found to replay; null while they are sought. */
  total: z.number().nullable(),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  seconds: z.number().nullable(),
  failure: sentence.nullable(),
  metrics: backtestMetrics.nullable(),
  cases: z.array(backtestCase).max(BACKTEST_FIXES.max),
});
export type Backtest = z.infer<typeof backtest>;

export const backtestRoutes = {
  start: route({
    method: 'POST',
    path: '/projects/:id/backtest',
    apiKey: 'write',
    projectFrom: 'path',
    summary:
      'Replay past fixes, each with everything after it hidden, and measure what would have been found. ' +
      'A run that is under way is joined. Same seed and same indexed commit: same figures',
    params: projectParams,
    body: z.object({
      /** The last so many fixes; with a seed, so many drawn from ten times as long a past. */
      fixes: z.number().int().min(1).max(BACKTEST_FIXES.max).default(BACKTEST_FIXES.default),
      seed: z.number().int().min(0).max(0xffffffff).nullish(),
    }),
    reply: backtest,
    status: 202,
  }),
  get: route({
    method: 'GET',
    path: '/projects/:id/backtest',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get the newest back-test of a project, or null',
    params: projectParams,
    reply: z.object({ backtest: backtest.nullable() }),
  }),
};
