import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { addFields } from '#contract/json-text.ts';
import { searchRoutes } from '#contract/search.ts';
import type { Deps } from '../deps.ts';
import { SerializedReply } from '../http/serialize-reply.ts';
import { abortOnDisconnect, type RequestContext, serve } from '../http/serve.ts';
import { projectAccess, readAccess } from '../identity/access.ts';
import { hunksFolder, queueHunks } from '../project-data/hunks.ts';
import { projectStorage, requireIndex, requirePartialIndex } from '../project-data/storage.ts';
import { resolveAnswerRevision } from '../project-data/working-branch.ts';

/** Registers the `search` routes. */
export function registerSearch(app: FastifyInstance, deps: Deps): void {
  const search = async ({ caller, query, reply }: RequestContext<typeof searchRoutes.search>) => {
    const project = await readAccess(deps, caller, query.project_id);
    const index = await requirePartialIndex(deps, project);
    const started = performance.now();
    // Opened with the index.
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const { q, limit, revision } = query;
    const { userId } = caller;
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const reader = { project, userId, index, signal };
    const { working_branch: workingBranch } = query;
    const { at, ownBranch } = await resolveAnswerRevision(deps, { ...reader, revision, workingBranch });
    const queryEmbedding = await deps.queryEmbedder.embedQuery(q, { project, userId, signal });
    const task = { repo, shared: index.shared, queryEmbedding, at, q, limit };
    const found = await deps.pool.searchCode(task, { userId, signal });
    const fields = {
      commit: at?.revision ?? index.revision,
      own_branch: ownBranch,
      ...(index.pending.length > 0 && { pending: [...index.pending] }),
      took_ms: Math.round(performance.now() - started),
    };
    return new SerializedReply(addFields(found, fields));
  };
  serve(app, searchRoutes.search, search, { readsProject: true });

  serve(app, searchRoutes.history, async ({ caller, query, reply }) => {
    const project = await projectAccess(deps, caller, query.project_id, 'viewer');
    const index = await requireIndex(deps, project);
    const started = performance.now();
    const { q, match, side, limit } = query;
    const task = {
      repo: projectStorage(deps.config.dataDir, project.id).repo,
      directory: hunksFolder(deps.config.dataDir, project.id),
      shared: index.shared,
      ...{ q, match, limit },
      ...(side !== 'any' && { side }),
    };
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const options = { userId: caller.userId, signal };
    const found = await deps.pool.searchHistory(task, options).catch(async (error: unknown) => {
      const isDamaged = error instanceof AppError && error.code === 'index_rebuilding';
      if (isDamaged) await queueHunks(deps, project.id);
      throw error;
    });
    const { commits, total } = found.indexed;
    // Covers indexes of earlier versions and abandoned runs.
    if (project.activity === null && (total === null || commits < total)) await queueHunks(deps, project.id);
    return { ...found, took_ms: Math.round(performance.now() - started) };
  });
}
