import { type Kysely, type Selectable, sql } from 'kysely';
import { summarizeMessages } from '#assistant/chat/summary.ts';
import {
  type AnswerStep,
  type Attachment,
  type ChatMessage,
  type ChatSummary,
  type ContextUse,
  MAX_SIBLINGS,
  type OfferedReading,
} from '#contract/chat.ts';
import { type IndexFreshness, MAX_PAGE } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { ModelSource } from '#contract/own-models.ts';
import type { ChatMessagesTable } from '#db/assistant-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import { lockUser } from '../identity/user-store.ts';
import { jsonByteLength } from '../project-data/json-size.ts';
import { requireChatCapacity, requireRowCapacity } from '../project-data/row-limits.ts';
import { attachToMessage, listAttachments } from './attachments.ts';
import { type ChatOwner, findNewestThreadId, threadTitle } from './threads.ts';

/** Messages of a thread from the first one to `head`, which is null without messages. */
export interface MessagePath {
  projectId: string;
  threadId: string | null;
  head: string | null;
}

/** A question with its answer, or a further answer to an existing question. */
export interface Exchange {
  question: { content: string; askedAt: Date; attachments: readonly string[] } | { id: string };
  /** Message before the question; unused for a further answer. */
  parentId: string | null;
  answer: Pick<ChatMessage, 'content' | 'status'> & {
    at: Date;
    model: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    freshness: IndexFreshness;
    readings: OfferedReading[];
    model_source: ModelSource | null;
    steps: AnswerStep[];
    context: ContextUse | null;
  };
}

/** JSON size limit of the messages of one page. */
const MAX_PAGE_BYTES = 2 * 2 ** 20;
/** Limit of sibling messages read to list the branches of a page. */
const MAX_SIBLING_ROWS = 10_000;

/** Messages per summary. */
const SUMMARY_CHUNK_SIZE = 40;
/** Newest messages, which are sent to the model verbatim instead of summarized. */
const RECENT_MESSAGES = 20;
/** Older messages than these are no longer summarized. */
const MAX_SUMMARIZED = 2_000;

/** Lists a page of a path in ascending order; `skip` counts from the newest message. */
export async function listMessages(
  db: Kysely<Database>,
  path: MessagePath,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ messages: ChatMessage[]; has_more: boolean }> {
  const rows = await readPath(db, path, { skip, limit: limit + 1 });
  const page = takeWithinPageBytes(rows.slice(0, limit)).reverse();
  const branches = await listSiblings(db, path, page);
  const questions = page.filter(({ role }) => role === 'user').map(({ id }) => id);
  const files = await listAttachments(db, path.projectId, questions);
  const messages = page.map((row) => {
    const ids = branches.get(`${row.role} ${row.parent_id}`) ?? [];
    return { ...presentMessage(row, files.get(row.id)), ...(ids.length > 1 && { siblings: ids }) };
  });
  return { messages, has_more: rows.length > page.length };
}

/** Newest messages of a path within a size limit, in ascending order. */
export async function listNewestMessages(
  db: Kysely<Database>,
  path: MessagePath,
  maxBytes: number,
): Promise<ChatMessage[]> {
  const newestFirst: ChatMessage[] = [];
  for (let bytes = 0; ; ) {
    const page = await listMessages(db, path, { skip: newestFirst.length, limit: MAX_PAGE });
    for (const message of page.messages.reverse()) {
      bytes += jsonByteLength(message.content);
      if (bytes > maxBytes) return newestFirst.reverse();
      newestFirst.push(message);
    }
    if (!page.has_more) return newestFirst.reverse();
  }
}

