import type { FastifyInstance } from 'fastify';
import type { Insertable } from 'kysely';
import { type PushPreview, pushRoutes } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import { newId } from '#db/ids.ts';
import type { PushesTable } from '#db/schema.ts';
import { parseRemote } from '#egress/remote-url.ts';
import { keepCommit, listChangedFiles } from '#git/branches.ts';
import { readRemoteBranch } from '#git/push.ts';
import { readRefs } from '#git/refs.ts';
import { isRemoteRepository } from '../code-hosts/host-url.ts';
import type { Deps } from '../deps.ts';
import { abortOnDisconnect, serve } from '../http/serve.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import { commitSignature } from '../project-data/commit-signature.ts';
import {
  decryptCredential,
  findCredential,
  hostKeyFingerprints,
  pinHostKeys,
} from '../project-data/credentials.ts';
import { readFromGit } from '../project-data/git-reads.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { type OpenBranch, openBranch } from './branch-state.ts';
import { planPush, requireTargetName } from './push-plan.ts';
import { keptPushName, PUSH_QUEUE, type PushJob } from './push-tasks.ts';
import { type PushRow, presentPush } from './queries.ts';

/** Shorter than for jobs, since a user waits for the result. */
const REMOTE_TIMEOUT_S = 30;
const MAX_PREVIEW_FILES = 300;

/** Registers the `pushes` routes. */
export function registerPushes(app: FastifyInstance, deps: Deps): void {
  registerPreview(app, deps);

  serve(app, pushRoutes.create, async ({ caller, params, body }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await consumeIfPublic(deps, caller);
    requireTargetName(body.target);
    requireRemote(project);
    if (!project.may_push) throw new AppError('conflict', 'push_not_allowed', { reason: 'push_not_allowed' });
    const opened = await openBranch(deps, { project, userId: caller.userId }, body.branch);
    const ref = `refs/remotes/origin/${body.target}`;
    const remoteHead =
      body.replace ??
      (body.expected === undefined ? ((await readRefs(opened.repo, [ref])).get(ref) ?? null) : body.expected);
    requireTarget(project, body.target);
    const by = await readSignature(deps, caller);
    const plan = await planPush(opened, { chosen: body.commits ?? null, remoteHead, by });
    if (plan.replaces && !body.replace) throw notFastForward(body.target);
    const row = await requestPush(deps, opened, {
      ...{ project_id: project.id, id: newId(), user_id: caller.userId },
      ...{ branch: body.branch, target: body.target },
      ...{ git_url: project.git_url, head: plan.head, commits: JSON.stringify(plan.commits) },
      force: Boolean(body.replace) && plan.replaces,
      remote_head: remoteHead,
      remote_head_known: body.expected !== undefined || Boolean(body.replace),
    });
    await deleteOldPushes(deps, row);
    if (body.session_id) await linkSession(deps, row, body.session_id);
    await deps.jobs.send<PushJob>(PUSH_QUEUE, { project_id: project.id, push_id: row.id });
    return presentPush(row);
  });

  serve(app, pushRoutes.list, async ({ caller, params, query }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const rows = await ownPushes(deps, project.id, caller.userId)
      .orderBy('id', 'desc')
      .offset(query.skip)
      .limit(query.limit + 1)
      .execute();
    return { pushes: rows.slice(0, query.limit).map(presentPush), has_more: rows.length > query.limit };
  });

  serve(app, pushRoutes.get, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const row = await ownPushes(deps, project.id, caller.userId)
      .where('id', '=', params.push)
      .executeTakeFirst();
    if (!row) throw new AppError('not_found', 'push_not_found');
    return presentPush(row);
  });
}

/** Inserts a push, whose commit is kept on every server until it is sent. */
async function requestPush(
  deps: Pick<Deps, 'projectFiles'>,
  { repo, head, indexed }: OpenBranch,
  values: Insertable<PushesTable>,
): Promise<PushRow> {
  let row: PushRow | undefined;
  await deps.projectFiles.repositories.change(values.project_id, {
    apply: async (trx) => {
      row = await trx.insertInto('pushes').values(values).returningAll().executeTakeFirstOrThrow();
      return { commit: row.head, known: [head, indexed ?? head] };
    },
    move: async () => {
      await keepCommit(repo, keptPushName(values.id), values.head);
      return true;
    },
  });
  return row!;
}

function registerPreview(app: FastifyInstance, deps: Deps): void {
  serve(app, pushRoutes.preview, async ({ caller, params, body, reply }) => {
    const project = await projectAccess(deps, caller, params.id, 'editor');
    await consumeIfPublic(deps, caller);
    requireTargetName(body.target);
    const remote = requireRemote(project);
    const opened = await openBranch(deps, { project, userId: caller.userId }, body.branch);
    const signal = abortOnDisconnect(reply);
    const { defaultBranch, head: remoteHead } = await askRemote(
      deps,
      { project, caller, signal },
      body.target,
    );
    const by = await readSignature(deps, caller);
    const { plan, files, total } = await readFromGit(
      deps,
      { project, userId: caller.userId, signal },
      async () => {
        const plan = await planPush(opened, { chosen: body.commits ?? null, remoteHead, by });
        const span = { from: plan.base, to: plan.head, max: MAX_PREVIEW_FILES };
        return { plan, ...(await listChangedFiles(opened.repo, span)) };
      },
    );
    const preview = { defaultBranch, remoteHead, target: body.target, plan };
    return {
      branch: body.branch,
      target: body.target,
      host: remote.host,
      url: remote.href,
      credential: await describeCredential(deps, project),
      default_branch: defaultBranch,
      remote_head: remoteHead,
      head: plan.head,
      commits: plan.commits,
      choosable: plan.choosable,
      files,
      file_count: total,
      replaces: plan.replaces,
      blocked: findObstacle(project, preview),
    };
  });
}

