import { type Kysely, sql } from 'kysely';
import {
  type ErrorDetail,
  MAX_ERROR_KEYS,
  MAX_TAG_VALUES,
  MAX_TAGS,
  OCCURRENCE_DAYS,
  OCCURRENCE_HOURS,
  type VerdictKind,
} from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { visibleSessions } from '../project-data/debug-sessions.ts';
import { findErrorGroup } from './error-groups.ts';

const MAX_SESSIONS = 20;
/** Merges that lead from one error to another. */
const MAX_MERGES = 20;

/** A group with its keys, of which one reader may see the events. */
export interface ErrorScope {
  id: string;
  projectId: string;
  fingerprint: string;
  keys: string[];
}

/** Finds an error that the user may see, or the one it was merged into. Throws `not_found`. */
export async function findErrorScope(
  db: Kysely<Database>,
  projectId: string,
  errorId: string,
): Promise<ErrorScope> {
  const { rows } = await sql<{ id: string; fingerprint: string }>`
    with recursive chain as (
      select id, fingerprint, merged_into, 1 as depth from debug_groups
      where id = ${errorId} and project_id = ${projectId}
      union all
      select g.id, g.fingerprint, g.merged_into, chain.depth + 1
      from chain join debug_groups g on g.id = chain.merged_into
      where g.project_id = ${projectId} and chain.depth < ${MAX_MERGES}
    )
    select id, fingerprint from chain where merged_into is null`.execute(db);
  const [group] = rows;
  if (!group) throw new AppError('not_found', 'error_not_found');
  const keys = await db
    .selectFrom('debug_group_keys')
    .select('key')
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', group.fingerprint)
    .orderBy('last_seen', 'desc')
    .limit(MAX_ERROR_KEYS)
    .execute();
  return { ...group, projectId, keys: keys.map(({ key }) => key) };
}

/** Loads everything that the page of an error shows, except its newest event. */
export async function loadErrorDetail(
  db: Kysely<Database>,
  userId: string,
  scope: ErrorScope,
): Promise<Omit<ErrorDetail, 'latest' | 'is_editable'>> {
  const error = await findErrorGroup(db, userId, { projectId: scope.projectId, errorId: scope.id });
  if (!error) throw new AppError('not_found', 'error_not_found');
  const [hours, days, values, keys, sessions] = await Promise.all([
    countByTime(db, scope, 'hour'),
    countByTime(db, scope, 'day'),
    loadValues(db, scope),
    loadKeys(db, scope),
    loadSessions(db, userId, scope),
  ]);
  return { error, hours, days, ...values, keys, sessions };
}

/** Occurrences of the last hours or days of UTC, the current one last. */
async function countByTime(db: Kysely<Database>, { projectId, keys }: ErrorScope, unit: 'hour' | 'day') {
  const length = unit === 'hour' ? OCCURRENCE_HOURS : OCCURRENCE_DAYS;
  const { rows } = await (unit === 'hour'
    ? sql<{ ago: number; count: number }>`
        select (extract(epoch from date_trunc('hour', now()) - hour) / 3600)::int as ago, sum(count)::int as count
        from debug_group_hours
        where project_id = ${projectId} and key = any(${keys}::text[])
          and hour > date_trunc('hour', now()) - make_interval(hours => ${length})
        group by 1`.execute(db)
    : sql<{ ago: number; count: number }>`
        select (now() at time zone 'utc')::date - day as ago, sum(count)::int as count
        from debug_group_days
        where project_id = ${projectId} and key = any(${keys}::text[])
          and day > (now() at time zone 'utc')::date - ${length}::int
        group by 1`.execute(db));
  const counts = Array<number>(length).fill(0);
  for (const { ago, count } of rows) counts[Math.max(0, length - 1 - Math.max(0, ago))]! += count;
  return counts;
}

/** Most frequent tags, and releases and environments, over all keys. */
async function loadValues(
  db: Kysely<Database>,
  { projectId, keys }: ErrorScope,
): Promise<Pick<ErrorDetail, 'tags' | 'releases' | 'environments'>> {
  const { rows } = await sql<{
    kind: 'tag' | 'release' | 'environment';
    name: string;
    value: string;
    count: number;
    first: Date;
    last: Date;
  }>`
    select kind, name, value, sum(count)::int as count, min(first_seen) as first, max(last_seen) as last
    from debug_group_values
    where project_id = ${projectId} and key = any(${keys}::text[]) and kind <> 'regression'
    group by 1, 2, 3 order by count desc, value
    limit ${MAX_ERROR_KEYS * MAX_TAGS}`.execute(db);
  const share = ({ value, count }: { value: string; count: number }) => ({ value, count });
  const tags = Map.groupBy(
    rows.filter(({ kind }) => kind === 'tag'),
    ({ name }) => name,
  );
  return {
    tags: [...tags]
      .map(([name, list]) => ({
        name,
        count: list.reduce((sum, { count }) => sum + count, 0),
        values: list.slice(0, MAX_TAG_VALUES).map(share),
      }))
      .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_TAGS),
    releases: rows
      .filter(({ kind }) => kind === 'release')
      .sort((a, b) => Number(b.first) - Number(a.first))
      .slice(0, MAX_TAG_VALUES)
      .map(({ value, count, first, last }) => ({
        ...{ version: value, count, first_seen: first.toISOString(), last_seen: last.toISOString() },
      })),
    environments: rows
      .filter(({ kind }) => kind === 'environment')
      .slice(0, MAX_TAG_VALUES)
      .map(share),
  };
}

async function loadKeys(db: Kysely<Database>, { projectId, fingerprint }: ErrorScope) {
  const rows = await db
    .selectFrom('debug_group_keys')
    .select(['key', 'title', 'count', 'first_seen', 'last_seen'])
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', fingerprint)
    // Keys of older versions have no occurrences of their own once the new ones count.
    .where('count', '>', 0)
    .orderBy('last_seen', 'desc')
    .limit(MAX_ERROR_KEYS)
    .execute();
  return rows.map(({ first_seen, last_seen, ...row }) => ({
    ...row,
    first_seen: first_seen.toISOString(),
    last_seen: last_seen.toISOString(),
  }));
}

async function loadSessions(db: Kysely<Database>, userId: string, { projectId, fingerprint }: ErrorScope) {
  const rows = await visibleSessions(db, userId)
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.title', 's.kind', 's.created_at', 'u.username as author'])
    .where('s.project_id', '=', projectId)
    .where('s.fingerprint', '=', fingerprint)
    .orderBy('s.created_at', 'desc')
    .limit(MAX_SESSIONS)
    .execute();
  return rows.map(({ created_at, kind, ...row }) => ({
    ...row,
    kind: kind as VerdictKind | null,
    created_at: created_at.toISOString(),
  }));
}
