import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { GivenRole, Invitation } from '#contract/members.ts';
import { newId } from '#db/ids.ts';
import type { Database, ProjectInvitationsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../users.ts';

type Needs = Pick<Deps, 'db' | 'now'>;

/** How long an invitation can be taken. */
const LASTS_MS = 7 * 24 * 3600 * 1000;
/** Open ones of one project; they are for people, not for lists. */
const MOST_OPEN = 100;

/** An invitation as it was found, with who may take it. */
export type InvitationRow = Selectable<ProjectInvitationsTable> & { project_name: string; inviter: string };

/** Makes an invitation of 256 random bits that works once, of which only the SHA-256 is stored. */
export async function insertInvitation(
  { db, now }: { db: Transaction<Database>; now: Deps['now'] },
  values: { projectId: string; role: GivenRole; email: string | null; invitedBy: string },
): Promise<{ id: string; secret: string }> {
  const time = now();
  await db.deleteFrom('project_invitations').where('expires_at', '<=', time).execute();
  // Serialises the invitations of one person, who is the owner.
  await lockUser(db, values.invitedBy);
  const open = await listInvitations({ db, now }, values.projectId);
  if (open.length >= MOST_OPEN) {
    throw new AppError('conflict', `${MOST_OPEN} invitations are open. Withdraw some of them first.`);
  }
  const secret = randomBytes(32).toString('base64url');
  const id = newId();
  await db
    .insertInto('project_invitations')
    .values({
      id,
      project_id: values.projectId,
      digest: digest(secret),
      role: values.role,
      email: values.email,
      invited_by: values.invitedBy,
      created_at: time,
      expires_at: new Date(time.getTime() + LASTS_MS),
    })
    .execute();
  return { id, secret };
}

/** Open invitations of a project, newest first. */
export async function listInvitations({ db, now }: Needs, projectId: string): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('project_invitations as i')
    .innerJoin('users as u', 'u.id', 'i.invited_by')
    .where('i.project_id', '=', projectId)
    .where('i.expires_at', '>', now())
    .select(['i.id', 'i.role', 'i.email', 'i.created_at', 'i.expires_at', 'u.username as invited_by'])
    .orderBy('i.id', 'desc')
    .limit(MAX_LIST)
    .execute();
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}

/**
 * The invitation whose secret somebody shows. Throws `not_found` for one that was taken, withdrawn, is over or never was,
 * and for one to another address: all in the same words; `bad_request` (`email_unconfirmed`) for one to the caller's address
 * while emails reach people and the caller has not shown that this one is theirs.
 */
export async function findInvitation(
  { db, config, now }: Needs & Pick<Deps, 'config'>,
  secret: string,
  userId: string,
): Promise<InvitationRow> {
  const row = await db
    .selectFrom('project_invitations as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('users as inviter', 'inviter.id', 'i.invited_by')
    .innerJoin('users as reader', (join) => join.on('reader.id', '=', userId))
    .where('i.digest', '=', digest(secret))
    .where('i.expires_at', '>', now())
    .where((eb) =>
      eb.or([
        eb('i.email', 'is', null),
        eb(eb.fn('lower', ['i.email']), '=', eb.fn('lower', ['reader.email'])),
      ]),
    )
    .selectAll('i')
    .select(['p.name as project_name', 'inviter.username as inviter', 'reader.email_verified_at'])
    .executeTakeFirst();
  if (row?.email && row.email_verified_at === null && config.mail.smtpUrl !== null) {
    throw new AppError(
      'bad_request',
      'This invitation is for your email address, which you have not confirmed yet. Confirm it, then open the link again.',
      { reason: 'email_unconfirmed' },
    );
  }
  if (!row) {
    throw new AppError(
      'not_found',
      'This invitation is for somebody else, was used, or is over. Ask for a new one.',
    );
  }
  return row;
}

/** Uses an invitation up or withdraws it; false when somebody was quicker. */
export async function deleteInvitation(
  db: Kysely<Database>,
  { projectId, id }: { projectId: string; id: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('project_invitations')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
