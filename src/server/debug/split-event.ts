import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { eventCulprit, eventTitle } from '#intake/event-summary.ts';
import { countValues, eventValues } from './count-values.ts';
import { countByKey } from './group-keys.ts';
import { createGroup, lockGroups, recount } from './merge-errors.ts';

interface EventSplit {
  projectId: string;
  from: string;
  eventId: string;
}

interface CountedEvent {
  /** Key of the error that the event is counted by. */
  key: string;
  at: Date;
  event: ErrorEvent;
}

/** Gives one event of an error a key and an error of its own. Returns the id of that error and the key. */
export async function splitEvent(
  db: Kysely<Database>,
  { projectId, from, eventId }: EventSplit,
): Promise<{ id: string; key: string }> {
  return await db.transaction().execute(async (trx) => {
    const [source] = await lockGroups(trx, projectId, [from]);
    if (!source || source.merged_into !== null) throw new AppError('not_found', 'error_not_found');
    const counted = await findEvent(trx, projectId, { fingerprint: source.fingerprint, eventId });
    const { id, fingerprint: key } = await createGroup(trx, projectId, source);
    await trx
      .insertInto('debug_group_keys')
      .values({ project_id: projectId, key, fingerprint: key })
      .execute();
    await uncount(trx, projectId, counted);
    await trx
      .updateTable('error_events')
      .set({ fingerprint: key })
      .where('project_id', '=', projectId)
      .where('id', '=', eventId)
      .execute();
    const { at, event } = counted;
    await countByKey(trx, projectId, [{ key, title: eventTitle(event), times: [at], isEvent: true }]);
    await countValues(trx, projectId, eventValues({ key, at, event }));
    await trx
      .updateTable('debug_groups')
      .set({ culprit: eventCulprit(event), level: event.level })
      .where('project_id', '=', projectId)
      .where('id', '=', id)
      .execute();
    await refreshTimes(trx, projectId, counted);
    await recount(trx, projectId, [source.fingerprint, key]);
    return { id, key };
  });
}

/** Finds an event of a group. Throws `bad_request` for the only occurrence, which has nothing to be split from. */
async function findEvent(
  db: Transaction<Database>,
  projectId: string,
  { fingerprint, eventId }: { fingerprint: string; eventId: string },
): Promise<CountedEvent> {
  const row = await db
    .selectFrom('error_events as e')
    .innerJoin('debug_group_keys as k', (join) =>
      join.onRef('k.project_id', '=', 'e.project_id').onRef('k.key', '=', 'e.fingerprint'),
    )
    .innerJoin('debug_groups as g', (join) =>
      join.onRef('g.project_id', '=', 'k.project_id').onRef('g.fingerprint', '=', 'k.fingerprint'),
    )
    .where('e.project_id', '=', projectId)
    .where('e.id', '=', eventId)
    .where('k.fingerprint', '=', fingerprint)
    .select(['k.key', 'e.occurred_at as at', 'e.event', 'g.count'])
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'error_event_not_found');
  if (row.count === 1) throw new AppError('bad_request', 'error_split_only');
  return { ...row, event: row.event as ErrorEvent };
}

/** Takes an event out of the counts of its key. */
async function uncount(db: Transaction<Database>, projectId: string, counted: CountedEvent): Promise<void> {
  const { key, at } = counted;
  const values = JSON.stringify(eventValues(counted));
  await sql`
    with key as (
      update debug_group_keys set count = count - 1, event_count = event_count - 1
      where project_id = ${projectId} and key = ${key}
    ), days as (
      update debug_group_days set count = count - 1
      where project_id = ${projectId} and key = ${key} and day = (${at}::timestamptz at time zone 'utc')::date
    ), hours as (
      update debug_group_hours set count = count - 1
      where project_id = ${projectId} and key = ${key} and hour = date_trunc('hour', ${at}::timestamptz)
    )
    update debug_group_values v set count = v.count - 1
    from jsonb_to_recordset(${values}::jsonb) as o(kind text, name text, value text)
    where v.project_id = ${projectId} and v.key = ${key} and v.kind = o.kind and v.name = o.name and v.value = o.value`.execute(
    db,
  );
  for (const table of ['debug_group_days', 'debug_group_hours', 'debug_group_values'] as const) {
    await db
      .deleteFrom(table)
      .where('project_id', '=', projectId)
      .where('key', '=', key)
      .where('count', '<=', 0)
      .execute();
  }
}

/** Moves the first and the last time of a key to its stored events, where the event at that time has left. */
async function refreshTimes(db: Transaction<Database>, projectId: string, { key, at }: CountedEvent) {
  await sql`
    update debug_group_keys k set
      first_seen = case when k.first_seen = ${at}::timestamptz then coalesce(e.first, k.first_seen) else k.first_seen end,
      last_seen = case when k.last_seen = ${at}::timestamptz then coalesce(e.last, k.last_seen) else k.last_seen end
    from (
      select min(occurred_at) as first, max(occurred_at) as last from error_events
      where project_id = ${projectId} and fingerprint = ${key}
    ) e
    where k.project_id = ${projectId} and k.key = ${key}`.execute(db);
}
