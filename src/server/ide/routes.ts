import type { FastifyInstance } from 'fastify';
import { ideRoutes } from '#contract/ide.ts';
import { type Caller, type ProjectRow, projectAccess } from '../access.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { type Limit, spend } from '../limits.ts';
import { projectStorage } from '../storage.ts';
import { signatureOf } from './author.ts';
import { ownBranch } from './branches.ts';
import { openFile, readFolder, readTree, requireIndexed, versionToRead } from './files.ts';
import { removeFile, saveFile } from './save.ts';

/** Among strangers a save is a real commit that others pay the storage of. */
const SAVES: Limit = { max: 60, seconds: 60 };

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
    await spendSave(deps, caller);
    return await saveFile(await targetOf(deps, caller, project, body), {
      path: params['*'],
      content: body.content,
      renamedFrom: body.renamed_from ?? null,
    });
  });

  serve(app, ideRoutes.remove, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await spendSave(deps, caller);
    return await removeFile(await targetOf(deps, caller, project, query), params['*']);
  });
}

async function spendSave(deps: Deps, caller: Caller): Promise<void> {
  if (deps.config.publicInstance) await spend(deps, `save:${caller.userId}`, SAVES);
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
