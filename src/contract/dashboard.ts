import { z } from 'zod';
import { timestamp } from './common.ts';
import { OCCURRENCE_WEEKS } from './error-groups.ts';
import { project } from './projects.ts';
import { route } from './route.ts';

/** Projects that the dashboard shows, as in the specification. */
export const RECENT_PROJECTS = 3;

/** A project is active when it has a commit or was used within this many days. */
export const ACTIVE_DAYS = 30;

const dashboard = z.object({
  total_projects: z.number(),
  /** Indexed commits of all projects. */
  total_commits: z.number(),
  /** Debug sessions that were marked helpful or whose error is solved. */
  solved_errors: z.number(),
  /** Errors by the week in which they were solved, the current one last. */
  solved_weeks: z.array(z.number()).max(OCCURRENCE_WEEKS),
  active_projects: z.number(),
  /** Newest first. */
  recent_projects: z
    .array(project.pick({ id: true, name: true, git_url: true, created_at: true, status: true }))
    .max(RECENT_PROJECTS),
});
export type Dashboard = z.infer<typeof dashboard>;

/** Items of each list of the home page. */
export const MAX_HOME_ITEMS = 6;

const ofProject = { project_id: z.string(), project_name: z.string() };

const home = z.object({
  /** Commits that may have fixed an unsolved error and wait for a member's word, newest first. */
  suggested_fixes: z
    .array(
      z.object({
        ...ofProject,
        session_id: z.string(),
        /** First line of the error. */
        title: z.string(),
        commit: z.string(),
        subject: z.string(),
        suggested_at: timestamp,
      }),
    )
    .max(MAX_HOME_ITEMS),
  /** Commits that changed lines which an earlier fix had written, newest first. */
  fixed_code: z
    .array(
      z.object({
        ...ofProject,
        commit: z.string(),
        subject: z.string(),
        author: z.string(),
        timestamp,
        path: z.string(),
        fix: z.string(),
        fix_subject: z.string(),
        found_at: timestamp,
      }),
    )
    .max(MAX_HOME_ITEMS),
  /** The caller's branches with commits of their own, newest first. */
  branches: z
    .array(
      z.object({
        ...ofProject,
        name: z.string(),
        /** Commits since the indexed commit that it began at; null where git took too long. */
        ahead: z.number().nullable(),
        is_pushed: z.boolean(),
      }),
    )
    .max(MAX_HOME_ITEMS),
});
export type Home = z.infer<typeof home>;

export const dashboardRoutes = {
  home: route({
    method: 'GET',
    path: '/home',
    apiKey: 'read',
    summary:
      "Get what waits for the signed-in user: suggested fixes, changes of fixed code and the user's branches",
    reply: home,
  }),
  get: route({
    method: 'GET',
    path: '/dashboard',
    apiKey: 'read',
    summary: 'Get counters over all projects of the signed-in user, and the newest projects',
    reply: dashboard,
  }),
};
