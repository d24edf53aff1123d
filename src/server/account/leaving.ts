import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import { AppError } from '#contract/errors.ts';
import { audit, origin } from '../audit.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { requestLetter } from '../letters.ts';
import { ownAddress } from '../own-address.ts';
import { removeProject } from '../project-removal.ts';
import { requireOwnOrigin } from '../security.ts';
import { endSessions } from '../sign-out.ts';

/** Within this time whoever signs in keeps the account. */
const GRACE_MS = 14 * 24 * 3600_000;

const REMOVE = 'remove-accounts';
const EVERY_MS = 3600_000;
const RETRIES = 3;

type Needs = Pick<Deps, 'db' | 'config' | 'jobs' | 'events' | 'library' | 'projectWork' | 'now'>;

/** Serves the call by which somebody leaves. */
export function serveLeaving(app: FastifyInstance, deps: Deps): void {
  serve(app, accountRoutes.remove, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    const user = await confirmOwner(app, deps, caller, { ...body, ip: request.ip }, 'always');
    if (user.role === 'admin' && (await isLastAdmin(deps, user.id))) {
      throw new AppError('conflict', 'Make somebody else an administrator first: you are the only one.', {
        reason: 'last_admin',
      });
    }
    const deletion_at = new Date(deps.now().getTime() + GRACE_MS);
    await deps.db.transaction().execute(async (trx) => {
      await trx.updateTable('users').set({ deletion_at }).where('id', '=', user.id).execute();
      await audit(trx, { userId: user.id, event: 'deletion_asked', ...origin(request) });
    });
    await endSessions(deps, user.id);
    const address = ownAddress(app, deps.config);
    await requestLetter(deps, { kind: 'account_leaving', userId: user.id, origin: address });
    return { deletion_at: deletion_at.toISOString() };
  });
}

/** Whether others are here and none of them could look after the server. */
async function isLastAdmin({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const others = await db
    .selectFrom('users')
    .select('role')
    .where('id', '<>', userId)
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null)
    .groupBy('role')
    .execute();
  return others.length > 0 && others.every(({ role }) => role !== 'admin');
}

/** Registers the job that deletes the accounts whose time is over. */
export function defineLeaving(deps: Needs): void {
  deps.jobs.define(
    REMOVE,
    { concurrency: 1, retryLimit: RETRIES, singleton: () => 'all' },
    async (_, { signal }) => await removeLeavers(deps, signal),
  );
}

/** Asks for the job now and every hour; however many processes ask, it runs once. Returns what stops it. */
export function keepRemoving({ jobs }: Pick<Deps, 'jobs'>, onError: (error: unknown) => void): () => void {
  const ask = () => void jobs.send(REMOVE, {}).catch(onError);
  ask();
  const timer = setInterval(ask, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** Deletes for good whoever asked for it long enough ago, with the projects that they own. Can run twice. */
export async function removeLeavers(deps: Omit<Needs, 'jobs'>, signal?: AbortSignal): Promise<void> {
  const leavers = await deps.db
    .selectFrom('users')
    .select('id')
    .where('deletion_at', '<=', deps.now())
    .execute();
  for (const { id } of leavers) {
    signal?.throwIfAborted();
    // From here on nobody can sign in and take it back; whoever did so a moment ago keeps the account.
    const closed = await deps.db
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', id)
      .where('deletion_at', '<=', deps.now())
      .executeTakeFirst();
    if (closed.numUpdatedRows === 0n) continue;
    for (const projectId of await ownedBy(deps, id)) await removeProject(deps, projectId);
    await deps.db.deleteFrom('users').where('id', '=', id).execute();
  }
}

async function ownedBy({ db }: Pick<Deps, 'db'>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_members')
    .select('project_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .execute();
  return rows.map((row) => row.project_id);
}
