import { type Kysely, type Selectable, sql } from 'kysely';
import { summarizeMessages } from '#assistant/chat/summary.ts';
import { type ChatMessage, type ChatSummary, MAX_BRANCHES } from '#contract/chat.ts';
import { MAX_PAGE, type Standing } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { ChatMessagesTable } from '#db/assistant-tables.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { jsonBytes } from '../project-data/json-size.ts';
import { requireRoomForChat, requireRowRoom } from '../project-data/row-limits.ts';
import { type ChatOwner, findNewestThreadId, threadTitle } from './threads.ts';

/** The part of a thread from its first message down to `head`; null where there is none yet. */
export interface MessagePath {
  projectId: string;
  threadId: string | null;
  head: string | null;
}

/** A question and its answer, or another answer to a question that stands already; ready to be stored. */
export interface Exchange {
  question: { content: string; askedAt: Date } | { id: string };
  /** The message that the question follows; of no meaning for another answer. */
  parentId: string | null;
  answer: Pick<ChatMessage, 'content' | 'status'> & {
    at: Date;
    model: string | null;
    input_tokens: number | null;
    output_tokens: number | null;
    standing: Standing;
  };
}

/** Bytes of JSON of the messages of one page. */
const MAX_PAGE_BYTES = 2 * 2 ** 20;
/** Messages beside those of a page that are looked at for their branches. */
const MAX_SIBLINGS = 10_000;

/** Messages that a summary stands for. */
const SUMMED = 40;
/** The newest messages are in nobody's summary: they are shown, and sent to the model, as they are. */
const FRESH = 20;
/** Older messages than these are summarised no more. */
const MOST_SUMMED = 2_000;

/** A page of a line, in ascending order; `skip` counts from the newest message. */
export async function listMessages(
  db: Kysely<Database>,
  line: MessagePath,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ messages: ChatMessage[]; has_more: boolean }> {
  const rows = await readLine(db, line, { skip, limit: limit + 1 });
  const page = withinBytes(rows.slice(0, limit)).reverse();
  const branches = await branchesOf(db, line, page);
  const messages = page.map((row) => {
    const ids = branches.get(`${row.role} ${row.parent_id}`) ?? [];
    return { ...presentMessage(row), ...(ids.length > 1 && { branches: ids }) };
  });
  return { messages, has_more: rows.length > page.length };
}

/** The newest messages of a line that fit into so many bytes of JSON, in ascending order. */
export async function listNewestMessages(
  db: Kysely<Database>,
  line: MessagePath,
  maxBytes: number,
): Promise<ChatMessage[]> {
  const newestFirst: ChatMessage[] = [];
  for (let bytes = 0; ; ) {
    const page = await listMessages(db, line, { skip: newestFirst.length, limit: MAX_PAGE });
    for (const message of page.messages.reverse()) {
      bytes += jsonBytes(message.content);
      if (bytes > maxBytes) return newestFirst.reverse();
      newestFirst.push(message);
    }
    if (!page.has_more) return newestFirst.reverse();
  }
}

