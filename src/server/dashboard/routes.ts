import type { FastifyInstance } from 'fastify';
import { ACTIVE_DAYS, dashboardRoutes, RECENT_PROJECTS } from '#contract/dashboard.ts';
import { commitTime } from '#git/refs.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectStorage } from '../project-data/storage.ts';
import { countSolvedErrors, listProjectActivity, type ProjectActivity } from './queries.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Repositories that are asked at once for their newest commit. */
const AT_ONCE = 4;

/** Serves the feature `dashboard`. */
export function registerDashboard(app: FastifyInstance, deps: Deps): void {
  serve(app, dashboardRoutes.get, async ({ caller }) => {
    const since = new Date(deps.now().getTime() - ACTIVE_DAYS * DAY_MS);
    const projects = await listProjectActivity(deps.db, caller.userId, since);
    return {
      total_projects: projects.length,
      total_commits: projects.reduce((sum, { commits }) => sum + commits, 0),
      solved_errors: await countSolvedErrors(deps.db, caller.userId),
      active_projects: await countActive(deps, projects, since),
      recent_projects: projects
        .slice(0, RECENT_PROJECTS)
        .map((project) => ({ ...project, created_at: project.created_at.toISOString() })),
    };
  });
}

/** Projects that were used since then, or whose newest commit is younger. */
async function countActive(deps: Deps, projects: ProjectActivity[], since: Date): Promise<number> {
  const used = projects.filter((project) => project.used).length;
  const others = projects.filter((project) => !project.used);
  let active = used;
  for (let first = 0; first < others.length; first += AT_ONCE) {
    const some = others.slice(first, first + AT_ONCE);
    const times = await Promise.all(some.map((project) => newestCommit(deps, project)));
    active += times.filter((time) => time !== null && time >= since.getTime()).length;
  }
  return active;
}

/** When the indexed commit was made, in milliseconds; null when there is none, or it can't be read just now. */
async function newestCommit(deps: Deps, project: ProjectActivity): Promise<number | null> {
  if (project.indexed_commit === null) return null;
  const { repo } = projectStorage(deps.config.dataDir, project.id);
  // A counter is no reason to refuse the page: the project's own page says what is wrong with its repository.
  return await commitTime(repo, project.indexed_commit).catch(() => null);
}
