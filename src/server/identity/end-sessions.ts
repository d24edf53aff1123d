import type { Deps } from '../deps.ts';

/** Ends a user's sign-ins, but for the one to keep; returns their ids, to be announced once this is committed. */
export async function revokeSessions(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  keep: string | null,
): Promise<string[]> {
  const ended = await db
    .updateTable('sessions')
    .set({ revoked_at: now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(keep !== null, (query) => query.where('id', '!=', keep!))
    .returning('id')
    .execute();
  return ended.map(({ id }) => id);
}

/** Closes the lines that ended sign-ins still hold open. */
export function emitSessionEnded({ events }: Pick<Deps, 'events'>, sessionIds: string[]): void {
  for (const sessionId of sessionIds) events.emit({ type: 'session-ended', sessionId });
}

/** Ends all sign-ins of a user at once. */
export async function endAllSessions(
  deps: Pick<Deps, 'db' | 'now' | 'events'>,
  userId: string,
): Promise<void> {
  emitSessionEnded(deps, await revokeSessions(deps, userId, null));
}
