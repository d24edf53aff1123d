import { type RawBuilder, sql } from 'kysely';

/**
 * True for a group `g` that the user may see: it has events, or an answer that is not about the draft of another user. Merged
 * groups are not shown.
 */
export function isVisibleError(userId: string): RawBuilder<boolean> {
  return sql<boolean>`(g.merged_into is null and (g.event_count > 0 or exists ${newestSession(userId)}))`;
}

/** The newest answer of group `g` that the user may see: a draft is visible to its author alone. */
export function newestSession(userId: string): RawBuilder<unknown> {
  return sql`(
    select s.id, s.title, s.kind from debug_sessions s
    where s.project_id = g.project_id and s.fingerprint = g.fingerprint and (not s.draft or s.user_id = ${userId})
    order by s.created_at desc limit 1
  )`;
}
