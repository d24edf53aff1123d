import { type Kysely, sql } from 'kysely';
import type { errorValueRoutes } from '#contract/error-values.ts';
import type { RouteData } from '#contract/route.ts';
import type { Database } from '#db/schema.ts';

type ValueQuery = RouteData<typeof errorValueRoutes.list>['query'];

const MAX_VALUES = 20;
/** Largest `integer` of PostgreSQL. */
const MAX_COUNT = 2 ** 31 - 1;

/** Lists values that errors of the user's projects, or of one of them, can be filtered by, most frequent first. */
export async function listErrorValues(
  db: Kysely<Database>,
  userId: string,
  { project_id: projectId, field, q }: ValueQuery,
): Promise<{ value: string; count: number }[]> {
  const [name, value] = field === 'tag' ? splitTag(q.trim()) : ['', q.trim()];
  const isName = value === null;
  const { rows } = await sql<{ value: string; count: number }>`
    select ${isName ? sql`v.name` : sql`v.value`} as value, least(sum(v.count), ${MAX_COUNT})::int as count
    from project_members m join debug_group_values v on v.project_id = m.project_id
    where m.user_id = ${userId} ${projectId === undefined ? sql`` : sql`and m.project_id = ${projectId}`}
      and v.kind = ${field}
      and ${isName ? sql`v.name ilike ${`${escapeLike(name)}%`}` : sql`v.name = ${name} and v.value ilike ${`%${escapeLike(value)}%`}`}
    group by 1 order by count desc, value limit ${MAX_VALUES}`.execute(db);
  if (field !== 'tag') return rows;
  return rows.map((row) => ({ ...row, value: isName ? `${row.value}:` : `${name}:${row.value}` }));
}

/** Name and part of the value of a tag; null for the value while the name is being written. */
function splitTag(text: string): [string, string | null] {
  const colon = text.indexOf(':');
  return colon < 0 ? [text, null] : [text.slice(0, colon), text.slice(colon + 1)];
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