/** Prefix that fits into one reply, at least one message. */
function takeWithinPageBytes(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ content }) => {
    bytes += jsonByteLength(content);
    return bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

/** Recent messages of a path, oldest first, and a summary of the earlier ones. */
export async function loadConversationContext(db: Kysely<Database>, path: MessagePath) {
  const { messages } = await listMessages(db, path, { skip: 0, limit: RECENT_MESSAGES });
  const summaries = await listSummaries(db, path);
  return { messages, summary: summaries.map(({ content }) => content).join('\n') };
}

/**
 * Lists the summaries of a long chat, oldest first: stored ones by a model, else extractive ones. The chunk
 * boundaries never change.
 */
export async function listSummaries(db: Kysely<Database>, path: MessagePath): Promise<ChatSummary[]> {
  const chunks = await listSummaryChunks(db, path);
  return chunks.map(({ messages, stored }) => {
    const [first, last] = [messages[0]!, messages.at(-1)!];
    return {
      id: first.id,
      from: first.created_at.toISOString(),
      to: last.created_at.toISOString(),
      content: stored?.content ?? summarizeMessages(messages),
      model: stored?.model ?? null,
      created_at: (stored?.created_at ?? last.created_at).toISOString(),
    };
  });
}

/**
 * Splits the older part of a path into chunks of `SUMMARY_CHUNK_SIZE` messages, with their stored summaries.
 */
export async function listSummaryChunks(db: Kysely<Database>, path: MessagePath) {
  const rows = (await readPath(db, path, { skip: 0, limit: MAX_SUMMARIZED })).reverse();
  const chunks: { messages: Row[]; lastId: string }[] = [];
  for (
    let start = 0;
    start + SUMMARY_CHUNK_SIZE + RECENT_MESSAGES <= rows.length;
    start += SUMMARY_CHUNK_SIZE
  ) {
    const messages = rows.slice(start, start + SUMMARY_CHUNK_SIZE);
    chunks.push({ messages, lastId: messages.at(-1)!.id });
  }
  if (chunks.length === 0 || path.threadId === null) return [];
  const stored = await db
    .selectFrom('chat_summaries')
    .select(['last_message_id', 'content', 'model', 'created_at'])
    .where('project_id', '=', path.projectId)
    .where('thread_id', '=', path.threadId)
    .execute();
  const storedByLastId = new Map(stored.map((row) => [row.last_message_id, row]));
  return chunks.map((chunk) => ({ ...chunk, stored: storedByLastId.get(chunk.lastId) ?? null }));
}

/**
 * Saves a question and its answer in one transaction, in the given thread or a first one, and makes their branch
 * current. Throws `not_found` when the thread was deleted meanwhile.
 */
export async function saveExchange(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  threadId: string | null,
  { question, parentId, answer }: Exchange,
): Promise<{ id: string; user_message_id: string; thread_id: string }> {
  failpoint('answer-composed');
  return await db.transaction().execute(async (trx) => {
    // Serialized per user, so that concurrent tabs create one thread.
    await lockUser(trx, userId);
    const existingThreadId = threadId ?? (await findNewestThreadId(trx, { projectId, userId }));
    if (existingThreadId === null) await requireChatCapacity(trx, { projectId, userId });
    else await requireMessageCapacity(trx, projectId, existingThreadId);
    const thread_id = existingThreadId ?? newId();
    const common = { project_id: projectId, thread_id };
    const questionId = 'id' in question ? question.id : newId();
    const id = newId();
    await trx
      .insertInto('chat_threads')
      .values({ project_id: projectId, id: thread_id, user_id: userId })
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doNothing())
      .execute();
    if ('content' in question) {
      const { content, askedAt: created_at, attachments } = question;
      const questionRow = {
        id: questionId,
        role: 'user' as const,
        content,
        status: 'done' as const,
        created_at,
      };
      await trx
        .insertInto('chat_messages')
        .values({ ...common, ...questionRow, parent_id: parentId })
        .execute();
      await attachToMessage(trx, { projectId, userId }, { messageId: questionId, ids: attachments });
    }
    const { at: created_at, freshness: indexFreshness, readings: offered, ...rest } = answer;
    const { steps, context, ...stored } = rest;
    const freshness = JSON.stringify(indexFreshness);
    const readings = offered.length === 0 ? null : JSON.stringify(offered);
    await trx
      .insertInto('chat_messages')
      .values({
        ...{ ...common, ...stored, freshness, readings },
        ...{ steps: JSON.stringify(steps), context: context && JSON.stringify(context) },
        ...{ id, role: 'assistant', created_at, parent_id: questionId },
      })
      .execute();
    const title = 'content' in question ? threadTitle(question.content) : null;
    await trx
      .updateTable('chat_threads')
      .set({ head: id, updated_at: created_at, title: sql`coalesce(title, ${title})` })
      .where('project_id', '=', projectId)
      .where('id', '=', thread_id)
      .execute();
    return { id, user_message_id: questionId, thread_id };
  });
}

