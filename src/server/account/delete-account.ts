import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { endAllSessions } from '../identity/end-sessions.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { deleteProject } from '../project-data/delete-project.ts';

/** Signing in within this period cancels the deletion. */
const GRACE_PERIOD_MS = 14 * 24 * 3600_000;

const QUEUE = 'purge-accounts';
const INTERVAL_MS = 3600_000;
const RETRY_LIMIT = 3;

type PurgeDeps = Pick<
  Deps,
  'db' | 'config' | 'jobs' | 'events' | 'indexCache' | 'projectCancellation' | 'projectFiles' | 'now'
>;

/** Serves the request to delete the caller’s account. */
export function serveAccountDeletion(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.remove, async ({ caller, body, request }) => {
    const user = await requireReauthentication(app, deps, caller, { ...body, ip: request.ip }, 'always');
    if (user.role === 'admin' && (await isLastAdmin(deps, user.id))) {
      throw new AppError('conflict', 'last_administrator', {
        reason: 'last_admin',
      });
    }
    const deletion_at = new Date(deps.now().getTime() + GRACE_PERIOD_MS);
    await deps.db.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ deletion_at }).where('id', '=', user.id).execute();
      await recordAuditEvent(trx, { userId: user.id, event: 'deletion_requested', ...clientInfo(request) });
    });
    await endAllSessions(deps, user.id);
    const baseUrl = resolvePublicUrl(app, deps.config);
    await queueEmail(deps, { kind: 'account_deletion', userId: user.id, origin: baseUrl });
    return { deletion_at: deletion_at.toISOString() };
  });
}

/** True when other users exist and none of them is an administrator. */
async function isLastAdmin({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const otherRoles = await db
    .selectFrom('users')
    .select('role')
    .where('id', '<>', userId)
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null)
    .groupBy('role')
    .execute();
  return otherRoles.length > 0 && otherRoles.every(({ role }) => role !== 'admin');
}

/** Returns the job that purges accounts whose grace period has ended. */
export function accountPurgeJob(deps: PurgeDeps): JobDefinition {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    everyMs: INTERVAL_MS,
    singletonKey: () => 'all',
    run: async (_, { signal }) => await purgeDeleted(deps, signal),
  };
}

/** Permanently deletes accounts whose grace period has ended, with the projects they own. Idempotent. */
export async function purgeDeleted(deps: Omit<PurgeDeps, 'jobs'>, signal?: AbortSignal): Promise<void> {
  const expired = await deps.db
    .selectFrom('users')
    .select('id')
    .where('deletion_at', '<=', deps.now())
    .execute();
  for (const { id } of expired) {
    signal?.throwIfAborted();
    // Deactivating first closes the race with a sign-in, which would cancel the deletion.
    const deactivated = await deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', id)
      .where('deletion_at', '<=', deps.now())
      .executeTakeFirst();
    if (deactivated.numUpdatedRows === 0n) continue;
    for (const projectId of await listOwnedProjectIds(deps, id)) await deleteProject(deps, projectId);
    await deps.db.deleteFrom('users').where('id', '=', id).execute();
  }
}

async function listOwnedProjectIds({ db }: Pick<Deps, 'db'>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('direct_role', '=', 'owner')
    .execute();
  return rows.map((row) => row.project_id);
}
