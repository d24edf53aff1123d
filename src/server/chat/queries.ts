import type { Kysely, Selectable } from 'kysely';
import { summarise } from '#assistant/chat/summary.ts';
import type { ChatMessage, ChatSummary } from '#contract/chat.ts';
import { newId } from '#db/ids.ts';
import type { ChatMessagesTable, Database } from '#db/schema.ts';

/** Whose chat about which project. */
export interface ChatOwner {
  projectId: string;
  userId: string;
}

/** A question with its answer, ready to be stored. */
export interface Exchange {
  question: string;
  askedAt: Date;
  answer: string;
  answeredAt: Date;
  status: ChatMessage['status'];
}

/** Messages that a summary stands for. */
const SUMMED = 40;
/** The newest messages are in nobody's summary: they are shown, and sent to the model, as they are. */
const FRESH = 20;
/** Older messages than these are summarised no more. */
const MOST_SUMMED = 2_000;

/** A page of the newest thread, in ascending order; `skip` counts from the newest message. */
export async function listMessages(
  db: Kysely<Database>,
  owner: ChatOwner,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ messages: ChatMessage[]; has_more: boolean }> {
  const rows = await newestThread(db, owner)
    .orderBy('m.id', 'desc')
    .offset(skip)
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit).reverse();
  return { messages: page.map(presentMessage), has_more: rows.length > limit };
}

/** The last turns of a chat, oldest first, and in short what came before them. */
export async function recall(db: Kysely<Database>, owner: ChatOwner) {
  const { messages } = await listMessages(db, owner, { skip: 0, limit: FRESH });
  const summaries = await listSummaries(db, owner);
  return { messages, summary: summaries.map(({ content }) => content).join('\n') };
}

/**
 * Summaries of a long chat, oldest first. A stretch that has been summarised never changes, so they are made when
 * asked for and stored nowhere.
 */
export async function listSummaries(db: Kysely<Database>, owner: ChatOwner): Promise<ChatSummary[]> {
  const rows = await newestThread(db, owner).orderBy('m.id').limit(MOST_SUMMED).execute();
  const summaries: ChatSummary[] = [];
  for (let start = 0; start + SUMMED + FRESH <= rows.length; start += SUMMED) {
    const stretch = rows.slice(start, start + SUMMED);
    const [first, last] = [stretch[0]!, stretch.at(-1)!];
    summaries.push({
      id: first.id,
      from: first.created_at.toISOString(),
      to: last.created_at.toISOString(),
      content: summarise(stretch),
      created_at: last.created_at.toISOString(),
    });
  }
  return summaries;
}

/**
 * Stores a question and its answer together, in the owner's newest thread or in a first one: whatever ends the
 * program before leaves neither.
 */
export async function storeExchange(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  { question, askedAt, answer, answeredAt, status }: Exchange,
): Promise<{ id: string; user_message_id: string }> {
  return await db.transaction().execute(async (trx) => {
    // Serialises one user's first messages, so that two tabs begin one thread.
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const known = await trx
      .selectFrom('chat_threads')
      .select('id')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const thread_id = known?.id ?? newId();
    const common = { project_id: projectId, thread_id };
    if (!known) {
      await trx
        .insertInto('chat_threads')
        .values({ project_id: projectId, id: thread_id, user_id: userId })
        .execute();
    }
    const [user_message_id, id] = [newId(), newId()];
    await trx
      .insertInto('chat_messages')
      .values([
        {
          ...common,
          id: user_message_id,
          role: 'user',
          content: question,
          status: 'done',
          created_at: askedAt,
        },
        { ...common, id, role: 'assistant', content: answer, status, created_at: answeredAt },
      ])
      .execute();
    return { id, user_message_id };
  });
}

/** Deletes all of the owner's threads in the project. */
export async function clearChat(db: Kysely<Database>, { projectId, userId }: ChatOwner): Promise<void> {
  await db
    .deleteFrom('chat_threads')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

function newestThread(db: Kysely<Database>, { projectId, userId }: ChatOwner) {
  return db
    .selectFrom('chat_messages as m')
    .selectAll('m')
    .where('m.project_id', '=', projectId)
    .where('m.thread_id', '=', (eb) =>
      eb
        .selectFrom('chat_threads')
        .select('id')
        .where('project_id', '=', projectId)
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(1),
    );
}

function presentMessage({
  id,
  role,
  content,
  status,
  created_at,
}: Selectable<ChatMessagesTable>): ChatMessage {
  return { id, role, content, status, created_at: created_at.toISOString() };
}
