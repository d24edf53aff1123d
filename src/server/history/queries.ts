import { type Kysely, type Selectable, sql } from 'kysely';
import type { FeedbackRecord } from '#contract/history.ts';
import type { FeedbackTable } from '#db/debug-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { presentFeedback, setErrorState } from '../project-data/debug-sessions.ts';

/** The feedback tab shows a single page. */
const MAX_FEEDBACK_ROWS = 500;

/**
 * Saves a user’s rating of a session, replacing an earlier one. A helpful rating marks the group as solved.
 */
export async function saveFeedback(
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
    const group = { project_id: feedback.project_id, fingerprint };
    const state = feedback.helpful ? 'solved' : 'open';
    await setErrorState(trx, group, { state, userId: feedback.user_id });
    return row;
  });
}

/** Lists the feedback on a session, newest first. */
export async function listSessionFeedback(
  db: Kysely<Database>,
  sessionId: string,
): Promise<FeedbackRecord[]> {
  return (await selectFeedback(db).where('f.session_id', '=', sessionId).execute()).map(presentRecord);
}

/** Lists the feedback on the sessions of a project that are visible to the user, newest first. */
export async function listProjectFeedback(
  db: Kysely<Database>,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<FeedbackRecord[]> {
  const rows = await selectFeedback(db)
    .where('f.project_id', '=', projectId)
    .where((eb) => eb.or([eb('s.draft', '=', false), eb('s.user_id', '=', userId)]))
    .execute();
  return rows.map(presentRecord);
}

function selectFeedback(db: Kysely<Database>) {
  return db
    .selectFrom('feedback as f')
    .innerJoin('debug_sessions as s', 's.id', 'f.session_id')
    .innerJoin('users as u', 'u.id', 'f.user_id')
    .selectAll('f')
    .select(['s.title', 'u.username'])
    .orderBy('f.created_at', 'desc')
    .limit(MAX_FEEDBACK_ROWS);
}

function presentRecord(row: Selectable<FeedbackTable> & { title: string; username: string }): FeedbackRecord {
  return {
    ...presentFeedback(row),
    session_id: row.session_id,
    session_title: row.title,
    author: row.username,
  };
}
