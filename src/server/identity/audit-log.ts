import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { AuditName } from '#contract/audit.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { describeDevice } from './device.ts';

/** What happened, to whom, and from where. */
export interface AuditEntry {
  /** Null when the account is not known: a failed sign-in by a wrong name. */
  userId: string | null;
  event: AuditName;
  ip?: string | null;
  /** Names of browser and system, as `describeDevice` gives them. */
  device?: string | null;
  /** Names for the sentence; never a secret, nor a whole request. */
  detail?: Record<string, string>;
}

const MAX_DETAIL_LENGTH = 200;

/** Writes one security event into the record. In a transaction it stands or falls with what it tells of. */
export async function recordAuditEvent(db: Kysely<Database>, entry: AuditEntry): Promise<void> {
  const detail = Object.fromEntries(
    Object.entries(entry.detail ?? {}).map(([name, value]) => [name, value.slice(0, MAX_DETAIL_LENGTH)]),
  );
  await db
    .insertInto('audit_events')
    .values({
      id: newId(),
      user_id: entry.userId,
      event: entry.event,
      ip: entry.ip ?? null,
      device: entry.device ?? null,
      detail: JSON.stringify(detail),
    })
    .execute();
}

/** Where a request comes from, as the record keeps it: `audit(db, { …, ...origin(request) })`. */
export function clientInfo(request: FastifyRequest): { ip: string; device: string } {
  return { ip: request.ip, device: describeDevice(request.headers['user-agent'] ?? null) };
}
