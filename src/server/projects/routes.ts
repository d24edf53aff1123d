import type { FastifyInstance } from 'fastify';
import { projectRoutes } from '#contract/projects.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { isReadOnlyByPlan } from '../identity/plan-access.ts';
import { deleteProject } from '../project-data/delete-project.ts';
import { openProjectIndex, projectStorage } from '../project-data/storage.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { registerConnect } from './connect-routes.ts';
import { createProject } from './create-project.ts';
import { registerCredentials } from './credential-routes.ts';
import { requestIngest } from './index-tasks.ts';
import { registerProjectInsights } from './insight-routes.ts';
import { listProjects, markQueued, presentProject, retireGeneration } from './queries.ts';
import { listSkippedFiles } from './skipped-files.ts';
import { registerProjectUpdate } from './update-project.ts';

/** Registers the `projects` routes and event subscriptions. */
export function registerProjects(app: FastifyInstance, deps: Deps): void {
  serve(
    app,
    projectRoutes.list,
    async ({ caller }) => await listProjects(deps, caller.userId, caller.key?.projectId),
  );

  serve(app, projectRoutes.create, async ({ caller, body, request }) =>
    createProject(deps, body, { userId: caller.userId, client: clientInfo(request) }),
  );

  serve(app, projectRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return presentProject(project, project.role);
  });

  serve(app, projectRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    await deleteProject(deps, project.id);
    const detail = { project: project.name };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'project_deleted',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });

  serve(app, projectRoutes.refresh, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    if (deps.config.publicInstance)
      await consume(deps, `refresh-project:${project.id}`, deps.config.limits.refreshPerProject);
    const row = await markQueued(deps.db, project.id);
    await requestIngest(deps, project.id, 'manual');
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return presentProject(row, project.role);
  });

  serve(app, projectRoutes.skipped, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const index = await openProjectIndex(deps, project);
    return listSkippedFiles(index?.code ?? null, query);
  });

  registerCredentials(app, deps);
  registerProjectUpdate(app, deps);
  registerProjectInsights(app, deps);
  registerConnect(app, deps);

  // Every process has its own index and vector caches.
  deps.events.subscribe('project-removed', ({ projectId }) => {
    deps.indexCache.evict(projectStorage(deps.config.dataDir, projectId).shard);
    deps.queryEmbedder.evictProject(projectId);
  });

  // Every process receives the event; the queue deduplicates.
  deps.events.subscribe('upstream-pushed', async ({ projectId }) => {
    try {
      if (await isReadOnlyByPlan(deps, projectId)) return;
      await markQueued(deps.db, projectId);
      await requestIngest(deps, projectId, 'push');
      deps.events.emit({ type: 'project-changed', projectId });
    } catch (error) {
      app.log.error({ err: error, projectId }, 'refresh after push failed');
    }
  });

  deps.events.subscribe('index-damaged', async ({ projectId, generation }) => {
    try {
      if (await retireGeneration(deps.db, projectId, generation))
        await requestIngest(deps, projectId, 'repair');
    } catch (error) {
      app.log.error({ err: error, projectId }, 'index rebuild could not be queued');
    }
  });
}
