import { type Kysely, sql } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { AssignableRole, Member, ProjectTeam } from '#contract/members.ts';
import type { Database } from '#db/schema.ts';
import { requireRowCapacity } from '../project-data/row-limits.ts';

type Db = Kysely<Database>;

/** Key of a member in a project. */
interface Membership {
  projectId: string;
  userId: string;
}

/** Lists the members of a project: the owner first, then by join date. */
export async function listMembers(
  db: Db,
  projectId: string,
  reader: { userId: string; isOwner: boolean },
): Promise<Member[]> {
  const rows = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.project_id', '=', projectId)
    .select(['m.user_id', 'm.role', 'm.direct_role', 'm.created_at', 'u.username', 'u.full_name', 'u.email'])
    .select(
      sql<string[]>`array(
        select t.name from team_members tm
        join team_projects tp on tp.team_id = tm.team_id join teams t on t.id = tm.team_id
        where tm.user_id = m.user_id and tp.project_id = m.project_id order by lower(t.name))`.as('teams'),
    )
    .orderBy((eb) => eb.case().when('m.direct_role', '=', 'owner').then(0).else(1).end())
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(MAX_LIST)
    .execute();
  return rows.map(({ created_at, email, ...row }) => ({
    ...row,
    email: reader.isOwner ? email : null,
    joined_at: created_at.toISOString(),
    is_self: row.user_id === reader.userId,
  }));
}

/** Lists the teams with access to a project. */
export async function listProjectTeams(db: Db, projectId: string): Promise<ProjectTeam[]> {
  const rows = await db
    .selectFrom('team_projects as tp')
    .innerJoin('teams as t', 't.id', 'tp.team_id')
    .select(['t.id as team_id', 't.name', 'tp.role'])
    .select(sql<string>`(select count(*) from team_members c where c.team_id = t.id)`.as('members'))
    .where('tp.project_id', '=', projectId)
    .orderBy(sql`lower(t.name)`)
    .limit(MAX_LIST)
    .execute();
  return rows.map(({ members, ...row }) => ({ ...row, member_count: Number(members) }));
}

/** Adds a member; false when the user already is one, other than by a team. */
export async function insertMember(
  db: Db,
  { projectId, userId }: Membership,
  role: AssignableRole,
): Promise<boolean> {
  const { count } = await db
    .selectFrom('project_members')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  requireRowCapacity('members', Number(count));
  const row = await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: userId, role, direct_role: role })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet({ direct_role: role })
        .where('project_members.direct_role', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes the role of a member who is not the owner. Throws `not_found`, or `conflict` for the owner. */
export async function updateMemberRole(db: Db, membership: Membership, role: AssignableRole): Promise<void> {
  const result = await nonOwnerRow(
    db.updateTable('project_members').set({ direct_role: role }),
    membership,
  ).executeTakeFirst();
  if (result.numUpdatedRows === 0n) throw await nonOwnerError(db, membership);
}

/**
 * Removes a member who is not the owner; one who also is in a team keeps the role of the team. Throws `not_found`, or `conflict`
 * for the owner and for members by a team alone.
 */
export async function deleteMember(db: Db, membership: Membership): Promise<void> {
  const deleted = await nonOwnerRow(db.deleteFrom('project_members'), membership)
    .where('team_role', 'is', null)
    .executeTakeFirst();
  if (deleted.numDeletedRows > 0n) return;
  const kept = await nonOwnerRow(db.updateTable('project_members').set({ direct_role: null }), membership)
    .where('direct_role', 'is not', null)
    .executeTakeFirst();
  if (kept.numUpdatedRows === 0n) throw await nonOwnerError(db, membership);
}

/**
 * Makes another member the owner and the owner an editor, and deletes a credential that the new owner did not
 * provide. Returns true when a credential was deleted. Throws `not_found` for a non-member, `conflict` when the
 * owner has changed meanwhile.
 */
export async function transferOwnership(
  db: Db,
  { projectId, userId }: Membership,
  to: string,
): Promise<boolean> {
  const memberUpdate = (id: string) =>
    db.updateTable('project_members').where('project_id', '=', projectId).where('user_id', '=', id);
  // A unique index allows one owner per project, so the order matters.
  const demoted = await memberUpdate(userId)
    .set({ direct_role: 'editor' })
    .where('direct_role', '=', 'owner')
    .executeTakeFirst();
  if (demoted.numUpdatedRows === 0n) {
    throw new AppError('conflict', 'owner_changed', { reason: 'not_owner' });
  }
  const promoted = await memberUpdate(to).set({ direct_role: 'owner' }).executeTakeFirst();
  if (promoted.numUpdatedRows === 0n || to === userId) throw memberNotFound();
  const revoked = await db
    .updateTable('credentials')
    .set({ sealed: '', created_by: null })
    .where('project_id', '=', projectId)
    .where('created_by', 'is distinct from', to)
    .executeTakeFirst();
  return revoked.numUpdatedRows > 0n;
}

interface Filterable {
  where(column: 'project_id' | 'user_id', operator: '=', value: string): this;
  where(column: 'direct_role', operator: 'is distinct from', value: 'owner'): this;
}

function nonOwnerRow<Q extends Filterable>(query: Q, { projectId, userId }: Membership): Q {
  return query
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('direct_role', 'is distinct from', 'owner');
}

async function nonOwnerError(db: Db, { projectId, userId }: Membership): Promise<AppError> {
  const row = await db
    .selectFrom('project_members')
    .select('direct_role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return memberNotFound();
  if (row.direct_role === null)
    return new AppError('conflict', 'member_through_team', { reason: 'team_member' });
  return new AppError('conflict', 'owner_not_removable', {
    reason: 'is_owner',
  });
}

function memberNotFound(): AppError {
  return new AppError('not_found', 'member_not_found');
}
