import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { AdminUser } from '#contract/admin.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { recordAuditEvent } from '../identity/audit-log.ts';
import { emitSessionEnded, endAllSessions, revokeSessions } from '../identity/end-sessions.ts';
import { removeSecondFactor } from '../identity/remove-second-factor.ts';
import { containsPattern } from './like-pattern.ts';

interface Page {
  q: string;
  skip: number;
  limit: number;
}

/** Lists a page of all accounts matching `q` by name or email, newest first, with the total. */
export async function listUsers(
  db: Kysely<Database>,
  { q, skip, limit }: Page,
): Promise<{ users: AdminUser[]; total: number }> {
  const filterByQuery = <O>(query: SelectQueryBuilder<Database, 'users', O>) =>
    query.where(({ eb, or }) =>
      or(['username', 'email', 'full_name'].map((name) => eb(sql.ref(name), 'ilike', containsPattern(q)))),
    );
  const [users, { total }] = await Promise.all([
    filterByQuery(userRows(db)).orderBy('users.id', 'desc').offset(skip).limit(limit).execute(),
    filterByQuery(db.selectFrom('users'))
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { users: users.map(presentUser), total: Number(total) };
}

/**
 * Updates the status or role of another account. Deactivation revokes all its sessions. Throws `not_found`.
 */
export async function updateUserAsAdmin(
  deps: Deps,
  userId: string,
  { is_active, role }: { is_active?: boolean | undefined; role?: 'admin' | 'user' | undefined },
  { by, ...from }: { by: string; ip: string; device: string },
): Promise<AdminUser> {
  const existing = await deps.db
    .selectFrom('users')
    .select(['username', 'is_active', 'role'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!existing) throw new AppError('not_found', 'account_not_found');
  const isStatusChanged = is_active !== undefined && is_active !== existing.is_active;
  const isRoleChanged = role !== undefined && role !== existing.role;
  await deps.db.transaction().execute(async (trx) => {
    if (!isStatusChanged && !isRoleChanged) return;
    await trx
      .updateTable('users')
      .set({ ...(isStatusChanged && { is_active }), ...(isRoleChanged && { role, role_source: null }) })
      .where('id', '=', userId)
      .execute();
    const detail = { user: existing.username, ...(isRoleChanged && { role }) };
    if (isStatusChanged) {
      const event = is_active ? 'account_reactivated' : 'account_deactivated';
      await recordAuditEvent(trx, { userId: by, event, detail, ...from });
    }
    if (isRoleChanged) await recordAuditEvent(trx, { userId: by, event: 'role_changed', detail, ...from });
  });
  if (isStatusChanged && !is_active) await endAllSessions(deps, userId);
  return presentUser(await userRows(deps.db).where('users.id', '=', userId).executeTakeFirstOrThrow());
}

/**
 * Removes the second factor of a user who lost it, revokes all sessions, and notifies the user. False when it was
 * not enabled.
 */
export async function resetTwoFactor(
  deps: Deps,
  { id: userId, username }: Pick<AdminUser, 'id' | 'username'>,
  { by, ...from }: { by: string; ip: string; device: string },
): Promise<boolean> {
  const ended = await deps.db.transaction().execute(async (trx) => {
    if (!(await removeSecondFactor(trx, userId))) return null;
    const entry = { event: 'two_factor_reset' as const, detail: { user: username } };
    await recordAuditEvent(trx, { ...entry, userId: by, ...from });
    await recordAuditEvent(trx, { ...entry, userId });
    return await revokeSessions({ ...deps, db: trx }, userId, null);
  });
  if (ended === null) return false;
  emitSessionEnded(deps, ended);
  deps.events.emit({ type: 'account-changed', userId, change: 'two_factor_reset' });
  return true;
}

function userRows(db: Kysely<Database>) {
  return db.selectFrom('users').select((eb) => [
    'users.id',
    'users.username',
    'users.email',
    'users.full_name',
    'users.role',
    'users.is_active',
    'users.created_at',
    'users.deletion_at',
    sql<boolean>`users.totp_secret is not null`.as('two_factor_enabled'),
    eb
      .selectFrom('sessions')
      .select(sql<Date | null>`max(greatest(last_seen, rotated_at))`.as('seen'))
      .whereRef('sessions.user_id', '=', 'users.id')
      .as('last_seen_at'),
    eb
      .selectFrom('project_members')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .whereRef('project_members.user_id', '=', 'users.id')
      .as('projects'),
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>;

function presentUser({ created_at, last_seen_at, deletion_at, projects, ...row }: Row): AdminUser {
  return {
    ...row,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at?.toISOString() ?? null,
    deletion_at: deletion_at?.toISOString() ?? null,
    project_count: Number(projects ?? 0),
  };
}
