import type { Kysely, Selectable } from 'kysely';
import type { Feedback } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, DebugSessionsTable, FeedbackTable } from '#db/schema.ts';

/** Debug sessions (`s`) in all projects of which the user is a member. */
export function memberSessions(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('debug_sessions as s')
    .innerJoin('project_members as m', 'm.project_id', 's.project_id')
    .where('m.user_id', '=', userId);
}

/**
 * The session with this id, or with this number among the caller's own: clients of the specification send a
 * number. Sessions are visible to all members of their project.
 * @throws AppError `not_found`, also for what belongs to others
 */
export async function findSession(
  db: Kysely<Database>,
  userId: string,
  idOrNumber: string | number,
): Promise<Selectable<DebugSessionsTable>> {
  const text = String(idOrNumber);
  const visible = memberSessions(db, userId).selectAll('s');
  const row = await (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
    ? visible.where('s.user_id', '=', userId).where('s.number', '=', Number(text))
    : visible.where('s.id', '=', text)
  ).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'There is no such debug session.');
  return row;
}

/** A row of feedback as the API shows it. */
export function presentFeedback(row: Selectable<FeedbackTable>): Feedback {
  return {
    id: row.id,
    helpful: row.helpful,
    comments: row.comments,
    created_at: row.created_at.toISOString(),
  };
}
