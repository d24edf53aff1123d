import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Caller } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';

type TeamEvent =
  | 'team_created'
  | 'team_renamed'
  | 'team_deleted'
  | 'team_member_added'
  | 'team_member_role_changed'
  | 'team_member_removed'
  | 'team_access_granted'
  | 'team_access_revoked'
  | 'team_groups_changed';

interface TeamAuditEntry {
  caller: Caller;
  event: TeamEvent;
  team: string;
  member?: string;
  project?: string;
  role?: string;
}

/** Records an event of a team with the names that its message needs. */
export async function auditTeam(
  db: Kysely<Database>,
  request: FastifyRequest,
  { caller, event, ...detail }: TeamAuditEntry,
): Promise<void> {
  await recordAuditEvent(db, { userId: caller.userId, event, detail, ...clientInfo(request) });
}
