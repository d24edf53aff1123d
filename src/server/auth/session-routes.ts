import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { describeDevice } from '../identity/device.ts';
import { emitSessionEnded, revokeSessions } from '../identity/end-sessions.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { requireStrongPassword } from './common-passwords.ts';
import { replacePassword } from './password-reset.ts';
import { IDLE_TIMEOUT_MS, revokeSession } from './session-tokens.ts';

/** Serves password changes and the list of active sessions. */
export function serveSessions(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.changePassword, async ({ caller, body, request }) => {
    const user = await requireReauthentication(app, deps, caller, { ...body, ip: request.ip });
    requireStrongPassword(deps.config, 'new_password', body.new_password, user);
    const hash = await app.passwords.hash(body.new_password);
    const ended = await deps.db
      .transaction()
      .execute((trx) => replacePassword({ ...deps, db: trx }, caller.userId, hash, caller.sessionId));
    emitSessionEnded(deps, ended);
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'password_changed',
      ...clientInfo(request),
    });
    deps.events.emit({ type: 'password-changed', userId: caller.userId });
    return { ok: true as const };
  });

  serve(app, authRoutes.sessions, async ({ caller }) => {
    const now = deps.now();
    const lastUsed = sql<Date>`greatest(last_seen, rotated_at)`;
    const rows = await deps.db
      .selectFrom('sessions')
      .select(['id', 'user_agent', 'created_at', lastUsed.as('last_used_at')])
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .where(lastUsed, '>', new Date(now.getTime() - IDLE_TIMEOUT_MS))
      .orderBy(lastUsed, 'desc')
      .execute();
    const sessions = rows.map((row) => ({
      id: row.id,
      device: describeDevice(row.user_agent),
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      current: row.id === caller.sessionId,
    }));
    return { sessions };
  });

  serve(app, authRoutes.revokeOtherSessions, async ({ caller, request }) => {
    const ended = await revokeSessions(deps, caller.userId, caller.sessionId);
    emitSessionEnded(deps, ended);
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'sessions_revoked',
      ...clientInfo(request),
    });
    return { revoked: ended.length };
  });

  serve(app, authRoutes.revokeSession, async ({ caller, params, request }) => {
    const session = await deps.db
      .selectFrom('sessions')
      .select('user_agent')
      .where('id', '=', params.id)
      .where('user_id', '=', caller.userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (!session) throw new AppError('not_found', 'session_ended');
    await revokeSession(deps, params.id);
    const detail = { place: describeDevice(session.user_agent) };
    await recordAuditEvent(deps.db, {
      userId: caller.userId,
      event: 'session_revoked',
      detail,
      ...clientInfo(request),
    });
    return { ok: true as const };
  });
}