async function requireMessageCapacity(
  db: Kysely<Database>,
  projectId: string,
  threadId: string,
): Promise<void> {
  const { count } = await db
    .selectFrom('chat_messages')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .where('thread_id', '=', threadId)
    .executeTakeFirstOrThrow();
  requireRowCapacity('chatMessages', Number(count));
}

/** Finds a message in one of the owner’s threads. Throws `not_found`. */
export async function findMessage(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
): Promise<Selectable<ChatMessagesTable>> {
  const row = await db
    .selectFrom('chat_messages as m')
    .innerJoin('chat_threads as t', (join) =>
      join.onRef('t.project_id', '=', 'm.project_id').onRef('t.id', '=', 'm.thread_id'),
    )
    .selectAll('m')
    .where('m.project_id', '=', projectId)
    .where('m.id', '=', id)
    .where('t.user_id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'message_not_found');
  return row;
}

/** Newest descendant of a message, following the newest reply at each level. */
export async function findBranchTip(db: Kysely<Database>, projectId: string, from: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with recursive below as (
      select id from chat_messages where project_id = ${projectId} and id = ${from}
      union all
      select m.id from below, lateral (
        select id from chat_messages where project_id = ${projectId} and parent_id = below.id order by id desc limit 1
      ) m
    ) select max(id) as id from below`.execute(db);
  return rows[0]!.id;
}

/** Deletes all of the owner's threads in the project. */
export async function clearChat(db: Kysely<Database>, { projectId, userId }: ChatOwner): Promise<void> {
  await db
    .deleteFrom('chat_threads')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute();
}

type Row = Selectable<ChatMessagesTable>;

/** Reads messages of a path, newest first. */
async function readPath(
  db: Kysely<Database>,
  { projectId, head }: MessagePath,
  { skip, limit }: { skip: number; limit: number },
): Promise<Row[]> {
  if (head === null) return [];
  const { rows } = await sql<Row>`
    with recursive path as (
      select m.*, 0 as depth from chat_messages m where m.project_id = ${projectId} and m.id = ${head}
      union all
      select p.*, path.depth + 1 from path
        join chat_messages p on p.project_id = path.project_id and p.id = path.parent_id
       where path.depth < ${skip + limit}
    ) select * from path order by depth offset ${skip} limit ${limit}`.execute(db);
  return rows;
}

/** Ids of sibling messages, by role and parent. */
async function listSiblings(db: Kysely<Database>, { projectId, threadId }: MessagePath, page: Row[]) {
  const siblings = new Map<string, string[]>();
  if (threadId === null || page.length === 0) return siblings;
  const parents = page.flatMap(({ parent_id }) => parent_id ?? []);
  const rows = await db
    .selectFrom('chat_messages')
    .select(['id', 'parent_id', 'role'])
    .where('project_id', '=', projectId)
    .where('thread_id', '=', threadId)
    .where((eb) => eb.or([eb('parent_id', 'is', null), eb('parent_id', 'in', parents.concat(''))]))
    .orderBy('id')
    .limit(MAX_SIBLING_ROWS)
    .execute();
  for (const { id, parent_id, role } of rows) {
    const key = `${role} ${parent_id}`;
    const ids = siblings.get(key) ?? [];
    if (ids.length < MAX_SIBLINGS) ids.push(id);
    siblings.set(key, ids);
  }
  return siblings;
}

/** A stored message as it is sent. */
export function presentMessage(row: Row, attachments: Attachment[] | undefined): ChatMessage {
  const { id, role, content, status, parent_id, model, input_tokens, output_tokens } = row;
  const { freshness, readings, model_source, steps, context } = row;
  const created_at = row.created_at.toISOString();
  return {
    ...{ id, role, content, status, created_at, parent_id },
    ...{ model, input_tokens, output_tokens, freshness },
    ...(readings && { readings }),
    ...(model_source && { model_source }),
    ...(steps && { steps }),
    ...(context && { context }),
    ...(attachments && { attachments }),
  };
}
