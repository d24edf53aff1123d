import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { recordAuditEvent } from '../identity/audit-log.ts';
import { endAllSessions } from '../identity/end-sessions.ts';
import { duplicateUserError } from '../identity/profile.ts';
import { readSignInPolicy } from '../identity/sign-in-policy.ts';
import { changeTeams } from '../identity/team-access.ts';
import { insertUserWithFreeName } from '../identity/user-store.ts';
import { ScimError } from './scim-error.ts';
import type { ScimClient } from './tokens.ts';
import type { ScimUser } from './user-resource.ts';

type ChangeDeps = Pick<Deps, 'db' | 'now' | 'events'>;

/** Creates a user, or brings back a removed one with the same email, userName or externalId; returns the id. */
export async function createScimUser(deps: ChangeDeps, user: ScimUser, client: ScimClient): Promise<string> {
  const removed = await findRemoved(deps.db, user);
  if (removed) {
    await updateScimUser(deps, removed, user, client);
    return removed;
  }
  const created = await insertUserWithFreeName(deps.db, user.userName, {
    email: user.email,
    passwordHash: null,
    // The directory vouches for its addresses.
    emailVerifiedAt: deps.now(),
    fullName: user.fullName,
    preferences: { theme: 'light', language: user.language ?? 'en' },
    provisioned: { externalId: user.externalId, userName: user.userName, isActive: user.active },
    checkAllowed: async (_db, isFirst) => {
      if (isFirst) throw new ScimError(409, 'The first account is created by sign-up.', 'mutability');
    },
  });
  await recordAuditEvent(deps.db, {
    userId: created.id,
    event: 'scim_user_created',
    detail: { user: created.username, by: client.name },
  });
  return created.id;
}

async function findRemoved(db: Kysely<Database>, user: ScimUser): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('scim_removed_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb(eb.fn<string>('lower', ['email']), '=', user.email.toLowerCase()),
        eb(eb.fn<string>('lower', ['scim_user_name']), '=', user.userName.toLowerCase()),
        ...(user.externalId === null ? [] : [eb('external_id', '=', user.externalId)]),
      ]),
    )
    .orderBy('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Replaces the attributes of a user. Deactivation ends all sessions. Throws a SCIM error 409 for the last administrator. */
export async function updateScimUser(
  deps: ChangeDeps,
  id: string,
  user: ScimUser,
  client: ScimClient,
): Promise<void> {
  const isDeactivated = await deps.db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('users')
      .select(['username', 'email', 'is_active', 'role'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!user.active && before.is_active) await requireDispensable(trx, id, before.role);
    const isEmailChanged = before.email.toLowerCase() !== user.email.toLowerCase();
    try {
      await trx
        .updateTable('users')
        .set({
          scim_user_name: user.userName,
          external_id: user.externalId,
          full_name: user.fullName,
          is_active: user.active,
          scim_removed_at: null,
          ...(user.language && { language: user.language }),
          ...(isEmailChanged && { email: user.email, email_verified_at: deps.now(), pending_email: null }),
        })
        .where('id', '=', id)
        .execute();
    } catch (error) {
      throw duplicateUserError(error) ?? error;
    }
    const event = userEvent(before.is_active, user.active);
    await recordAuditEvent(trx, { userId: id, event, detail: { user: before.username, by: client.name } });
    return before.is_active && !user.active;
  });
  if (isDeactivated) await endAllSessions(deps, id);
}

function userEvent(before: boolean, after: boolean) {
  if (before === after) return 'scim_user_updated';
  return after ? 'account_reactivated' : 'account_deactivated';
}

/**
 * Removes a user from the directory's view: the account is deactivated and leaves its teams, and its projects stay until an
 * administrator decides about them.
 */
export async function removeScimUser(deps: ChangeDeps, id: string, client: ScimClient): Promise<void> {
  await changeTeams(deps, async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['username', 'role', 'is_active'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (user.is_active) await requireDispensable(trx, id, user.role);
    await trx
      .updateTable('users')
      .set({ is_active: false, scim_removed_at: deps.now() })
      .where('id', '=', id)
      .execute();
    await trx.deleteFrom('team_members').where('user_id', '=', id).execute();
    const detail = { user: user.username, by: client.name };
    await recordAuditEvent(trx, { userId: id, event: 'scim_user_removed', detail });
    return { result: undefined, scope: { userIds: [id] } };
  });
  await endAllSessions(deps, id);
}

/** Throws for administrators without whom no one could manage the server: the last active one, and those who keep their password. */
async function requireDispensable(db: Kysely<Database>, id: string, role: 'admin' | 'user'): Promise<void> {
  if (role !== 'admin') return;
  if ((await readSignInPolicy(db)).breakGlass.includes(id))
    throw new ScimError(409, 'This administrator keeps access while single sign-on fails.', 'mutability');
  const others = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('id', '<>', id)
    .limit(1)
    .execute();
  if (others.length === 0)
    throw new ScimError(409, 'This is the last active administrator of the server.', 'mutability');
}