/** The first messages that fit into one reply, at least one; the next page goes on behind them. */
function withinBytes(rows: Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex(({ content }) => {
    bytes += jsonBytes(content);
    return bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

/** The last turns of a line, oldest first, and in short what came before them. */
export async function loadConversationContext(db: Kysely<Database>, line: MessagePath) {
  const { messages } = await listMessages(db, line, { skip: 0, limit: FRESH });
  const summaries = await listSummaries(db, line);
  return { messages, summary: summaries.map(({ content }) => content).join('\n') };
}

/**
 * Summaries of a long chat, oldest first: a model's where one has written it down, else made anew without one. A stretch that
 * has been summarised never changes.
 */
export async function listSummaries(db: Kysely<Database>, line: MessagePath): Promise<ChatSummary[]> {
  const stretches = await listSummaryChunks(db, line);
  return stretches.map(({ messages, written }) => {
    const [first, last] = [messages[0]!, messages.at(-1)!];
    return {
      id: first.id,
      from: first.created_at.toISOString(),
      to: last.created_at.toISOString(),
      content: written?.content ?? summarizeMessages(messages),
      model: written?.model ?? null,
      created_at: (written?.created_at ?? last.created_at).toISOString(),
    };
  });
}

/** The older part of a line, cut into stretches of `SUMMED` messages, each with what a model has written of it. */
export async function listSummaryChunks(db: Kysely<Database>, line: MessagePath) {
  const rows = (await readLine(db, line, { skip: 0, limit: MOST_SUMMED })).reverse();
  const stretches: { messages: Row[]; lastId: string }[] = [];
  for (let start = 0; start + SUMMED + FRESH <= rows.length; start += SUMMED) {
    const messages = rows.slice(start, start + SUMMED);
    stretches.push({ messages, lastId: messages.at(-1)!.id });
  }
  if (stretches.length === 0 || line.threadId === null) return [];
  const written = await db
    .selectFrom('chat_summaries')
    .select(['last_id', 'content', 'model', 'created_at'])
    .where('project_id', '=', line.projectId)
    .where('thread_id', '=', line.threadId)
    .execute();
  const known = new Map(written.map((row) => [row.last_id, row]));
  return stretches.map((stretch) => ({ ...stretch, written: known.get(stretch.lastId) ?? null }));
}

/**
 * Stores a question and its answer together, in the thread or in a first one, and shows their branch: whatever ends the
 * program before leaves neither. Throws `not_found` when the thread has been deleted meanwhile.
 */
export async function saveExchange(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  threadId: string | null,
  { question, parentId, answer }: Exchange,
): Promise<{ id: string; user_message_id: string; thread_id: string }> {
  return await db.transaction().execute(async (trx) => {
    // Serialises one user's first messages, so that two tabs begin one thread.
    await lockUser(trx, userId);
    const known = threadId ?? (await findNewestThreadId(trx, { projectId, userId }));
    if (known === null) await requireRoomForChat(trx, { projectId, userId });
    else await requireRoomForMessage(trx, projectId, known);
    const thread_id = known ?? newId();
    const common = { project_id: projectId, thread_id };
    const asked = 'id' in question ? question.id : newId();
    const id = newId();
    await trx
      .insertInto('chat_threads')
      .values({ project_id: projectId, id: thread_id, user_id: userId })
      .onConflict((conflict) => conflict.columns(['project_id', 'id']).doNothing())
      .execute();
    if ('content' in question) {
      const { content, askedAt: created_at } = question;
      const own = { id: asked, role: 'user' as const, content, status: 'done' as const, created_at };
      await trx
        .insertInto('chat_messages')
        .values({ ...common, ...own, parent_id: parentId })
        .execute();
    }
    const { at: created_at, standing: about, ...written } = answer;
    const standing = JSON.stringify(about);
    await trx
      .insertInto('chat_messages')
      .values({ ...common, ...written, standing, id, role: 'assistant', created_at, parent_id: asked })
      .execute();
    const title = 'content' in question ? threadTitle(question.content) : null;
    await trx
      .updateTable('chat_threads')
      .set({ head: id, updated_at: created_at, title: sql`coalesce(title, ${title})` })
      .where('project_id', '=', projectId)
      .where('id', '=', thread_id)
      .execute();
    return { id, user_message_id: asked, thread_id };
  });
}

async function requireRoomForMessage(
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
  requireRowRoom('chatMessages', Number(count));
}

/** A message of one of the owner's threads. Throws `not_found`. */
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
  if (!row) throw new AppError('not_found', 'Message not found.');
  return row;
}

/** The newest message below one, by the newest answer each time: where a branch ends. */
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

/** Messages of a line, the newest first. */
async function readLine(
  db: Kysely<Database>,
  { projectId, head }: MessagePath,
  { skip, limit }: { skip: number; limit: number },
): Promise<Row[]> {
  if (head === null) return [];
  const { rows } = await sql<Row>`
    with recursive line as (
      select m.*, 0 as depth from chat_messages m where m.project_id = ${projectId} and m.id = ${head}
      union all
      select p.*, line.depth + 1 from line
        join chat_messages p on p.project_id = line.project_id and p.id = line.parent_id
       where line.depth < ${skip + limit}
    ) select * from line order by depth offset ${skip} limit ${limit}`.execute(db);
  return rows;
}

/** Ids of the messages that stand in one place, by role and parent. */
async function branchesOf(db: Kysely<Database>, { projectId, threadId }: MessagePath, page: Row[]) {
  const found = new Map<string, string[]>();
  if (threadId === null || page.length === 0) return found;
  const parents = page.flatMap(({ parent_id }) => parent_id ?? []);
  const rows = await db
    .selectFrom('chat_messages')
    .select(['id', 'parent_id', 'role'])
    .where('project_id', '=', projectId)
    .where('thread_id', '=', threadId)
    .where((eb) => eb.or([eb('parent_id', 'is', null), eb('parent_id', 'in', parents.concat(''))]))
    .orderBy('id')
    .limit(MAX_SIBLINGS)
    .execute();
  for (const { id, parent_id, role } of rows) {
    const key = `${role} ${parent_id}`;
    const ids = found.get(key) ?? [];
    if (ids.length < MAX_BRANCHES) ids.push(id);
    found.set(key, ids);
  }
  return found;
}

function presentMessage(row: Row): ChatMessage {
  const { id, role, content, status, parent_id, model, input_tokens, output_tokens, standing } = row;
  const created_at = row.created_at.toISOString();
  return {
    ...{ id, role, content, status, created_at, parent_id },
    ...{ model, input_tokens, output_tokens, standing },
  };
}
