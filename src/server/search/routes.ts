import type { FastifyInstance } from 'fastify';
import { searchRoutes } from '#contract/search.ts';
import { share } from '#memory/share.ts';
import { projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { projectStorage, requireMemory } from '../storage.ts';

/** Serves the feature `search`. */
export function registerSearch(app: FastifyInstance, deps: Deps): void {
  serve(app, searchRoutes.search, async ({ caller, query }) => {
    const project = await projectAccess(deps, caller, query.project_id, 'viewer');
    const memory = await requireMemory(deps, project);
    const started = performance.now();
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const found = await deps.pool.search({ repo, shared: share(memory), q: query.q, limit: query.limit });
    return { commit: memory.revision, ...found, took_ms: Math.round(performance.now() - started) };
  });
}
