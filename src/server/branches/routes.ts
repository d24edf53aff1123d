import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Transaction } from 'kysely';
import { branchRoutes } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import { withBranchLock } from '#db/lock.ts';
import type { Database } from '#db/schema.ts';
import { deleteBranch, findMergeBase, formatDiff, formatPatches, renameBranch } from '#git/branches.ts';
import { bundleBranch } from '#git/bundle.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { requireFreeBranchName, requireValidBranchName } from '../project-data/branches.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { lockRepository } from '../project-data/repository-rows.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { openProjectIndex } from '../project-data/storage.ts';
import { findWorkingBranch } from '../project-data/working-branch.ts';
import { listBranches, type OpenBranch, openBranch } from './branch-state.ts';
import { registerCodeHosts } from './code-host-routes.ts';
import { registerPullRequests } from './pull-request-routes.ts';
import { readSignature, registerPushes } from './push-routes.ts';
import { presentConflicts } from './resolve-conflicts.ts';
import { revertOnBranch } from './revert-commit.ts';
import { updateFromUpstream } from './update-branch.ts';

/** Registers the routes of branches, pushes, pull requests and code hosts. */
export function registerBranches(app: FastifyInstance, deps: Deps): void {
  serve(app, branchRoutes.list, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const sessionId = query.session_id;
    const branches = await readFromGit(deps, reader, () => listBranches(deps, { ...reader, sessionId }));
    return { branches };
  });

  serve(app, branchRoutes.working, async ({ caller, params, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const index = await openProjectIndex(deps, project);
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const found = index && (await findWorkingBranch(deps, { ...reader, index }));
    const branch = found && { name: found.name, changes: found.changes, behind: found.behind };
    return { branch, upstream: project.branch };
  });

  serve(app, branchRoutes.patch, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const opened = await openBranch(deps, { project, userId: caller.userId }, params.branch);
    const base = (await findMergeBase(opened.repo, opened.head, opened.upstream.head)) ?? opened.row.base;
    const { extension, type, content } = exportBranch(opened, base, query.format);
    const name = params.branch.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
    reply.header('content-type', type);
    reply.header('content-disposition', `attachment; filename="${name}.${extension}"`);
    return Readable.from(content, { objectMode: false });
  });

  serve(app, branchRoutes.rename, async ({ caller, params, body }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const opened = await openBranch(deps, { project, userId: caller.userId }, params.branch);
    if (body.name === params.branch) return { name: body.name };
    requireValidBranchName(body.name);
    await rename(deps, opened, body.name);
    return { name: body.name };
  });

  serve(app, branchRoutes.remove, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor', { evenIfReadOnly: true });
    const opened = await openBranch(deps, { project, userId: caller.userId }, params.branch);
    if (query.head !== undefined && query.head !== opened.head) throw changed();
    await remove(deps, opened);
    return { ok: true as const };
  });

  serve(app, branchRoutes.update, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const opened = await openBranch(deps, { project, userId: caller.userId }, params.branch);
    const by = await readSignature(deps, caller);
    const { method, head = null, upstream = null, resolutions } = body;
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    return await readFromGit(deps, reader, () =>
      updateFromUpstream(deps, opened, { method, head, upstream, resolutions: resolutions ?? [], by }),
    );
  });

  serve(app, branchRoutes.revert, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    const { userId } = caller;
    const reader = { project, userId, signal: abortOnDisconnect(reply) };
    const { commit } = await resolveRevision(deps, { ...reader, name: params.sha });
    const { branch: branchName = null, head = null, resolutions, session_id: sessionId = null } = body;
    const made = await revertOnBranch(deps, project, {
      ...{ userId, commit, branchName, head, sessionId },
      resolutions: resolutions ?? [],
    });
    const shown = await presentConflicts(made.repo, made.conflicts);
    const state = made.conflicts.length > 0 ? ('conflicts' as const) : ('reverted' as const);
    return { state, branch: made.branch, head: made.head, ...shown };
  });

  registerPushes(app, deps);
  registerPullRequests(app, deps);
  registerCodeHosts(app, deps);
}

function exportBranch({ repo, row, head }: OpenBranch, base: string, format: 'mbox' | 'diff' | 'bundle') {
  if (format === 'bundle') {
    const type = 'application/octet-stream';
    // git refuses to make a bundle without a commit.
    if (base === head) throw new AppError('conflict', 'push_nothing', { reason: 'nothing_to_export' });
    return { extension: 'bundle', type, content: bundleBranch(repo, { branch: row.name, base }) };
  }
  const type = 'text/plain; charset=utf-8';
  return format === 'mbox'
    ? { extension: 'patch', type, content: formatPatches(repo, { base, head }) }
    : { extension: 'diff', type, content: formatDiff(repo, { base, head }) };
}

async function rename(deps: Deps, { repo, row, head }: OpenBranch, name: string): Promise<void> {
  const { project_id: projectId } = row;
  const apply = async (trx: Transaction<Database>) => {
    await lockRepository(trx, projectId);
    await requireFreeBranchName(trx, projectId, name);
    const { numUpdatedRows } = await trx
      .updateTable('branches')
      .set({ name })
      .where('project_id', '=', projectId)
      .where('name', '=', row.name)
      .where('head', '=', head)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw changed();
    await trx
      .updateTable('pushes')
      .set({ branch: name })
      .where('project_id', '=', projectId)
      .where('user_id', '=', row.user_id)
      .where('branch', '=', row.name)
      .execute();
    return { commit: null, known: [] };
  };
  const move = () => renameBranch(repo, { branch: row.name, to: name, from: head });
  const lock = { projectId, branch: row.name, other: name };
  await withBranchLock(deps.lockDb, lock, () =>
    deps.projectFiles.repositories.change(projectId, { apply, move }),
  );
}

async function remove(deps: Deps, { repo, row, head }: OpenBranch): Promise<void> {
  const { project_id: projectId } = row;
  const apply = async (trx: Transaction<Database>) => {
    const { numDeletedRows } = await trx
      .deleteFrom('branches')
      .where('project_id', '=', projectId)
      .where('name', '=', row.name)
      .where('head', '=', head)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw changed();
    return { commit: null, known: [] };
  };
  const move = () => deleteBranch(repo, { branch: row.name, from: head });
  await withBranchLock(deps.lockDb, { projectId, branch: row.name }, () =>
    deps.projectFiles.repositories.change(projectId, { apply, move }),
  );
}

function changed(): AppError {
  return new AppError('conflict', 'branch_changed', { reason: 'branch_changed' });
}
