import type { FastifyInstance } from 'fastify';
import { ACTIVE_DAYS, dashboardRoutes, RECENT_PROJECTS } from '#contract/dashboard.ts';
import { commitTime } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectStorage } from '../project-data/storage.ts';
import { listFixedCode, listOwnBranches, listSuggestedFixes } from './home.ts';
import {
  countSolvedByWeek,
  countSolvedErrors,
  listProjectActivity,
  type ProjectActivity,
} from './queries.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Repositories read concurrently. */
const CONCURRENCY = 4;

/** Registers the `dashboard` routes. */
export function registerDashboard(app: FastifyInstance, deps: Deps): void {
  serve(app, dashboardRoutes.get, async ({ caller }) => {
    const since = new Date(deps.now().getTime() - ACTIVE_DAYS * DAY_MS);
    const projects = await listProjectActivity(deps.db, caller.userId, since);
    return {
      total_projects: projects.length,
      total_commits: projects.reduce((sum, { commits }) => sum + commits, 0),
      solved_errors: await countSolvedErrors(deps.db, caller.userId),
      solved_weeks: await countSolvedByWeek(deps.db, caller.userId),
      active_projects: await countActiveProjects(deps, projects, since),
      recent_projects: projects
        .slice(0, RECENT_PROJECTS)
        .map((project) => ({ ...project, created_at: project.created_at.toISOString() })),
    };
  });

  serve(app, dashboardRoutes.home, async ({ caller }) => {
    const [suggested_fixes, fixed_code, branches] = await Promise.all([
      listSuggestedFixes(deps.db, caller.userId),
      listFixedCode(deps.db, caller.userId),
      listOwnBranches(deps, caller.userId),
    ]);
    return { suggested_fixes, fixed_code, branches };
  });
}

/** Counts projects used since a time, or with a newer commit. */
async function countActiveProjects(deps: Deps, projects: ProjectActivity[], since: Date): Promise<number> {
  const used = projects.filter((project) => project.used).length;
  const unused = projects.filter((project) => !project.used);
  let active = used;
  for (let first = 0; first < unused.length; first += CONCURRENCY) {
    const batch = unused.slice(first, first + CONCURRENCY);
    const times = await Promise.all(batch.map((project) => latestCommitTime(deps, project)));
    active += times.filter((time) => time !== null && time >= since.getTime()).length;
  }
  return active;
}

/** Time of the indexed commit in milliseconds; null when there is none or it is unreadable. */
async function latestCommitTime(deps: Deps, project: ProjectActivity): Promise<number | null> {
  if (project.indexed_commit === null) return null;
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  // An unreadable repository must not fail the dashboard; the project page reports it.
  return await commitTime(repo, project.indexed_commit).catch(() => null);
}
