import type { FastifyInstance } from 'fastify';
import { backtestRoutes } from '#contract/backtest.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { requireIndex } from '../project-data/storage.ts';
import { requestBacktest } from './backtest-tasks.ts';
import { findLatestBacktest, insertBacktest, presentBacktest } from './queries.ts';

/** Registers the `backtest` routes. */
export function registerBacktest(app: FastifyInstance, deps: Deps): void {
  serve(app, backtestRoutes.start, async ({ caller, params, body }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const { revision } = await requireIndex(deps, project);
    const { fixes, seed = null } = body;
    const backtest =
      (await insertBacktest(deps.db, { project_id: project.id, commit: revision, fixes, seed })) ??
      (await findLatestBacktest(deps.db, project.id));
    await requestBacktest(deps, project.id);
    return presentBacktest(backtest!);
  });

  serve(app, backtestRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const newest = await findLatestBacktest(deps.db, project.id);
    return { backtest: newest && presentBacktest(newest) };
  });
}
