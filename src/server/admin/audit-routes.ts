import type { FastifyInstance } from 'fastify';
import type { Selectable } from 'kysely';
import { type AuditEvent, auditRoutes } from '#contract/audit.ts';
import type { AuditEventsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';

/** Registers the `audit` routes: security events, for the user concerned and for administrators. */
export function registerAudit(app: FastifyInstance, { db }: Deps): void {
  serve(app, auditRoutes.mine, async ({ caller, query: { skip, limit } }) => {
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('id', 'desc')
      .offset(skip)
      .limit(limit + 1)
      .execute();
    return { events: rows.slice(0, limit).map(presentEvent), has_more: rows.length > limit };
  });

  serve(app, auditRoutes.all, async ({ query: { skip, limit, user_id } }) => {
    let events = db
      .selectFrom('audit_events as e')
      .leftJoin('users as u', 'u.id', 'e.user_id')
      .selectAll('e')
      .select('u.username');
    if (user_id !== undefined) events = events.where('e.user_id', '=', user_id);
    const rows = await events
      .orderBy('e.id', 'desc')
      .offset(skip)
      .limit(limit + 1)
      .execute();
    return {
      events: rows
        .slice(0, limit)
        .map((row) => ({ ...presentEvent(row), user_id: row.user_id, username: row.username })),
      has_more: rows.length > limit,
    };
  });
}

function presentEvent(row: Selectable<AuditEventsTable>): AuditEvent {
  const { id, event, ip, device, detail, created_at } = row;
  return { id, event, ip, device, detail, created_at: created_at.toISOString() };
}
