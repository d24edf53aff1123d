import { type Kysely, sql } from 'kysely';
import {
  type ErrorGroup,
  type ErrorState,
  type errorGroupRoutes,
  OCCURRENCE_WEEKS,
} from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { RouteData } from '#contract/route.ts';
import type { Database } from '#db/schema.ts';
import { isVisibleError, newestSession } from '../project-data/visible-errors.ts';
import { errorFilterConditions } from './error-filters.ts';
import { presentTriage } from './error-state.ts';

type Filters = RouteData<typeof errorGroupRoutes.list>['query'];
type Sort = Filters['sort'];

interface GroupRow
  extends Pick<
    ErrorGroup,
    | 'id'
    | 'project_id'
    | 'project_name'
    | 'title'
    | 'culprit'
    | 'kind'
    | 'level'
    | 'state'
    | 'solved_in'
    | 'solved_after'
    | 'count'
    | 'event_count'
    | 'first_release'
    | 'last_release'
    | 'session_id'
    | 'investigation'
    | 'fix_suggested'
  > {
  assignee_id: string | null;
  assignee: string | null;
  snoozed_until: Date | null;
  snoozed_count: number | null;
  snoozed_release: string | null;
  first_seen: Date;
  last_seen: Date;
  state_changed_at: Date | null;
  /** Value of the sort column in full precision. */
  position: string;
}

const SORT_COLUMNS = {
  last_seen: { column: sql`g.last_seen`, type: sql`timestamptz` },
  first_seen: { column: sql`g.first_seen`, type: sql`timestamptz` },
  count: { column: sql`g.count`, type: sql`integer` },
} satisfies Record<Sort, unknown>;