function ownPushes({ db }: Pick<Deps, 'db'>, projectId: string, userId: string) {
  return db
    .selectFrom('pushes')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId);
}

/** Pushes that are stored of a user in a project; older ones that have ended are deleted. */
const MAX_STORED_PUSHES = 500;

async function deleteOldPushes(deps: Pick<Deps, 'db'>, { project_id, user_id }: PushRow): Promise<void> {
  const oldest = ownPushes(deps, project_id, user_id)
    .orderBy('id', 'desc')
    .offset(MAX_STORED_PUSHES)
    .limit(1);
  const row = await oldest.executeTakeFirst();
  if (!row) return;
  await deps.db
    .deleteFrom('pushes')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .where('state', 'in', ['done', 'failed'])
    .where('id', '<=', row.id)
    .execute();
}

/** Rate-limits connections to git servers on public instances. */
async function consumeIfPublic(deps: Deps, { userId }: Caller): Promise<void> {
  if (deps.config.publicInstance) await consume(deps, `push:${userId}`, deps.config.limits.savesPerUser);
}

/** Remembers the error that a branch fixes, where the caller may see it. */
async function linkSession({ db }: Pick<Deps, 'db'>, row: PushRow, sessionId: string): Promise<void> {
  await db
    .updateTable('branches')
    .set({ session_id: sessionId })
    .where('project_id', '=', row.project_id)
    .where('name', '=', row.branch)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('debug_sessions as s')
          .select('s.id')
          .where('s.id', '=', sessionId)
          .where('s.project_id', '=', row.project_id)
          .where((or) => or.or([or('s.draft', '=', false), or('s.user_id', '=', row.user_id)])),
      ),
    )
    .execute();
}

/** The remote of a project; throws for one that is not reached by a connection. */
function requireRemote(project: AccessibleProject) {
  if (isRemoteRepository(project.git_url)) return parseRemote(project.git_url, { ssh: true });
  throw new AppError('bad_request', 'push_local_folder', { reason: 'local_folder' });
}

function requireTarget(project: AccessibleProject, target: string): void {
  if (target !== project.branch || project.may_push_default) return;
  throw new AppError('conflict', 'push_default_branch', {
    params: { branch: target },
    reason: 'default_branch',
  });
}

function notFastForward(branch: string): AppError {
  return new AppError('conflict', 'push_not_fast_forward', {
    params: { branch },
    reason: 'not_fast_forward',
  });
}

/** First reason for which a push can't be requested as it is; replacing commits is a matter of confirmation. */
function findObstacle(
  project: AccessibleProject,
  preview: {
    defaultBranch: string | null;
    remoteHead: string | null;
    target: string;
    plan: { head: string; commits: readonly object[] };
  },
): PushPreview['blocked'] {
  const { defaultBranch, remoteHead, target, plan } = preview;
  if (!project.may_push) return createSentence('errors.push_not_allowed');
  const isDefault = target === defaultBranch || target === project.branch;
  if (isDefault && !project.may_push_default)
    return createSentence('errors.push_default_branch', { branch: target });
  if (remoteHead === plan.head) return createSentence('errors.push_nothing');
  return null;
}

async function askRemote(
  deps: Deps,
  { project, caller, signal }: { project: AccessibleProject; caller: Caller; signal: AbortSignal },
  target: string,
) {
  const { git } = deps.config;
  const options = {
    url: project.git_url,
    egress: deps.egress,
    limits: { ...git, timeoutS: Math.min(git.timeoutS, REMOTE_TIMEOUT_S) },
    credential: await decryptCredential(deps, project),
    onHostKeys: (lines: string) => pinHostKeys(deps.db, project.id, lines),
    onTransfer: recordTransfers(deps, project.id, caller.userId),
  };
  const slot = { userId: caller.userId, deadlineMs: 2 * REMOTE_TIMEOUT_S * 1000, signal };
  return await deps.queues.gitRemotes.run(slot, (signal) =>
    readRemoteBranch({ ...options, signal, branch: target }),
  );
}

async function describeCredential(
  deps: Deps,
  project: AccessibleProject,
): Promise<PushPreview['credential']> {
  const row = await findCredential(deps.db, project);
  if (row === null) return { kind: 'anonymous', name: null };
  if (row.kind === 'token') return { kind: 'token', name: row.username };
  const [key = null] = hostKeyFingerprints({
    host_keys: row.public_key && `key ${row.public_key.split(' ').slice(0, 2).join(' ')}`,
  });
  return { kind: 'ssh', name: key };
}

/** Author of commits that the caller makes. */
export async function readSignature(deps: Pick<Deps, 'db' | 'now'>, { userId }: Pick<Caller, 'userId'>) {
  const user = await deps.db
    .selectFrom('users')
    .select(['username', 'full_name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return commitSignature(user, deps.now());
}
