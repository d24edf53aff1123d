import { sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { createSentence } from '#contract/sentence.ts';
import type { JobContext, JobDefinition } from '#db/job-queue.ts';
import { recordUpstreamHead, releaseCommit } from '#git/branches.ts';
import { type PushResult, pushCommit, readRemoteBranch } from '#git/push.ts';
import { findHostUrl } from '../code-hosts/host-url.ts';
import type { Deps } from '../deps.ts';
import { recordAuditEvent } from '../identity/audit-log.ts';
import { requireFeature } from '../identity/feature-switches.ts';
import { recordTransfers } from '../llm/egress-record.ts';
import { decryptCredential, pinHostKeys } from '../project-data/credentials.ts';
import type { PushRow } from './queries.ts';

/** Queue of pushes. */
export const PUSH_QUEUE = 'push-branch';

const RETRY_LIMIT = 3;

/** A push that was requested. */
export interface PushJob {
  project_id: string;
  push_id: string;
}

type PushDeps = Pick<
  Deps,
  'db' | 'config' | 'keys' | 'egress' | 'events' | 'projectCancellation' | 'projectFiles' | 'now'
>;

/** Name under which the commit of a push is kept until it is sent. */
export function keptPushName(id: string): string {
  return `pushes/${id}`;
}

/**
 * Returns the job that sends a push. Its row fixes what is sent and the remote head that it is sent on, so that a run after a
 * killed process sends the same once more, or finds that it has arrived.
 */
export function sendPushJob(deps: PushDeps): JobDefinition<PushJob> {
  return {
    name: PUSH_QUEUE,
    concurrency: 4,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ push_id }) => push_id,
    run: async ({ project_id, push_id }, context) => {
      const row = await claim(deps, project_id, push_id);
      if (row === null) return;
      await runPush(deps, row, context);
    },
  };
}

/** Marks a push as running; null when it has ended or its project is gone. */
async function claim({ db }: PushDeps, projectId: string, id: string): Promise<PushRow | null> {
  const row = await db
    .updateTable('pushes')
    .set({ state: 'running' })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

async function runPush(deps: PushDeps, row: PushRow, context: JobContext): Promise<void> {
  const signal = deps.projectCancellation.signalFor(row.project_id, context.signal);
  try {
    const result = await send(deps, row, signal);
    if (result.state === 'refused') return await fail(deps, row, refusal(row, result), result.message);
    await finish(deps, row, result);
  } catch (error) {
    if (signal.aborted && !(await context.isCancelled())) throw error;
    if (!(error instanceof AppError) && context.attempt <= RETRY_LIMIT) throw error;
    const stopped = !(error instanceof AppError) || signal.aborted;
    await fail(
      deps,
      row,
      stopped
        ? createSentence('errors.push_stopped')
        : createSentence(`errors.${error.messageKey}`, error.params),
      null,
    );
  }
}

async function send(deps: PushDeps, row: PushRow, signal: AbortSignal): Promise<PushResult> {
  const project = await requirePermission(deps, row);
  const repo = await deps.projectFiles.repositories.open(row.project_id);
  const remote = {
    url: row.git_url,
    egress: deps.egress,
    limits: deps.config.git,
    credential: await decryptCredential(deps, project),
    onHostKeys: (lines: string) => pinHostKeys(deps.db, project.id, lines),
    onTransfer: recordTransfers(deps, project.id, row.user_id),
    signal,
  };
  const { defaultBranch, head } = await readRemoteBranch({ ...remote, branch: row.target });
  // It arrived in a run that was killed before it could say so.
  if (head === row.head) return { state: 'unchanged', message: '' };
  if (row.target === defaultBranch && !project.may_push_default) {
    throw new AppError('conflict', 'push_default_branch', { params: { branch: row.target } });
  }
  const expected = await fixRemoteHead(deps, row, head);
  if (head !== expected)
    throw new AppError('conflict', 'push_branch_moved', { params: { branch: row.target } });
  const lease = row.force ? expected : null;
  return await pushCommit({ ...remote, repo, commit: row.head, branch: row.target, lease });
}

/** Stores the remote head that a push is sent on before the first attempt; returns the stored one. */
async function fixRemoteHead({ db }: PushDeps, row: PushRow, head: string | null): Promise<string | null> {
  if (row.remote_head_known) return row.remote_head;
  await db
    .updateTable('pushes')
    .set({ remote_head: head, remote_head_known: true })
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .execute();
  return head;
}

/** The project, while the user may still push to where the push was meant for. */
async function requirePermission(deps: PushDeps, row: PushRow) {
  await requireFeature(deps, 'pushing');
  const project = await deps.db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .selectAll('p')
    .where('p.id', '=', row.project_id)
    .where('m.user_id', '=', row.user_id)
    .where('m.role', '!=', 'viewer')
    .where('u.is_active', '=', true)
    .executeTakeFirst();
  if (!project?.may_push) throw new AppError('conflict', 'push_not_allowed');
  if (project.git_url !== row.git_url) throw new AppError('conflict', 'push_target_changed');
  return project;
}

function refusal(row: PushRow, { reason }: Extract<PushResult, { state: 'refused' }>): Sentence {
  const branch = row.target;
  if (reason === 'branch_moved') return createSentence('errors.push_branch_moved', { branch });
  return createSentence(`errors.push_refused_${reason}`, { branch });
}

async function finish(
  deps: PushDeps,
  row: PushRow,
  { state, message }: Extract<PushResult, { message: string }> & { state: NonNullable<PushRow['outcome']> },
): Promise<void> {
  const repo = await deps.projectFiles.repositories.open(row.project_id);
  await recordUpstreamHead(repo, row.target, row.head);
  await deps.projectFiles.repositories.publish(row.project_id);
  const url = findHostUrl(message, row.git_url);
  const isFirst = await deps.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('pushes')
      .set({ state: 'done', outcome: state, message: message || null, url, finished_at: sql<Date>`now()` })
      .where('project_id', '=', row.project_id)
      .where('id', '=', row.id)
      .where('state', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await trx
      .updateTable('branches')
      .set({ pushed_at: sql<Date>`now()` })
      .where('project_id', '=', row.project_id)
      .where('name', '=', row.branch)
      .execute();
    const detail = { branch: row.target, commit: row.head.slice(0, 7), git_url: row.git_url };
    await recordAuditEvent(trx, { userId: row.user_id, event: 'branch_pushed', detail });
    return true;
  });
  await releaseCommit(repo, keptPushName(row.id));
  if (isFirst) deps.events.emit({ type: 'project-changed', projectId: row.project_id });
}

async function fail(deps: PushDeps, row: PushRow, failure: Sentence, message: string | null): Promise<void> {
  await deps.db
    .updateTable('pushes')
    .set({
      state: 'failed',
      failure: JSON.stringify(failure),
      message: message || null,
      finished_at: sql<Date>`now()`,
    })
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .where('state', '=', 'running')
    .execute();
  const repo = await deps.projectFiles.repositories.open(row.project_id);
  await releaseCommit(repo, keptPushName(row.id)).catch(() => {});
}
