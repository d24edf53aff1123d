import type { FastifyInstance } from 'fastify';
import type { Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_DIFF_HUNKS, MAX_FILES_CHANGED, MAX_PARENTS, projectRoutes } from '#contract/projects.ts';
import type { Database } from '#db/schema.ts';
import { parseRemote } from '#egress/remote-url.ts';
import { showCommit } from '#git/diff.ts';
import { limitDiff } from '#git/diff-limits.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { listCommits, presentCommit, readUnindexedCommit } from '../project-data/commit-list.ts';
import { deleteProject } from '../project-data/delete-project.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { requireProjectQuota } from '../project-data/plans.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { requireProjectCapacity } from '../project-data/row-limits.ts';
import { openProjectIndex, projectStorage, requireIndex } from '../project-data/storage.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { markAwaitingKey, registerCredentials } from './credential-routes.ts';
import { parseCredential, saveCredential } from '../project-data/credentials.ts';
import { readFileWithBlame } from './file-with-blame.ts';
import { requestIngest } from './index-tasks.ts';
import {
  findProjectByUrl,
  insertProject,
  listProjects,
  markQueued,
  presentProject,
  retireGeneration,
} from './queries.ts';
import { listSkippedFiles } from './skipped-files.ts';
import { registerProjectUpdate } from './update-project.ts';

/** Registers the `projects` routes and event subscriptions. */
export function registerProjects(app: FastifyInstance, deps: Deps): void {
  serve(
    app,
    projectRoutes.list,
    async ({ caller }) => await listProjects(deps.db, caller.userId, caller.key?.projectId),
  );

  serve(app, projectRoutes.create, async ({ caller, body, request }) => {
    const requireQuota = (db: Transaction<Database>) => requireProjectQuota({ ...deps, db }, caller.userId);
    // Checked before validating the URL, and again in the inserting transaction.
    await deps.db.transaction().execute(requireQuota);
    if (deps.config.publicInstance) {
      await consume(deps, `projects:${caller.userId}`, deps.config.limits.projectsPerUser);
    }
    const remote = parseRemote(body.git_url, { ssh: body.credential?.kind === 'ssh' });
    const credential = parseCredential(remote, body.credential);
    await deps.egress.check(remote);
    const duplicateOf = await findProjectByUrl(deps.db, caller.userId, remote.href);
    const values = {
      name: body.name,
      gitUrl: remote.href,
      description: body.description || null,
      ownerId: caller.userId,
    };
    const row = await deps.db.transaction().execute(async (trx) => {
      await requireQuota(trx);
      await requireProjectCapacity(trx, caller.userId);
      const created = await insertProject(trx, values);
      if (credential)
        await saveCredential({ ...deps, db: trx }, { project: created, userId: caller.userId, credential });
      return created;
    });
    const detail = { project: row.name, git_url: row.git_url };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'project_created',
      detail,
      ...clientInfo(request),
    });
    if (credential?.isGenerated) return { ...(await markAwaitingKey(deps, row)), duplicate_of: duplicateOf };
    await requestIngest(deps, row.id, 'added');
    return { ...presentProject(row, 'owner'), duplicate_of: duplicateOf };
  });

  serve(app, projectRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    return presentProject(project, project.role);
  });

  serve(app, projectRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
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

  // Every process has its own index and vector caches.
  deps.events.subscribe('project-removed', ({ projectId }) => {
    deps.indexCache.evict(projectStorage(deps.config.dataDir, projectId).shard);
    deps.queryEmbedder.evictProject(projectId);
  });

  // Every process receives the event; the queue deduplicates.
  deps.events.subscribe('upstream-pushed', async ({ projectId }) => {
    try {
      await markQueued(deps.db, projectId);
      await requestIngest(deps, projectId, 'push');
      deps.events.emit({ type: 'project-changed', projectId });
    } catch (error) {
      app.log.error({ err: error, projectId }, 'refresh after push failed');
    }
  });

  deps.events.subscribe('index-damaged', async ({ projectId, generation }) => {
    try {
      if (await retireGeneration(deps.db, projectId, generation)) await requestIngest(deps, projectId, 'repair');
    } catch (error) {
      app.log.error({ err: error, projectId }, 'index rebuild could not be queued');
    }
  });
}
