import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { ideRoutes, TRUNCATED_HEADER } from '#contract/ide.ts';
import type { RateLimit } from '#contract/rate-limits.ts';
import { MAX_BRANCH_LOCKS } from '#db/lock.ts';
import { createCheckerPool } from '#diagnose/checker-pool.ts';
import { createTypeChecker } from '#diagnose/types/type-checker.ts';
import { createFairQueue } from '#scheduling/fair-queue.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { findCommitTarget } from '../project-data/commit-to-branch.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { resolveRevision } from '../project-data/revision.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { registerAnalysis } from './analysis-routes.ts';
import { type Checkers, prepareCheckers } from './check-file.ts';
import { openFile, readFolder, readTree, requireIndexedCommit, resolveVersion } from './files.ts';
import { findLines } from './find-lines.ts';
import { listLineCommits } from './line-commits.ts';
import { readPiece } from './read-piece.ts';
import { deleteEntry, moveEntry, type SaveTarget, saveFile, saveFiles } from './save-file.ts';

const TREE_TIMEOUT_MS = 30_000;
/**
 * Saves wait for their branch here instead of in the database, since each running save holds a lock connection.
 */
const SAVE_QUEUE = {
  maxRunning: MAX_BRANCH_LOCKS,
  maxRunningPerUser: 1,
  maxWaiting: 200,
  maxWaitingPerUser: 20,
};
const SAVE_TIMEOUT_MS = 15_000;
/** An editor that opens shows its files first. */
const PREPARE_DELAY_MS = 1_000;

/** Registers the `ide` routes. */
export function registerIde(app: FastifyInstance, deps: Deps): void {
  const checkers: Checkers = { texts: createCheckerPool(), types: createTypeChecker() };
  app.addHook('onClose', async () => {
    await Promise.all([checkers.texts.close(), checkers.types.close()]);
  });
  const prepareSoon = (project: AccessibleProject, userId: string) => {
    const signal = deps.projectCancellation.signalFor(project.id);
    const prepare = () => prepareCheckers({ deps, checkers, project, userId, signal });
    // A check that comes first, or fails like this one, says so itself.
    setTimeout(() => void prepare().catch(() => undefined), PREPARE_DELAY_MS).unref();
  };

  serve(app, ideRoutes.files, async ({ caller, params, query, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const repo = await deps.projectFiles.repositories.open(project.id);
    const signal = deps.projectCancellation.signalFor(project.id, abortOnDisconnect(reply));
    const reader = { project, userId: caller.userId, signal };
    const { commit } = await resolveVersion(deps, repo, { ...reader, ref: query.ref });
    const slot = { userId: caller.userId, deadlineMs: TREE_TIMEOUT_MS, signal };
    const { tree, truncated } = await deps.queues.fileLists.run(slot, (signal) =>
      query.path === undefined
        ? readTree(repo, commit, signal)
        : readFolder(repo, commit, query.path, signal),
    );
    if (truncated) reply.header(TRUNCATED_HEADER, 'true');
    if (query.path === '') prepareSoon(project, caller.userId);
    return tree;
  });

  serve(app, ideRoutes.file, async (call) => {
    const { project, repo, reader, commit, branch } = await openVersion(deps, call);
    const file = { path: call.params['*'], mayEdit: project.role !== 'viewer' };
    return await readFromGit(deps, reader, (signal) => openFile(repo, { commit, branch }, file, signal));
  });

  registerFileReads(app, deps);
  registerSaves(app, deps);
  registerAnalysis(app, deps, checkers);
}

/** Registers the reads of a revision beside its files: pieces of large files, a search, the history of lines. */
function registerFileReads(app: FastifyInstance, deps: Deps): void {
  serve(app, ideRoutes.piece, async (call) => {
    const { repo, reader, commit } = await openVersion(deps, call);
    const place = { path: call.params['*'], offset: call.query.offset };
    return await readFromGit(deps, reader, (signal) => readPiece(repo, commit, { ...place, signal }));
  });

  serve(app, ideRoutes.find, async (call) => {
    const { repo, reader, commit } = await openVersion(deps, call);
    const { q, match, ignore_case, whole_word, include, exclude } = call.query;
    const options = { ignoreCase: ignore_case ?? false, wholeWord: whole_word ?? false, include, exclude };
    const signal = deps.projectCancellation.signalFor(reader.project.id, reader.signal);
    const slot = { userId: reader.userId, deadlineMs: TREE_TIMEOUT_MS, signal };
    const found = await deps.queues.grep.run(slot, (running) =>
      findLines(repo, commit, { q, match, ...options }, running),
    );
    return { commit, ...found };
  });

  serve(app, ideRoutes.lineHistory, async (call) => {
    const { repo, reader, commit } = await openVersion(deps, call);
    const { first_line: from, last_line: to } = call.query;
    const lines = { commit, path: call.params['*'], from, to };
    return await readFromGit(deps, reader, (signal) => listLineCommits(repo, { ...lines, signal }));
  });
}

/** Registers the calls that commit; each caller's run one after the other. */
function registerSaves(app: FastifyInstance, deps: Deps): void {
  const saves = createFairQueue(SAVE_QUEUE);
  const runSave = async <T>(
    { caller, params, reply }: SaveCall,
    options: CommitOptions,
    commit: (target: SaveTarget, project: AccessibleProject) => Promise<T>,
  ): Promise<T> => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await consumeIfPublic(deps, `save:${caller.userId}`, deps.config.limits.savesPerUser);
    const slot = { userId: caller.userId, deadlineMs: SAVE_TIMEOUT_MS, signal: abortOnDisconnect(reply) };
    return await saves.run(slot, async () =>
      commit(await resolveSaveTarget(deps, caller, project, options), project),
    );
  };

  serve(app, ideRoutes.save, async (call) => {
    const { content, encoding, renamed_from: renamedFrom } = call.body;
    const text = { content, encoding: encoding ?? ('utf-8' as const) };
    const file = { path: call.params['*'], ...text, renamedFrom: renamedFrom ?? null };
    return await runSave(call, call.body, (target) => saveFile(target, file));
  });

  serve(app, ideRoutes.move, async (call) =>
    runSave(call, call.body, (target) => moveEntry(target, call.body)),
  );

  serve(app, ideRoutes.remove, async (call) => {
    const options = { recursive: call.query.recursive ?? false };
    return await runSave(call, call.query, (target) => deleteEntry(target, call.params['*'], options));
  });

  serve(app, ideRoutes.commit, async (call) => {
    const { body, caller } = call;
    return await runSave(call, body, async (target, project) => {
      const bases = new Map<string, string>();
      for (const name of new Set(body.files.map(({ base_sha }) => base_sha))) {
        if (name) bases.set(name, await resolveBaseCommit(deps, project, caller.userId, name));
      }
      const files = body.files.map(({ path, content, encoding, base_sha }) => ({
        path,
        content,
        encoding: encoding ?? ('utf-8' as const),
        baseSha: bases.get(base_sha ?? body.base_sha ?? '') ?? target.baseSha,
      }));
      return await saveFiles(target, files);
    });
  });
}

