import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { ideRoutes, TRUNCATED_HEADER } from '#contract/ide.ts';
import { MAX_BRANCH_LOCKS } from '#db/lock.ts';
import { createCheckerPool } from '#diagnose/checker-pool.ts';
import { createFairQueue } from '#scheduling/fair-queue.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { acceptsEventStream, createEventStream } from '../http/sse.ts';
import { type Caller, type ProjectRow, projectAccess } from '../identity/access.ts';
import type { EmitProgress } from '../llm/model-answer.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { projectStorage } from '../project-data/storage.ts';
import type { RateLimit } from '../rate-limit/default-limits.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { analyzeFile } from './analyze.ts';
import { findBranch } from './branches.ts';
import { commitSignature } from './commit-signature.ts';
import { openFile, readFolder, readTree, requireIndexedCommit, resolveVersion } from './files.ts';
import { deleteFile, saveFile } from './save-file.ts';

const TREE_TIMEOUT_MS = 30_000;
/** A save waits for its branch here and not in the database; each one that runs holds one of the locks' connections. */
const SAVE_QUEUE = {
  maxRunning: MAX_BRANCH_LOCKS,
  maxRunningPerUser: 1,
  maxWaiting: 200,
  maxWaitingPerUser: 20,
};
const SAVE_TIMEOUT_MS = 15_000;

/** A save is storage and a check is time; among strangers somebody else pays for both. */

/** Serves the feature `ide`. */
export function registerIde(app: FastifyInstance, deps: Deps): void {
  serve(app, ideRoutes.files, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const reader = { project, userId: caller.userId, signal };
    const { commit } = await resolveVersion(deps, repo, { ...reader, ref: query.ref });
    const turn = { userId: caller.userId, deadlineMs: TREE_TIMEOUT_MS, signal };
    const { tree, truncated } = await deps.queues.fileLists.run(turn, (signal) =>
      query.path === undefined
        ? readTree(repo, commit, signal)
        : readFolder(repo, commit, query.path, signal),
    );
    if (truncated) reply.header(TRUNCATED_HEADER, 'true');
    return tree;
  });

  serve(app, ideRoutes.file, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const { repo } = projectStorage(deps.config.dataDir, project.id);
    const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
    const version = await resolveVersion(deps, repo, { ...reader, ref: query.ref });
    const file = { path: params['*'], mayEdit: project.role !== 'viewer' };
    return await readFromGit(deps, reader, (signal) => openFile(repo, version, file, signal));
  });

  const saves = createFairQueue(SAVE_QUEUE);
  serve(app, ideRoutes.save, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await spendAmongStrangers(deps, `save:${caller.userId}`, deps.config.limits.savesPerUser);
    const file = { path: params['*'], content: body.content, renamedFrom: body.renamed_from ?? null };
    const turn = { userId: caller.userId, deadlineMs: SAVE_TIMEOUT_MS, signal: abortOnDisconnect(reply) };
    return await saves.run(turn, async () => saveFile(await targetOf(deps, caller, project, body), file));
  });

  serve(app, ideRoutes.remove, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await spendAmongStrangers(deps, `save:${caller.userId}`, deps.config.limits.savesPerUser);
    const turn = { userId: caller.userId, deadlineMs: SAVE_TIMEOUT_MS, signal: abortOnDisconnect(reply) };
    return await saves.run(turn, async () =>
      deleteFile(await targetOf(deps, caller, project, query), params['*']),
    );
  });

  const checkers = createCheckerPool();
  app.addHook('onClose', () => checkers.close());
  serve(app, ideRoutes.analyze, async ({ caller, params, body, request, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await spendAmongStrangers(deps, `analyze:${caller.userId}`, deps.config.limits.analysesPerUser);
    const onLogFailure = (error: unknown) => request.log.error({ err: error }, 'egress log');
    const work = (progress: EmitProgress, signal: AbortSignal) =>
      analyzeFile({ deps, checkers, project, userId: caller.userId, signal, progress, onLogFailure }, body);
    if (acceptsEventStream(request)) return createEventStream(request, reply, work);
    return await work(() => {}, abortOnDisconnect(reply));
  });
}

async function spendAmongStrangers(deps: Deps, key: string, limit: RateLimit): Promise<void> {
  if (deps.config.publicInstance) await consume(deps, key, limit);
}

interface CommitWords {
  commit_message?: string | null;
  base_sha?: string | null;
  branch?: string | null;
}

/** Where the caller's change goes, and by whom it is. */
async function targetOf(deps: Deps, caller: Caller, project: ProjectRow, words: CommitWords) {
  const indexed = requireIndexedCommit(project.indexed_commit);
  const user = await deps.db
    .selectFrom('users')
    .select(['username', 'full_name', 'email'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const owner = { projectId: project.id, userId: caller.userId, username: user.username };
  const branchName = words.branch ?? null;
  const { userQuotaMb, git } = deps.config;
  return {
    lockDb: deps.lockDb,
    repo: projectStorage(deps.config.dataDir, project.id).repo,
    owner,
    branch: await findBranch(deps.db, owner, branchName),
    branchName,
    quota: { userMb: userQuotaMb ?? 0, repositoryMb: git.maxRepoMb },
    indexed,
    author: commitSignature(user, deps.now()),
    message: words.commit_message ?? null,
    baseSha: words.base_sha ? await requireBase(deps, project, caller.userId, words.base_sha) : null,
  };
}

/** The commit that the editor began from, as far as the caller may see it. Throws `not_found`. */
async function requireBase(deps: Deps, project: ProjectRow, userId: string, name: string): Promise<string> {
  try {
    return (await resolveRevision(deps, { project, userId, name })).commit;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'unknown_revision') throw error;
    const words = 'The commit that this was edited from is not in the repository.';
    throw new AppError('not_found', words, { reason: 'unknown_base' });
  }
}
