import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { route } from './route.ts';

/** Weeks of the activity of one project, and in lists of projects. */
export const ACTIVITY_WEEKS = 52;
export const CARD_WEEKS = 12;
/** Years of commits are read from repositories, which may contain any. */
export const MAX_YEARS = 200;

/** Commits by week, stored at indexing: a list of projects opens no index. */
const commitWeeks = z.object({
  /** Monday of the newest week, `2026-05-25`. */
  week: z.string(),
  /** Oldest first. */
  counts: z.array(z.number()).max(ACTIVITY_WEEKS),
});
export type CommitWeeks = z.infer<typeof commitWeeks>;

const overview = z.object({
  /** By lines, most first. The rest is summed up as `other`. */
  languages: z.array(z.object({ name: z.string(), files: z.number(), lines: z.number() })).max(12),
  /** Files that changed most often in the last year. */
  hotspots: z
    .array(z.object({ path: z.string(), commits: z.number(), fixes: z.number(), last_changed: timestamp }))
    .max(8),
  /** Commits by week of the last year, the current week last. */
  weeks: z.array(z.number()).max(ACTIVITY_WEEKS),
  /** Authors of the last year, by commits. */
  people: z.array(z.object({ name: z.string(), commits: z.number(), last_active: timestamp })).max(8),
  people_count: z.number(),
  /** Measured lines of code by year of their last change, oldest first; empty until the survey has measured any. */
  code_age: z.array(z.object({ year: z.number(), lines: z.number() })).max(MAX_YEARS),
  /** Newest fix that can be replayed. */
  has_replay: z.boolean(),
});
export type ProjectOverview = z.infer<typeof overview>;

export const projectOverviewRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/overview',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'Get languages, hotspots, activity and people of a project, from its index',
    params: z.object({ id }),
    reply: overview,
  }),
};
