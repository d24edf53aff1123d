import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type ErrorGroup,
  type ErrorState,
  type errorGroupRoutes,
  OCCURRENCE_WEEKS,
} from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { RouteData } from '#contract/route.ts';
import type { Database } from '#db/schema.ts';

type Filters = RouteData<typeof errorGroupRoutes.list>['query'];

interface GroupRow extends Omit<ErrorGroup, 'weeks' | 'first_seen' | 'last_seen' | 'state_changed_at'> {
  fingerprint: string;
  first_seen: Date;
  last_seen: Date;
  state_changed_at: Date | null;
  /** `last_seen` in full precision. */
  position: string;
}

/** Lists a page of the errors in the user's projects, last seen first. Errors that only drafts of others show are left out. */
export async function listErrorGroups(
  db: Kysely<Database>,
  userId: string,
  { project_id, limit, cursor, ...filters }: Filters,
): Promise<{ errors: ErrorGroup[]; next_cursor: string | null }> {
  const after = cursor === undefined ? null : parseCursor(cursor);
  const conditions = sql.join(
    [
      sql`g.project_id = m.project_id`,
      ...filterConditions(filters),
      ...(after ? [sql`(g.last_seen, g.id) < (${after.position}::timestamptz, ${after.id})`] : []),
    ],
    sql` and `,
  );
  // Each project contributes at most a page, read in the order of its index.
  const { rows } = await sql<GroupRow>`
    select g.*, p.name as project_name
    from project_members m
    join projects p on p.id = m.project_id
    cross join lateral (
      select g.id, g.project_id, g.fingerprint, g.state, g.state_changed_at, g.count, g.first_seen, g.last_seen,
        g.last_seen::text as position, s.id as session_id, s.title, s.kind, ${FIX_SUGGESTED} as fix_suggested
      from debug_groups g cross join lateral ${newestSession(userId)} s
      where ${conditions}
      order by g.last_seen desc, g.id desc
      limit ${limit + 1}
    ) g
    where m.user_id = ${userId} ${project_id === undefined ? sql`` : sql`and m.project_id = ${project_id}`}
    order by g.last_seen desc, g.id desc
    limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const weeks = await loadWeeks(db, page);
  const last = page.at(-1);
  return {
    errors: page.map((row) => presentGroup(row, weeks)),
    next_cursor: rows.length > limit && last ? formatCursor(last) : null,
  };
}

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
      and exists ${newestSession(userId)}
    group by g.state`.execute(db);
  return {
    open: 0,
    regressed: 0,
    solved: 0,
    ...Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
}

/** The newest session of group `g` that the user may see: a draft is visible to its author alone. */
function newestSession(userId: string) {
  return sql`(
    select s.id, s.title, s.kind from debug_sessions s
    where s.project_id = g.project_id and s.fingerprint = g.fingerprint and (not s.draft or s.user_id = ${userId})
    order by s.created_at desc limit 1
  )`;
}

const FIX_SUGGESTED = sql`(g.state <> 'solved' and exists (
  select from debug_resolutions r
  join debug_sessions s on s.project_id = r.project_id and s.id = r.session_id
  where s.project_id = g.project_id and s.fingerprint = g.fingerprint and r.state = 'suggested'
))`;

function filterConditions({
  state,
  kind,
  q = '',
}: Pick<Filters, 'state' | 'kind' | 'q'>): RawBuilder<unknown>[] {
  const text = q.trim();
  return [
    ...(state === 'unsolved' ? [sql`g.state <> 'solved'`] : state ? [sql`g.state = ${state}`] : []),
    ...(kind ? [sql`s.kind = ${kind}`] : []),
    ...(text === '' ? [] : [sql`s.title ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`]),
  ];
}

const WEEK_DAYS = 7;

/** Occurrences of each group by week, the current one last. */
async function loadWeeks(db: Kysely<Database>, groups: GroupRow[]): Promise<Map<string, number[]>> {
  const weeks = new Map(groups.map(({ id }) => [id, Array<number>(OCCURRENCE_WEEKS).fill(0)]));
  if (groups.length === 0) return weeks;
  const ids = sql.join(groups.map(({ id }) => id));
  const { rows } = await sql<{ id: string; weeks_ago: number; count: number }>`
    select g.id, ((now() at time zone 'utc')::date - d.day) / ${WEEK_DAYS}::int as weeks_ago, sum(d.count)::int as count
    from debug_groups g
    join debug_group_days d on d.project_id = g.project_id and d.fingerprint = g.fingerprint
    where g.id in (${ids}) and d.day > (now() at time zone 'utc')::date - ${OCCURRENCE_WEEKS * WEEK_DAYS}::int
    group by 1, 2`.execute(db);
  for (const { id, weeks_ago: ago, count } of rows) {
    const counts = weeks.get(id);
    if (counts) counts[Math.max(0, OCCURRENCE_WEEKS - 1 - Math.max(0, ago))]! += count;
  }
  return weeks;
}

function presentGroup(row: GroupRow, weeks: Map<string, number[]>): ErrorGroup {
  const { fingerprint: _, position: __, ...group } = row;
  return {
    ...group,
    weeks: weeks.get(row.id) ?? [],
    first_seen: row.first_seen.toISOString(),
    last_seen: row.last_seen.toISOString(),
    state_changed_at: row.state_changed_at?.toISOString() ?? null,
  };
}

function formatCursor({ position, id }: GroupRow): string {
  return Buffer.from(JSON.stringify([position, id])).toString('base64url');
}

/** A time in the form of PostgreSQL. */
const POSITION = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?$/;

/** Throws `bad_request` for a text that is no cursor. */
function parseCursor(cursor: string): { position: string; id: string } {
  try {
    const [position, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    const isValid =
      typeof position === 'string' && POSITION.test(position) && !Number.isNaN(Date.parse(position));
    if (isValid && typeof id === 'string' && /^[\w-]{1,64}$/.test(id)) return { position, id };
  } catch {
    // Reported below.
  }
  throw new AppError('bad_request', 'cursor_invalid');
}
