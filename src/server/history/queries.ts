import { type Kysely, type Selectable, sql } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database, FeedbackTable } from '#db/schema.ts';

/** One page of feedback is enough for the tab that shows it. */
const MAX_ROWS = 500;

/** Stores a user's verdict on a session, one each: a second one replaces the first. Yes solves the group. */
export async function storeFeedback(
  db: Kysely<Database>,
  values: Omit<Selectable<FeedbackTable>, 'id' | 'created_at'> & { fingerprint: string },
): Promise<Selectable<FeedbackTable>> {
  const { fingerprint, ...feedback } = values;
  return await db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('feedback')
      .values({ id: newId(), ...feedback })
      .onConflict((conflict) =>
        conflict.columns(['session_id', 'user_id']).doUpdateSet({
          helpful: feedback.helpful,
          comments: feedback.comments,
          created_at: sql<Date>`now()`,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('debug_groups')
      .set({ state: feedback.helpful ? 'solved' : 'open' })
      .where('project_id', '=', feedback.project_id)
      .where('fingerprint', '=', fingerprint)
      .execute();
    return row;
  });
}

/** Feedback on one session, newest first. */
export async function sessionFeedback(db: Kysely<Database>, sessionId: string) {
  return await selectFeedback(db).where('session_id', '=', sessionId).execute();
}

/** Feedback on all sessions of a project, newest first. */
export async function projectFeedback(db: Kysely<Database>, projectId: string) {
  return await selectFeedback(db).where('project_id', '=', projectId).execute();
}

function selectFeedback(db: Kysely<Database>) {
  return db.selectFrom('feedback').selectAll().orderBy('created_at', 'desc').limit(MAX_ROWS);
}
