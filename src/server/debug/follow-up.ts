import type { Kysely, Selectable } from 'kysely';
import type { DebugSessionsTable } from '#db/debug-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { requireChatCapacity } from '../project-data/row-limits.ts';

/** Length of the error in the first question; context beyond this is not used anyway. */
const MAX_ERROR_LENGTH = 4_000;
const MAX_TITLE_LENGTH = 80;

type Session = Selectable<DebugSessionsTable>;

/** Finds the caller’s follow-up chat of a session. */
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
 * Finds or creates the caller’s follow-up chat of a session. Its first question is the error and its first answer
 * that of the session, which gives later questions their context.
 */
export async function findOrCreateFollowUp(
  db: Kysely<Database>,
  session: Session,
  { userId, at }: { userId: string; at: Date },
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    // Serialized per user, so that concurrent tabs create one chat.
    await lockUser(trx, userId);
    const existing = await findFollowUp(trx, session, userId);
    if (existing !== null) return existing;
    await requireChatCapacity(trx, { projectId: session.project_id, userId });
    const [thread_id, question, answer] = [newId(), newId(), newId()];
    const { project_id, id: session_id, title } = session;
    await trx
      .insertInto('chat_threads')
      .values({
        ...{ project_id, id: thread_id, user_id: userId, session_id, head: answer, updated_at: at },
        title: title.slice(0, MAX_TITLE_LENGTH),
      })
      .execute();
    const common = { project_id, thread_id, status: 'done' as const, created_at: at };
    await trx
      .insertInto('chat_messages')
      .values([
        { ...common, id: question, role: 'user', content: firstQuestion(session) },
        {
          ...common,
          id: answer,
          role: 'assistant',
          parent_id: question,
          // Evidence numbers have no meaning outside the session page.
          content: session.answer.solution.replace(/ ?\[e\d+\]/g, ''),
          model: answerModel(session),
        },
      ])
      .execute();
    return thread_id;
  });
}

/** Error text and the top place, which questions such as "who wrote it?" refer to. */
function firstQuestion({ request, answer }: Session): string {
  const error = String(request.error_message ?? '').slice(0, MAX_ERROR_LENGTH);
  const [place] = answer.places;
  return place ? `${error}\n\n\`${place.path}:${place.start_line}-${place.end_line}\`` : error;
}

function answerModel({ answer: { model_run: modelRun } }: Session): string | null {
  return modelRun && !modelRun.failure ? modelRun.model : null;
}
