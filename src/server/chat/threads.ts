import { type Kysely, sql } from 'kysely';
import type { ChatThread } from '#contract/chat.ts';
import { AppError } from '#contract/errors.ts';
import { firstLine } from '#contract/first-line.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import { lockUser } from '../identity/user-store.ts';
import { requireChatCapacity } from '../project-data/row-limits.ts';

/** User and project of a chat. */
export interface ChatOwner {
  projectId: string;
  userId: string;
}

const MAX_THREADS = 200;
const MAX_TITLE_LENGTH = 80;
/** Title of a thread without messages. */
const UNTITLED = 'New chat';
/** Characters around a search match. */
const EXCERPT_LENGTH = 120;

/**
 * Lists the owner’s threads and those shared with them, most recently used first; with `q`, only those that contain
 * it.
 */
export async function listThreads(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  q: string | undefined,
): Promise<ChatThread[]> {
  const needle = q?.trim().toLowerCase() || null;
  const { rows } = await sql<ThreadRow>`
    select t.id, t.title, t.created_at, t.updated_at, t.shared, t.session_id, u.username,
           (t.user_id = ${userId}) as "isOwn",
           (select count(*)::int from chat_messages m where m.project_id = t.project_id and m.thread_id = t.id) as messages,
           hit.content
      from chat_threads t
      join users u on u.id = t.user_id
      left join lateral (
        select m.content from chat_messages m
         where m.project_id = t.project_id and m.thread_id = t.id
           and ${needle}::text is not null and strpos(lower(m.content), ${needle ?? ''}) > 0
         order by m.id desc limit 1
      ) hit on true
     where t.project_id = ${projectId} and (t.user_id = ${userId} or (t.shared and not ${isPrivate('t')}))
       and (${needle}::text is null or hit.content is not null or strpos(lower(coalesce(t.title, '')), ${needle ?? ''}) > 0)
     order by t.updated_at desc, t.id desc
     limit ${MAX_THREADS}`.execute(db);
  return rows.map((row) => presentThread(row, needle));
}

interface ThreadRow {
  id: string;
  title: string | null;
  created_at: Date;
  updated_at: Date;
  shared: boolean;
  session_id: string | null;
  username: string;
  isOwn: boolean;
  messages: number;
  content: string | null;
}

function presentThread(
  { title, content, isOwn, username, ...row }: ThreadRow,
  needle: string | null,
): ChatThread {
  const { id, messages, shared, session_id } = row;
  return {
    ...{ id, message_count: messages, shared, session_id },
    title: title ?? UNTITLED,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    owner: isOwn ? null : username,
    excerpt: content && needle ? excerpt(content, needle) : null,
  };
}

function excerpt(content: string, needle: string): string {
  const at = Math.max(0, content.toLowerCase().indexOf(needle) - EXCERPT_LENGTH / 2);
  const cut = content
    .slice(at, at + EXCERPT_LENGTH)
    .replace(/\s+/g, ' ')
    .trim();
  return `${at > 0 ? '…' : ''}${cut}${at + EXCERPT_LENGTH < content.length ? '…' : ''}`;
}

/**
 * Finds a thread that the caller may read: their own or a shared one; without an id their newest, or an empty
 * result without threads. Throws `not_found`.
 */
export async function findReadableThread(
  db: Kysely<Database>,
  owner: ChatOwner,
  id: string | undefined,
): Promise<{ threadId: string | null; head: string | null; title: string; isOwn: boolean }> {
  const requestedId = id ?? (await findNewestThreadId(db, owner));
  if (requestedId === null) return { threadId: null, head: null, title: UNTITLED, isOwn: true };
  const row = await db
    .selectFrom('chat_threads')
    .select(['id', 'head', 'title', 'user_id', 'shared'])
    .select(isPrivate('chat_threads').as('private'))
    .where('project_id', '=', owner.projectId)
    .where('id', '=', requestedId)
    .executeTakeFirst();
  const isOwn = row?.user_id === owner.userId;
  if (!row || !(isOwn || (row.shared && !row.private))) throw new AppError('not_found', 'chat_not_found');
  return { threadId: row.id, head: row.head, title: row.title ?? UNTITLED, isOwn };
}

/** Like `findReadableThread`, restricted to the caller’s own threads. */
export async function findOwnThread(db: Kysely<Database>, owner: ChatOwner, id: string | undefined) {
  const thread = await findReadableThread(db, owner, id);
  if (!thread.isOwn) throw new AppError('not_found', 'chat_not_found');
  return thread;
}

/** True for a thread with an answer that includes its owner's unpushed branch, or that follows up one about it. */
function isPrivate(thread: 't' | 'chat_threads') {
  const column = (name: string) => sql.ref(`${thread}.${name}`);
  return sql<boolean>`(exists (
      select from chat_messages m
       where m.project_id = ${column('project_id')} and m.thread_id = ${column('id')}
         and m.freshness->'own_branch'->>'name' is not null
    ) or exists (
      select from debug_sessions s
       where s.project_id = ${column('project_id')} and s.id = ${column('session_id')} and s.draft
    ))`;
}

/** Throws `conflict` for a thread that its owner alone may read. */
export async function requireShareable(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
): Promise<void> {
  const thread = await db
    .selectFrom('chat_threads')
    .select(isPrivate('chat_threads').as('private'))
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (thread?.private) throw new AppError('conflict', 'chat_has_branch', { reason: 'chat_has_branch' });
}

/** True for a thread that other members may read; false without one. */
export async function isSharedThread(
  db: Kysely<Database>,
  { projectId }: ChatOwner,
  id: string | null,
): Promise<boolean> {
  if (id === null) return false;
  const thread = await db
    .selectFrom('chat_threads')
    .select('shared')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return thread?.shared ?? false;
}

/** Id of the owner’s newest thread that is not a follow-up of a debug session. */
export async function findNewestThreadId(db: Kysely<Database>, { projectId, userId }: ChatOwner) {
  const row = await db
    .selectFrom('chat_threads')
    .select('id')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('session_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Creates a thread, or returns an existing empty one. */
export async function createThread(db: Kysely<Database>, { projectId, userId }: ChatOwner): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const newest = await findNewestThreadId(trx, { projectId, userId });
    const thread = newest === null ? null : await findReadableThread(trx, { projectId, userId }, newest);
    if (thread?.threadId && thread.head === null) return thread.threadId;
    await requireChatCapacity(trx, { projectId, userId });
    const id = newId();
    await trx.insertInto('chat_threads').values({ project_id: projectId, id, user_id: userId }).execute();
    return id;
  });
}

/** Updates one of the owner’s threads. Throws `not_found`. */
export async function updateThread(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
  changes: { title?: string; shared?: boolean; head?: string },
): Promise<void> {
  const columns = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  if (Object.keys(columns).length === 0) return void (await findOwnThread(db, { projectId, userId }, id));
  const { numUpdatedRows } = await db
    .updateTable('chat_threads')
    .set(columns)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('not_found', 'chat_not_found');
}

/** Deletes one of the owner’s threads. Throws `not_found`. */
export async function deleteThread(
  db: Kysely<Database>,
  { projectId, userId }: ChatOwner,
  id: string,
): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('chat_threads')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('not_found', 'chat_not_found');
}

/** Title from the first line of the first question. */
export function threadTitle(question: string): string {
  const line = firstLine(question.trim()).replace(/[`*_#]/g, '');
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1).trimEnd()}…` : line;
}
