import type { Deps } from '../deps.ts';
import { recordAuditEvent } from './audit-log.ts';
import type { UserRow } from './profile.ts';
import { changeTeams, insertTeamMembers } from './team-access.ts';

interface GroupClaims {
  /** Id of the sign-in provider. */
  provider: string;
  groups: string[];
  /** Groups whose members are administrators. */
  adminGroups: string[];
}

/**
 * Applies the groups of a sign-in: the role of an administrator and the members of teams follow them. Roles and members that people
 * have set by hand stay. Returns the user as they are then.
 */
export async function applyGroups(
  deps: Pick<Deps, 'db' | 'events'>,
  user: UserRow,
  claims: GroupClaims,
): Promise<UserRow> {
  await applyTeams(deps, user, claims);
  return await applyRole(deps, user, claims);
}

async function applyRole(
  { db }: Pick<Deps, 'db'>,
  user: UserRow,
  { provider, groups, adminGroups }: GroupClaims,
): Promise<UserRow> {
  const isAdmin = adminGroups.some((group) => groups.includes(group));
  const isGranted = user.role === 'user' && isAdmin;
  const isRevoked = user.role === 'admin' && user.role_source === provider && !isAdmin;
  if (!isGranted && !isRevoked) return user;
  const role = isGranted ? ('admin' as const) : ('user' as const);
  return await db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable('users')
      .set({ role, role_source: isGranted ? provider : null })
      .where('id', '=', user.id)
      .where('role', '=', user.role)
      .returningAll()
      .executeTakeFirst();
    if (!changed) return user;
    const detail = { user: user.username, role, by: provider };
    await recordAuditEvent(trx, { userId: user.id, event: 'role_changed', detail });
    return changed;
  });
}

async function applyTeams(
  deps: Pick<Deps, 'db' | 'events'>,
  user: UserRow,
  { provider, groups }: GroupClaims,
): Promise<void> {
  const mapped = await deps.db
    .selectFrom('team_groups')
    .select('team_id')
    .distinct()
    .where('provider', '=', provider)
    .where('group_name', 'in', groups.length > 0 ? groups : [''])
    .execute();
  const current = await deps.db
    .selectFrom('team_members')
    .select(['team_id', 'source'])
    .where('user_id', '=', user.id)
    .execute();
  const wanted = new Set(mapped.map(({ team_id }) => team_id));
  const joined = [...wanted].filter((id) => !current.some(({ team_id }) => team_id === id));
  const left = current
    .filter(({ team_id, source }) => source === provider && !wanted.has(team_id))
    .map(({ team_id }) => team_id);
  if (joined.length === 0 && left.length === 0) return;
  await changeTeams(deps, async (trx) => {
    for (const teamId of joined)
      await insertTeamMembers(trx, { teamId, userIds: [user.id], source: provider });
    if (left.length > 0) {
      await trx
        .deleteFrom('team_members')
        .where('user_id', '=', user.id)
        .where('source', '=', provider)
        .where('team_id', 'in', left)
        .execute();
    }
    const names = await trx
      .selectFrom('teams')
      .select(['id', 'name'])
      .where('id', 'in', [...joined, ...left])
      .execute();
    for (const { id, name } of names) {
      const event = joined.includes(id) ? 'team_member_added' : 'team_member_removed';
      const detail = { team: name, member: user.username, by: provider };
      await recordAuditEvent(trx, { userId: user.id, event, detail });
    }
    return { result: undefined, scope: { userIds: [user.id] } };
  });
}
