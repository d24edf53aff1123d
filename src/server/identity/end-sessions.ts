import type { Deps } from '../deps.ts';

/** Revokes the sessions of a user except one; returns their ids, to be emitted after the transaction commits. */
export async function revokeSessions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  exceptSessionId: string | null,
): Promise<string[]> {
  const revoked = await db
    .updateTable('sessions')
    .set({ revoked_at: now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(exceptSessionId !== null, (query) => query.where('id', '!=', exceptSessionId!))
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}

/** Emits the end of sessions, which closes their WebSockets. */
export function emitSessionEnded({ events }: Pick<Deps, 'events'>, sessionIds: string[]): void {
  for (const sessionId of sessionIds) events.emit({ type: 'session-ended', sessionId });
}

/** Revokes all sessions of a user and closes their WebSockets. */
export async function endAllSessions(
  deps: Pick<Deps, 'db' | 'now' | 'events'>,
  userId: string,
): Promise<void> {
  emitSessionEnded(deps, await revokeSessions(deps, userId, null));
}
