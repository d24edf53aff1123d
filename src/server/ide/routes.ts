import type { FastifyInstance } from 'fastify';
import { ideRoutes } from '#contract/ide.ts';
import { createCheckerPool } from '#diagnose/pool.ts';
import { type Caller, type ProjectRow, projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { serve, untilClosed } from '../http.ts';
import { spend } from '../limits.ts';
import type { Limit } from '../rate-limits.ts';
import { eventStream, wantsEvents } from '../sse.ts';
import { projectStorage } from '../storage.ts';
import type { Progress } from '../written.ts';
import { analyze } from './analyze.ts';
import { signatureOf } from './author.ts';
import { ownBranch } from './branches.ts';
import { openFile, readFolder, readTree, requireIndexed, versionToRead } from './files.ts';
import { removeFile, saveFile } from './save.ts';

/** A save is storage and a check is time; among strangers somebody else pays for both. */

/** Serves the feature `ide`. */
export function registerIde(app: FastifyInstance, deps: Deps): void {
  serve(app, ideRoutes.files, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const { commit } = await versionToRead(deps.db, repo, {
      projectId: project.id,
      userId: caller.userId,
      indexed: project.indexed_commit,
      ref: query.ref,
    });
    return query.path === undefined
      ? await readTree(repo, commit)
      : await readFolder(repo, commit, query.path);
  });

  serve(app, ideRoutes.file, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const version = await versionToRead(deps.db, repo, {
      projectId: project.id,
      userId: caller.userId,
      indexed: project.indexed_commit,
      ref: query.ref,
    });
    return await openFile(repo, version, { path: params['*'], mayEdit: project.role !== 'viewer' });
  });

  serve(app, ideRoutes.save, async ({ caller, params, body }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await spendAmongStrangers(deps, `save:${caller.userId}`, deps.config.limits.savesPerUser);
    return await saveFile(await targetOf(deps, caller, project, body), {
      path: params['*'],
      content: body.content,
      renamedFrom: body.renamed_from ?? null,
    });
  });

  serve(app, ideRoutes.remove, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await spendAmongStrangers(deps, `save:${caller.userId}`, deps.config.limits.savesPerUser);
    return await removeFile(await targetOf(deps, caller, project, query), params['*']);
  });

  const checkers = createCheckerPool();
  app.addHook('onClose', () => checkers.close());
  serve(app, ideRoutes.analyze, async ({ caller, params, body, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await spendAmongStrangers(deps, `analyze:${caller.userId}`, deps.config.limits.analysesPerUser);
    const onLogFailure = (error: unknown) => request.log.error({ err: error }, 'egress log');
    const work = (progress: Progress, signal: AbortSignal) =>
      analyze({ deps, checkers, project, userId: caller.userId, signal, progress, onLogFailure }, body);
    if (wantsEvents(request)) return eventStream(request, reply, work);
    return await work(() => {}, untilClosed(reply));
  });
}

async function spendAmongStrangers(deps: Deps, key: string, limit: Limit): Promise<void> {
  if (deps.config.publicInstance) await spend(deps, key, limit);
}

interface CommitWords {
  commit_message?: string | null;
  base_sha?: string | null;
  branch?: string | null;
}

/** Where the caller's change goes, and by whom it is. */
async function targetOf(deps: Deps, caller: Caller, project: ProjectRow, words: CommitWords) {
  const indexed = requireIndexed(project.indexed_commit);
  const user = await deps.db
    .selectFrom('users')
    .select(['username', 'full_name', 'email'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const owner = { projectId: project.id, userId: caller.userId, username: user.username, base: indexed };
  return {
    db: deps.db,
    repo: projectStorage(deps.config.dataDir, project.id).repo,
    branch: await ownBranch(deps.db, owner, words.branch ?? null),
    indexed,
    by: signatureOf(user, deps.now()),
    message: words.commit_message ?? null,
    baseSha: words.base_sha ?? null,
  };
}
