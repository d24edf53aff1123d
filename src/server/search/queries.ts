import { type Kysely, type RawBuilder, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { SearchResult } from '#contract/search-results.ts';
import { MAX_SAVED_SEARCHES, type SavedSearch } from '#contract/search-saved.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { SearchFilters } from '#search/projects/search-scope.ts';
import { lockUser } from '../identity/user-store.ts';

type ErrorResult = Extract<SearchResult, { kind: 'error' }>;
type ChatResult = Extract<SearchResult, { kind: 'chat' }>;

/** Errors or chats that a search counts. */
export const MAX_TEXT_MATCHES = 500;
const MAX_WORDS = 10;
const UNTITLED = 'New chat';
/** Characters around a match. */
const EXCERPT_LENGTH = 160;

export interface TextSearch {
  userId: string;
  projectIds: readonly string[];
  text: string;
  filters: Pick<SearchFilters, 'author' | 'date'>;
}

/** Errors with every word in their title, their text or the cause of their newest answer, newest first. */
export async function findErrors(db: Kysely<Database>, search: TextSearch): Promise<ErrorResult[]> {
  const { userId, projectIds, filters } = search;
  const searched = sql`lower(s.title || ' ' || coalesce(s.request->>'error_message', '') || ' ' || coalesce(s.cause, ''))`;
  const { rows } = await sql<Omit<ErrorResult, 'kind' | 'timestamp'> & { created_at: Date }>`
    select * from (
      select distinct on (s.project_id, s.fingerprint)
        s.project_id, s.id as session_id, s.title, s.cause, coalesce(g.state, 'open') as state, u.username as author,
        s.created_at
      from debug_sessions s
      join users u on u.id = s.user_id
      left join debug_groups g on g.project_id = s.project_id and g.fingerprint = s.fingerprint
      where s.project_id = any(${[...projectIds]}::text[]) and (not s.draft or s.user_id = ${userId})
        ${wordConditions(searched, search.text)} ${filterConditions(filters, sql`s.created_at`)}
      order by s.project_id, s.fingerprint, s.created_at desc
    ) found
    order by created_at desc limit ${MAX_TEXT_MATCHES + 1}`.execute(db);
  return rows.map(({ created_at, ...row }) => ({
    kind: 'error',
    ...row,
    timestamp: created_at.toISOString(),
  }));
}

/** Chats of the user, and those shared with them, with every word in the title or in one message; newest first. */
export async function findChats(db: Kysely<Database>, search: TextSearch): Promise<ChatResult[]> {
  const { userId, projectIds, filters, text } = search;
  const { rows } = await sql<{
    project_id: string;
    thread_id: string;
    title: string | null;
    content: string | null;
    author: string;
    updated_at: Date;
  }>`
    select t.project_id, t.id as thread_id, t.title, hit.content, u.username as author, t.updated_at
    from chat_threads t
    join users u on u.id = t.user_id
    left join lateral (
      select m.content from chat_messages m
      where m.project_id = t.project_id and m.thread_id = t.id ${wordConditions(sql`lower(m.content)`, text)}
      order by m.id desc limit 1
    ) hit on true
    where t.project_id = any(${[...projectIds]}::text[]) and (t.user_id = ${userId} or t.shared) and t.head is not null
      and (hit.content is not null or (true ${wordConditions(sql`lower(coalesce(t.title, ''))`, text)}))
      ${filterConditions(filters, sql`t.updated_at`)}
    order by t.updated_at desc limit ${MAX_TEXT_MATCHES + 1}`.execute(db);
  return rows.map(({ title, content, updated_at, ...row }) => ({
    kind: 'chat',
    ...row,
    title: title ?? UNTITLED,
    excerpt: content && excerptAround(content, wordsOf(text)[0] ?? ''),
    timestamp: updated_at.toISOString(),
  }));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

function wordConditions(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const conditions = wordsOf(text).map((word) => sql`and strpos(${column}, ${word}) > 0`);
  return sql.join(conditions, sql` `);
}

function filterConditions(
  { author, date }: TextSearch['filters'],
  time: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const has = (value: string) => sql`strpos(lower(u.username), ${value.toLowerCase()}) > 0`;
  const conditions = [
    ...(author.include.length > 0 ? [sql`and (${sql.join(author.include.map(has), sql` or `)})`] : []),
    ...author.exclude.map((value) => sql`and not ${has(value)}`),
    ...(date?.since != null ? [sql`and ${time} >= to_timestamp(${date.since})`] : []),
    ...(date?.until != null ? [sql`and ${time} < to_timestamp(${date.until})`] : []),
  ];
  return sql.join(conditions, sql` `);
}

function excerptAround(content: string, word: string): string {
  const at = Math.max(0, content.toLowerCase().indexOf(word) - EXCERPT_LENGTH / 3);
  const cut = content
    .slice(at, at + EXCERPT_LENGTH)
    .replace(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${at > 0 ? '…' : ''}${cut}${at + EXCERPT_LENGTH < content.length ? '…' : ''}`;
}

/** Lists the searches that a user has saved, by name. */
export async function listSavedSearches(db: Kysely<Database>, userId: string): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('saved_searches')
    .select(['id', 'name', 'query', 'match', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy(sql`lower(name)`)
    .limit(MAX_SAVED_SEARCHES)
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Saves a search under its name. Throws `too_large` over the limit per user. */
export async function saveSearch(
  db: Kysely<Database>,
  userId: string,
  values: Pick<SavedSearch, 'name' | 'query' | 'match'>,
): Promise<SavedSearch> {
  return await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const others = (await listSavedSearches(trx, userId)).filter(({ name }) => name !== values.name);
    if (others.length >= MAX_SAVED_SEARCHES) {
      throw new AppError('too_large', 'saved_search_limit_reached', {
        params: { limit: MAX_SAVED_SEARCHES },
        reason: 'saved_search_limit_reached',
      });
    }
    const row = await trx
      .insertInto('saved_searches')
      .values({ id: newId(), user_id: userId, ...values })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'name']).doUpdateSet({ query: values.query, match: values.match }),
      )
      .returning(['id', 'name', 'query', 'match', 'created_at'])
      .executeTakeFirstOrThrow();
    return { ...row, created_at: row.created_at.toISOString() };
  });
}

/** Deletes a saved search of a user. Throws `not_found`. */
export async function deleteSavedSearch(db: Kysely<Database>, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('saved_searches')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('not_found', 'saved_search_not_found');
}
