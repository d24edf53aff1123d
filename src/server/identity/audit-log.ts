import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { AuditName } from '#contract/audit.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { describeDevice } from './device.ts';

/** A security event. */
interface AuditEntry {
  /** Null for an unknown account, such as a failed sign-in with a wrong username. */
  userId: string | null;
  event: AuditName;
  ip?: string | null;
  /** Browser and operating system from `describeDevice`. */
  device?: string | null;
  /** Parameters of the sentence shown to users; never secrets. */
  detail?: Record<string, string>;
}

const MAX_DETAIL_LENGTH = 200;

/** Records a security event; in a transaction it commits or rolls back with the change it describes. */
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

/** Client fields of an audit event: `recordAuditEvent(db, { …, ...clientInfo(request) })`. */
export function clientInfo(request: FastifyRequest): { ip: string; device: string } {
  return { ip: request.ip, device: describeDevice(request.headers['user-agent'] ?? null) };
}
