import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ErrorState } from '#contract/error-groups.ts';
import type { IssuesTable } from '#db/issue-tables.ts';
import type { Database } from '#db/schema.ts';

interface PaletteProject {
  id: string;
  shard_generation: string | null;
}

type NamedIssue = Pick<Selectable<IssuesTable>, 'project_id' | 'kind' | 'number' | 'title' | 'state'>;

interface TextQuery {
  userId: string;
  /** Project whose items come first. */
  projectId: string | undefined;
  q: string;
  limit: number;
}

/** Lists the projects of a user, the given one first, then the most recently indexed. */
export async function listPaletteProjects(
  db: Kysely<Database>,
  { userId, projectId = '' }: Pick<TextQuery, 'userId' | 'projectId'>,
): Promise<PaletteProject[]> {
  return await db
    .selectFrom('projects as p')
    .innerJoin('project_members as m', 'm.project_id', 'p.id')
    .where('m.user_id', '=', userId)
    .select(['p.id', 'p.shard_generation'])
    .orderBy((eb) => eb('p.id', '=', projectId), 'desc')
    .orderBy('p.updated_at', 'desc')
    .execute();
}

/** Newest session of each error whose title has every word. Drafts of others are left out. */
export async function findErrorsByTitle(
  db: Kysely<Database>,
  { userId, projectId = '', q, limit }: TextQuery,
) {
  const { rows } = await sql<{ project_id: string; session_id: string; title: string; state: ErrorState }>`
    select s.project_id, s.id as session_id, s.title, g.state
    from project_members m
    join debug_groups g on g.project_id = m.project_id
    cross join lateral (
      select s.id, s.project_id, s.title from debug_sessions s
      where s.project_id = g.project_id and s.fingerprint = g.fingerprint and (not s.draft or s.user_id = ${userId})
      order by s.created_at desc limit 1
    ) s
    where m.user_id = ${userId} ${hasWords(sql`s.title`, q)}
    order by g.project_id = ${projectId} desc, g.last_seen desc
    limit ${limit}`.execute(db);
  return rows;
}

/** Issues and pull requests whose number is asked for, or whose title has every word; the last updated first. */
export async function findIssuesByTitle(
  db: Kysely<Database>,
  { userId, projectId = '', q, limit }: TextQuery,
) {
  const number = /^[#!]?(\d{1,9})$/.exec(q)?.[1] ?? null;
  const matches = number === null ? hasWords(sql`i.title`, q) : sql`and i.number = ${Number(number)}`;
  const { rows } = await sql<NamedIssue>`
    select i.project_id, i.kind, i.number, i.title, i.state
    from issues i
    join project_members m on m.project_id = i.project_id and m.user_id = ${userId}
    where true ${matches}
    order by i.project_id = ${projectId} desc, i.updated_at desc nulls last
    limit ${limit}`.execute(db);
  return rows;
}

/** The user's own chats whose title has every word, last used first. */
export async function findChatsByTitle(
  db: Kysely<Database>,
  { userId, projectId = '', q, limit }: TextQuery,
) {
  const { rows } = await sql<{ project_id: string; thread_id: string; title: string }>`
    select t.project_id, t.id as thread_id, t.title
    from chat_threads t
    join project_members m on m.project_id = t.project_id and m.user_id = ${userId}
    where t.user_id = ${userId} and t.title is not null and t.session_id is null ${hasWords(sql`t.title`, q)}
    order by t.project_id = ${projectId} desc, t.updated_at desc
    limit ${limit}`.execute(db);
  return rows;
}

const MAX_WORDS = 6;

function hasWords(column: RawBuilder<unknown>, q: string): RawBuilder<unknown> {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  return sql.join(
    words.map((word) => sql`and strpos(lower(${column}), ${word}) > 0`),
    sql` `,
  );
}
