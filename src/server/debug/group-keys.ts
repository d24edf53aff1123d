import { type Selectable, sql, type Transaction } from 'kysely';
import type { DebugGroupsTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';

/** A key, and the fingerprints that older versions computed for the same error. */
interface KeyWithFormer {
  key: string;
  formerKeys?: string[] | undefined;
}

/**
 * Finds or creates the groups of keys, and locks them until the transaction ends. A new key joins the group of a former one.
 * New groups have a count of 0.
 */
export async function lockGroupsOf(
  db: Transaction<Database>,
  projectId: string,
  keys: KeyWithFormer[],
): Promise<Map<string, Selectable<DebugGroupsTable>>> {
  const wanted = [...new Set(keys.flatMap(({ key, formerKeys = [] }) => [key, ...formerKeys]))];
  const known = await findGroupsOf(db, projectId, wanted);
  const missing = keys
    .filter(({ key }) => !known.has(key))
    // One order for all transactions, so that two of them cannot wait for each other.
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, formerKeys = [] } of missing) {
    const former = formerKeys.map((one) => known.get(one)).find((found) => found !== undefined);
    await createKey(db, { projectId, key, fingerprint: former ?? key });
  }
  const fingerprintOf = missing.length === 0 ? known : await findGroupsOf(db, projectId, wanted);
  const groups = await db
    .selectFrom('debug_groups')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('fingerprint', 'in', [...new Set(keys.map(({ key }) => fingerprintOf.get(key)!))])
    .orderBy('id')
    .forUpdate()
    .execute();
  const byFingerprint = new Map(groups.map((group) => [group.fingerprint, group]));
  return new Map(keys.map(({ key }) => [key, byFingerprint.get(fingerprintOf.get(key)!)!]));
}

async function findGroupsOf(
  db: Transaction<Database>,
  projectId: string,
  keys: string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('debug_group_keys')
    .select(['key', 'fingerprint'])
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map(({ key, fingerprint }) => [key, fingerprint]));
}

async function createKey(
  db: Transaction<Database>,
  { projectId: project_id, key, fingerprint }: { projectId: string; key: string; fingerprint: string },
): Promise<void> {
  if (fingerprint === key) {
    await db
      .insertInto('debug_groups')
      .values({ project_id, fingerprint, count: 0 })
      .onConflict((conflict) => conflict.columns(['project_id', 'fingerprint']).doNothing())
      .execute();
  }
  await db
    .insertInto('debug_group_keys')
    .values({ project_id, key, fingerprint })
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
    .execute();
}

/** Occurrences of one key. */
interface KeyCount {
  key: string;
  title: string | null;
  /** Oldest first. */
  times: Date[];
  isEvent: boolean;
}

/** Adds occurrences to the counts of their keys, in total, by day and by hour. Each key is once in the list. */
export async function countByKey(
  db: Transaction<Database>,
  projectId: string,
  counts: KeyCount[],
): Promise<void> {
  const keys = counts.map(({ key, title, times, isEvent }) => ({
    ...{ key, title, count: times.length, events: isEvent ? times.length : 0 },
    ...{ first: times[0]!.toISOString(), last: times.at(-1)!.toISOString() },
  }));
  const days = countPeriods(counts, (at) => at.slice(0, '2026-05-31'.length));
  const hours = countPeriods(counts, (at) => `${at.slice(0, '2026-05-31T10'.length)}:00:00Z`);
  await sql`
    with keys as (
      update debug_group_keys k set
        count = k.count + o.count, event_count = k.event_count + o.events,
        title = case when o.title is null or (k.count > 0 and o.last < k.last_seen) then k.title else o.title end,
        first_seen = case when k.count = 0 then o.first else least(k.first_seen, o.first) end,
        last_seen = case when k.count = 0 then o.last else greatest(k.last_seen, o.last) end
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        as o(key text, title text, count integer, events integer, first timestamptz, last timestamptz)
      where k.project_id = ${projectId} and k.key = o.key
    ), days as (
      insert into debug_group_days as d (project_id, key, day, count)
        select ${projectId}, o.key, o.period, o.count
        from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as o(key text, period date, count integer)
        order by 2, 3
      on conflict (project_id, key, day) do update set count = d.count + excluded.count
    )
    insert into debug_group_hours as h (project_id, key, hour, count)
      select ${projectId}, o.key, o.period, o.count
      from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) as o(key text, period timestamptz, count integer)
      order by 2, 3
    on conflict (project_id, key, hour) do update set count = h.count + excluded.count`.execute(db);
}

/** Counts the occurrences of each key in each period; `periodOf` receives ISO times. */
function countPeriods(counts: KeyCount[], periodOf: (at: string) => string) {
  return counts.flatMap(({ key, times }) =>
    [...Map.groupBy(times, (at) => periodOf(at.toISOString()))].map(([period, list]) => {
      return { key, period, count: list.length };
    }),
  );
}
