import { type Kysely, type RawBuilder, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';

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

/** Throws `not_found` unless the user may see all of these errors. */
export async function requireVisibleErrors(
  db: Kysely<Database>,
  userId: string,
  { projectId, ids }: { projectId: string; ids: string[] },
): Promise<void> {
  const rows = await db
    .selectFrom('debug_groups as g')
    .select('g.id')
    .where('g.project_id', '=', projectId)
    .where('g.id', 'in', ids)
    .where(isVisibleError(userId))
    .execute();
  const visible = new Set(rows.map(({ id }) => id));
  if (!ids.every((id) => visible.has(id))) throw new AppError('not_found', 'error_not_found');
}