/** Lists a page of the errors in the user's projects. Errors that only drafts of others show are left out. */
export async function listErrorGroups(
  db: Kysely<Database>,
  userId: string,
  { project_id, limit, cursor, sort, ...filters }: Filters,
): Promise<{ errors: ErrorGroup[]; next_cursor: string | null }> {
  const after = cursor === undefined ? null : parseCursor(cursor, sort);
  const { column, type } = SORT_COLUMNS[sort];
  const conditions = sql.join(
    [
      sql`g.project_id = m.project_id`,
      sql`g.merged_into is null`,
      sql`(s.id is not null or g.event_count > 0)`,
      ...errorFilterConditions(filters, userId),
      ...(after ? [sql`(${column}, g.id) < (${after.position}::${type}, ${after.id})`] : []),
    ],
    sql` and `,
  );
  // Each project contributes at most a page, read in the order of its index.
  const { rows } = await sql<GroupRow>`
    select g.*, p.name as project_name, u.username as assignee
    from project_members m
    join projects p on p.id = m.project_id
    cross join lateral (
      select ${GROUP_COLUMNS}, ${column}::text as position
      from debug_groups g left join lateral ${newestSession(userId)} s on true
      where ${conditions}
      order by ${column} desc, g.id desc
      limit ${limit + 1}
    ) g
    left join users u on u.id = g.assignee_id
    where m.user_id = ${userId} ${project_id === undefined ? sql`` : sql`and m.project_id = ${project_id}`}
    order by ${column} desc, g.id desc
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    errors: await presentGroups(db, page),
    next_cursor: rows.length > limit && last ? formatCursor(last) : null,
  };
}

/** Finds an error of a project that the user may see; null for others and for one that was merged. */
export async function findErrorGroup(
  db: Kysely<Database>,
  userId: string,
  { projectId, errorId }: { projectId: string; errorId: string },
): Promise<ErrorGroup | null> {
  const { rows } = await sql<GroupRow>`
    select ${GROUP_COLUMNS}, '' as position, p.name as project_name, u.username as assignee
    from debug_groups g
    join projects p on p.id = g.project_id
    left join lateral ${newestSession(userId)} s on true
    left join users u on u.id = g.assignee_id
    where g.id = ${errorId} and g.project_id = ${projectId} and ${isVisibleError(userId)}`.execute(db);
  return (await presentGroups(db, rows))[0] ?? null;
}

/** Columns of group `g` with its newest answer `s`. */
const GROUP_COLUMNS = sql`g.id, g.project_id, g.culprit, g.level, g.state, g.solved_in, g.solved_after,
  g.snoozed_until, g.snoozed_count, g.snoozed_release,
  g.assignee_id, g.state_changed_at, g.count, g.event_count, g.first_seen, g.last_seen, g.first_release, g.last_release,
  g.investigation, coalesce(nullif(g.title, ''), s.title, '') as title, s.id as session_id, s.kind,
  (g.state <> 'solved' and exists (
    select from debug_resolutions r
    join debug_sessions s on s.project_id = r.project_id and s.id = r.session_id
    where s.project_id = g.project_id and s.fingerprint = g.fingerprint and r.state = 'suggested'
  )) as fix_suggested`;

/** Counts the errors of the user's projects, or of one of them, by state. */
export async function countErrorGroups(
  db: Kysely<Database>,
  userId: string,
  projectId?: string,
): Promise<Record<ErrorState, number>> {
  const { rows } = await sql<{ state: ErrorState; count: number }>`
    select g.state, count(*)::int as count
    from project_members m join debug_groups g on g.project_id = m.project_id
    where m.user_id = ${userId} ${projectId === undefined ? sql`` : sql`and m.project_id = ${projectId}`}
      and ${isVisibleError(userId)}
    group by g.state`.execute(db);
  return {
    ...{ open: 0, regressed: 0, solved: 0, snoozed: 0, ignored: 0 },
    ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
}

const WEEK_DAYS = 7;

/** Occurrences of each group by week, the current one last. */
async function loadWeeks(db: Kysely<Database>, groups: { id: string }[]): Promise<Map<string, number[]>> {
  const weeks = new Map(groups.map(({ id }) => [id, Array<number>(OCCURRENCE_WEEKS).fill(0)]));
  if (groups.length === 0) return weeks;
  const ids = sql.join(groups.map(({ id }) => id));
  const { rows } = await sql<{ id: string; weeks_ago: number; count: number }>`
    select g.id, ((now() at time zone 'utc')::date - d.day) / ${WEEK_DAYS}::int as weeks_ago, sum(d.count)::int as count
    from debug_groups g
    join debug_group_keys k on k.project_id = g.project_id and k.fingerprint = g.fingerprint
    join debug_group_days d on d.project_id = k.project_id and d.key = k.key
    where g.id in (${ids}) and d.day > (now() at time zone 'utc')::date - ${OCCURRENCE_WEEKS * WEEK_DAYS}::int
    group by 1, 2`.execute(db);
  for (const { id, weeks_ago: ago, count } of rows) {
    const counts = weeks.get(id);
    if (counts) counts[Math.max(0, OCCURRENCE_WEEKS - 1 - Math.max(0, ago))]! += count;
  }
  return weeks;
}

async function presentGroups(db: Kysely<Database>, rows: GroupRow[]): Promise<ErrorGroup[]> {
  const weeks = await loadWeeks(db, rows);
  return rows.map((row) => ({
    ...row,
    ...presentTriage(row),
    weeks: weeks.get(row.id) ?? [],
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
    state_changed_at: row.state_changed_at?.toISOString() ?? null,
  }));
}

function formatCursor({ position, id }: GroupRow): string {
  return Buffer.from(JSON.stringify([position, id])).toString('base64url');
}

/** A time in the form of PostgreSQL, or a count. */
const POSITIONS = {
  time: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/,
  count: /^\d{1,9}$/,
};

/** Throws `bad_request` for a text that is no cursor of this order. */
function parseCursor(cursor: string, sort: Sort): { position: string; id: string } {
  try {
    const [position, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    const isValid =
      typeof position === 'string' &&
      (sort === 'count'
        ? POSITIONS.count.test(position)
        : POSITIONS.time.test(position) && !Number.isNaN(Date.parse(position)));
    if (isValid && typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) return { position, id };
  } catch {
    // Reported below.
  }
  throw new AppError('bad_request', 'cursor_invalid');
}