interface SaveCall {
  caller: Caller;
  params: { id: string };
  reply: Parameters<typeof abortOnDisconnect>[0];
}

interface VersionCall {
  caller: Caller;
  params: { id: string };
  query: { ref?: string | undefined };
  reply: Parameters<typeof abortOnDisconnect>[0];
}

/** Repository and commit that a call reads, within what the caller may see. */
async function openVersion(deps: Deps, { caller, params, query, reply }: VersionCall) {
  const project = await projectAccess(deps, caller, params.id, 'viewer');
  const repo = await deps.projectFiles.repositories.open(project.id);
  const reader = { project, userId: caller.userId, signal: abortOnDisconnect(reply) };
  const version = await resolveVersion(deps, repo, {
    ...reader,
    ...(query.ref !== undefined && { ref: query.ref }),
  });
  return { project, repo, reader, ...version };
}

/** Rate-limits on public instances only. */
async function consumeIfPublic(deps: Deps, key: string, limit: RateLimit): Promise<void> {
  if (deps.config.publicInstance) await consume(deps, key, limit);
}

interface CommitOptions {
  commit_message?: string | null;
  base_sha?: string | null;
  branch?: string | null;
  session_id?: string | null;
}

async function resolveSaveTarget(
  deps: Deps,
  caller: Caller,
  project: AccessibleProject,
  options: CommitOptions,
) {
  const indexed = await requireIndexedCommit(deps, project);
  const branchName = options.branch ?? null;
  return {
    ...(await findCommitTarget(deps, project, { userId: caller.userId, indexed, branchName })),
    message: options.commit_message ?? null,
    sessionId: options.session_id ?? null,
    baseSha: options.base_sha
      ? await resolveBaseCommit(deps, project, caller.userId, options.base_sha)
      : null,
  };
}

/** Commit the edit is based on, within what the caller may see. Throws `not_found`. */
async function resolveBaseCommit(
  deps: Deps,
  project: AccessibleProject,
  userId: string,
  name: string,
): Promise<string> {
  try {
    return (await resolveRevision(deps, { project, userId, name })).commit;
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'revision_not_found') throw error;
    throw new AppError('not_found', 'base_commit_not_found', { reason: 'base_commit_not_found' });
  }
}
