import type { FastifyInstance } from 'fastify';
import { lineRoutes } from '#contract/lines.ts';
import { grepIndex } from '#memory/index/grep-index.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { projectStorage, requireIndex } from '../project-data/storage.ts';

/** Slow regular expressions are aborted. */
const MATCH_TIMEOUT_MS = 5_000;
/** Waiting and matching. */
const QUEUE_TIMEOUT_MS = 30_000;

/** Registers the `lines` routes. */
export function registerLines(app: FastifyInstance, deps: Deps): void {
  serve(app, lineRoutes.find, async ({ caller, query, reply }) => {
    const project = await projectAccess(deps, caller, query.project_id, 'viewer');
    const index = await requireIndex(deps, project);
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const { q, match, limit } = query;
    const pattern = match === 'regex' ? { regex: q } : { fixed: [q] };
    const task = {
      userId: caller.userId,
      deadlineMs: QUEUE_TIMEOUT_MS,
      signal: deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply)),
    };
    return await deps.queues.grep.run(task, async (signal) => {
      const started = performance.now();
      const options = { maxMatches: limit, timeoutMs: MATCH_TIMEOUT_MS, signal };
      const lines = await grepIndex(repo, index, pattern, options);
      const elapsedMs = performance.now() - started;
      const partial = lines.length === limit || elapsedMs >= MATCH_TIMEOUT_MS;
      return { commit: index.revision, lines, partial, took_ms: Math.round(elapsedMs) };
    });
  });
}
