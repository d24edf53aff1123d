import { z } from 'zod';
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
  active_projects: z.number(),
  /** Newest first. */
  recent_projects: z
    .array(project.pick({ id: true, name: true, git_url: true, created_at: true, status: true }))
    .max(RECENT_PROJECTS),
});
export type Dashboard = z.infer<typeof dashboard>;

export const dashboardRoutes = {
  get: route({
    method: 'GET',
    path: '/dashboard',
    apiKey: 'read',
    summary: 'Get counters over all projects of the signed-in user, and the newest projects',
    reply: dashboard,
  }),
};
