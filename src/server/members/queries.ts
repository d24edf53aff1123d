import type { Kysely } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { GivenRole, Member } from '#contract/members.ts';
import type { Database } from '#db/schema.ts';
import { requireRowRoom } from '../row-limits.ts';

type Db = Kysely<Database>;

/** Somebody's place in a project. */
interface Place {
  projectId: string;
  userId: string;
}

/** Members of a project, its owner first, then by when they came. */
export async function listMembers(
  db: Db,
  projectId: string,
  reader: { userId: string; isOwner: boolean },
): Promise<Member[]> {
  const rows = await db
    .selectFrom('project_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.project_id', '=', projectId)
    .select(['m.user_id', 'm.role', 'm.created_at', 'u.username', 'u.full_name', 'u.email'])
    .orderBy((eb) => eb.case().when('m.role', '=', 'owner').then(0).else(1).end())
    .orderBy('m.created_at')
    .orderBy('m.user_id')
    .limit(MAX_LIST)
    .execute();
  return rows.map(({ created_at, email, ...row }) => ({
    ...row,
    email: reader.isOwner ? email : null,
    since: created_at.toISOString(),
    you: row.user_id === reader.userId,
  }));
}

/**
 * The account of a username or an email, or null. With `confirmedOnly` an address counts once its owner has shown that
 * they read it: else anybody could sign up with a colleague's and be let in for them.
 */
export async function findAccount(
  db: Db,
  who: string,
  { confirmedOnly }: { confirmedOnly: boolean },
): Promise<{ id: string; username: string } | null> {
  const byEmail = who.includes('@');
  let accounts = db
    .selectFrom('users')
    .select(['id', 'username'])
    .where((eb) => eb(eb.fn('lower', [byEmail ? 'email' : 'username']), '=', who.toLowerCase()))
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null);
  if (byEmail && confirmedOnly) accounts = accounts.where('email_verified_at', 'is not', null);
  return (await accounts.executeTakeFirst()) ?? null;
}

/** Lets somebody in; false when they are a member already. */
export async function insertMember(db: Db, { projectId, userId }: Place, role: GivenRole): Promise<boolean> {
  const { count } = await db
    .selectFrom('project_members')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  requireRowRoom('members', Number(count));
  const row = await db
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives a member who is not the owner another role. Throws `not_found`, or `conflict` for the owner. */
export async function changeRole(db: Db, place: Place, role: GivenRole): Promise<void> {
  const result = await others(db.updateTable('project_members').set({ role }), place).executeTakeFirst();
  if (result.numUpdatedRows === 0n) throw await whyNot(db, place);
}

/** Takes a member who is not the owner out. Throws `not_found`, or `conflict` for the owner. */
export async function deleteMember(db: Db, place: Place): Promise<void> {
  const result = await others(db.deleteFrom('project_members'), place).executeTakeFirst();
  if (result.numDeletedRows === 0n) throw await whyNot(db, place);
}

/**
 * Makes another member the owner, and the owner an editor; the secret of a credential that the new owner has not given is
 * deleted. Returns whether there was one. Throws `not_found` for somebody who is no member, `conflict`
 * when the owner has changed meanwhile.
 */
export async function handOver(db: Db, { projectId, userId }: Place, to: string): Promise<boolean> {
  const own = (id: string) =>
    db.updateTable('project_members').where('project_id', '=', projectId).where('user_id', '=', id);
  // One project has one owner at any time (a unique index), so the order counts.
  const left = await own(userId).set({ role: 'editor' }).where('role', '=', 'owner').executeTakeFirst();
  if (left.numUpdatedRows === 0n) {
    throw new AppError('conflict', 'This project has another owner by now.', { reason: 'not_owner' });
  }
  const taken = await own(to).set({ role: 'owner' }).executeTakeFirst();
  if (taken.numUpdatedRows === 0n || to === userId) throw noMember();
  const revoked = await db
    .updateTable('credentials')
    .set({ sealed: '', made_by: null })
    .where('project_id', '=', projectId)
    .where('made_by', 'is distinct from', to)
    .executeTakeFirst();
  return revoked.numUpdatedRows > 0n;
}

interface Filterable {
  where(column: 'project_id' | 'user_id', operator: '=', value: string): this;
  where(column: 'role', operator: '!=', value: 'owner'): this;
}

function others<Q extends Filterable>(query: Q, { projectId, userId }: Place): Q {
  return query.where('project_id', '=', projectId).where('user_id', '=', userId).where('role', '!=', 'owner');
}

async function whyNot(db: Db, { projectId, userId }: Place): Promise<AppError> {
  const row = await db
    .selectFrom('project_members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!row) return noMember();
  return new AppError('conflict', 'The owner stays one until the project is handed over to another member.', {
    reason: 'is_owner',
  });
}

function noMember(): AppError {
  return new AppError('not_found', 'There is no such member.');
}
