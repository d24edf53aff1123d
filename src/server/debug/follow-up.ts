import type { Kysely, Selectable } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database, DebugSessionsTable } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { requireRoomForChat } from '../project-data/row-limits.ts';

/** What of an error stands in the first question: more than a question may lean on anyway. */
const MAX_ERROR = 4_000;
const MAX_TITLE = 80;

type Session = Selectable<DebugSessionsTable>;

/** The caller's chat that follows up a session, or null. */
export async function findFollowUp(
  db: Kysely<Database>,
  session: Pick<Session, 'project_id' | 'id'>,
  userId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('chat_threads')
    .select('id')
    .where('project_id', '=', session.project_id)
    .where('session_id', '=', session.id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * The caller's chat that follows up a session, begun where there is none: its first question is the error, its first answer
 * that of the session, so that what is asked next leans on both.
 */
export async function findOrCreateFollowUp(
  db: Kysely<Database>,
  session: Session,
  { userId, at }: { userId: string; at: Date },
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    // Serialises one user's first messages, so that two tabs begin one chat.
    await lockUser(trx, userId);
    const known = await findFollowUp(trx, session, userId);
    if (known !== null) return known;
    await requireRoomForChat(trx, { projectId: session.project_id, userId });
    const [thread_id, question, answer] = [newId(), newId(), newId()];
    const { project_id, id: session_id, title } = session;
    await trx
      .insertInto('chat_threads')
      .values({
        ...{ project_id, id: thread_id, user_id: userId, session_id, head: answer, updated_at: at },
        title: title.slice(0, MAX_TITLE),
      })
      .execute();
    const common = { project_id, thread_id, status: 'done' as const, created_at: at };
    await trx
      .insertInto('chat_messages')
      .values([
        { ...common, id: question, role: 'user', content: questionOf(session) },
        {
          ...common,
          id: answer,
          role: 'assistant',
          parent_id: question,
          // Numbers of evidence mean nothing away from the session's page.
          content: session.answer.solution.replace(/ ?\[e\d+\]/g, ''),
          model: modelOf(session),
        },
      ])
      .execute();
    return thread_id;
  });
}

/** The error, and the place that a question such as "who wrote it?" is about. */
function questionOf({ request, answer }: Session): string {
  const error = String(request.error_message ?? '').slice(0, MAX_ERROR);
  const [place] = answer.places;
  return place ? `${error}\n\n\`${place.path}:${place.start_line}-${place.end_line}\`` : error;
}

function modelOf({ answer: { written_by: written } }: Session): string | null {
  return written && !written.failure ? written.model : null;
}
