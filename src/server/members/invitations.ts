import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { AssignableRole, Invitation } from '#contract/members.ts';
import { newId } from '#db/ids.ts';
import type { ProjectInvitationsTable } from '#db/project-tables.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { lockUser } from '../identity/user-store.ts';

type InvitationDeps = Pick<Deps, 'db' | 'now'>;

const INVITATION_TTL_MS = 7 * 24 * 3600 * 1000;
/** Per project. Invitations are for individuals, not for mailing lists. */
const MAX_OPEN_INVITATIONS = 100;

/** An invitation with its project and inviter. */
type InvitationRow = Selectable<ProjectInvitationsTable> & { project_name: string; inviter: string };

/** Creates a single-use invitation with a 256-bit secret, of which only the SHA-256 is stored. */
export async function insertInvitation(
  { db, now }: { db: Transaction<Database>; now: Deps['now'] },
  values: { projectId: string; role: AssignableRole; email: string | null; invitedBy: string },
): Promise<{ id: string; secret: string }> {
  const time = now();
  await db.deleteFrom('project_invitations').where('expires_at', '<=', time).execute();
  // Serializes the invitations of one owner.
  await lockUser(db, values.invitedBy);
  const open = await listInvitations({ db, now }, values.projectId);
  if (open.length >= MAX_OPEN_INVITATIONS) {
    throw new AppError('conflict', 'open_invitation_limit_reached', {
      params: { limit: MAX_OPEN_INVITATIONS },
    });
  }
  const secret = randomBytes(32).toString('base64url');
  const id = newId();
  await db
    .insertInto('project_invitations')
    .values({
      id,
      project_id: values.projectId,
      digest: hashSecret(secret),
      role: values.role,
      email: values.email,
      invited_by: values.invitedBy,
      created_at: time,
      expires_at: new Date(time.getTime() + INVITATION_TTL_MS),
    })
    .execute();
  return { id, secret };
}

/** Open invitations of a project, newest first. */
export async function listInvitations({ db, now }: InvitationDeps, projectId: string): Promise<Invitation[]> {
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
 * Finds an open invitation by its secret. Every invalid, expired or foreign invitation gives the same `not_found`.
 * Throws `bad_request` (`email_unverified`) when it is for the caller’s email, which mail could verify but has
 * not.
 */
export async function findProjectInvitation(
  { db, config, now }: InvitationDeps & Pick<Deps, 'config'>,
  secret: string,
  userId: string,
): Promise<InvitationRow> {
  const row = await db
    .selectFrom('project_invitations as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('users as inviter', 'inviter.id', 'i.invited_by')
    .innerJoin('users as recipient', (join) => join.on('recipient.id', '=', userId))
    .where('i.digest', '=', hashSecret(secret))
    .where('i.expires_at', '>', now())
    .where((eb) =>
      eb.or([
        eb('i.email', 'is', null),
        eb(eb.fn('lower', ['i.email']), '=', eb.fn('lower', ['recipient.email'])),
      ]),
    )
    .selectAll('i')
    .select(['p.name as project_name', 'inviter.username as inviter', 'recipient.email_verified_at'])
    .executeTakeFirst();
  if (row?.email && row.email_verified_at === null && config.mail.smtpUrl !== null) {
    throw new AppError('bad_request', 'email_unconfirmed', { reason: 'email_unverified' });
  }
  if (!row) {
    throw new AppError('not_found', 'project_invitation_invalid');
  }
  return row;
}

/** Deletes an invitation; false when it no longer exists. */
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

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
