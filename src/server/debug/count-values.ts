import { type Selectable, sql, type Transaction } from 'kysely';
import { MAX_TAG_LENGTH, MAX_TAG_VALUES, MAX_TAGS } from '#contract/error-groups.ts';
import type { DebugGroupValuesTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import type { GroupEffect } from './record-occurrences.ts';

/** Releases and environments of one key; further ones are not counted. */
const MAX_VALUES = 200;
/** Releases of a project that events may name. */
const MAX_EVENT_RELEASES = 5_000;

interface CountedEvent {
  key: string;
  at: Date;
  event: Pick<ErrorEvent, 'tags' | 'release' | 'environment'>;
}

/** A value of one event of a key. */
interface CountedValue extends Pick<Selectable<DebugGroupValuesTable>, 'key' | 'kind' | 'name' | 'value'> {
  /** ISO time. */
  at: string;
}

/** Counts values of events within bounds for each key. The group of each key is locked. */
export async function countValues(
  db: Transaction<Database>,
  projectId: string,
  values: CountedValue[],
): Promise<void> {
  if (values.length === 0) return;
  const keys = [...new Set(values.map(({ key }) => key))];
  await sql`
    with existing as (
      select key, kind, name, count(*) as count from debug_group_values
      where project_id = ${projectId} and key = any(${keys}::text[]) group by 1, 2, 3
    )
    insert into debug_group_values as v (project_id, key, kind, name, value, count, first_seen, last_seen)
    select ${projectId}, i.key, i.kind, i.name, i.value, i.count, i.first, i.last
    from (
      select i.*, e.key is not null as is_known,
        row_number() over (partition by i.key, i.kind, i.name, e.key is null order by i.count desc, i.value) as rank,
        row_number() over (partition by i.key, i.kind, e.key is null order by i.name, i.count desc, i.value) as total_rank
      from (
        select o.* from jsonb_to_recordset(${JSON.stringify(summarize(values))}::jsonb)
          as o(key text, kind text, name text, value text, count integer, first timestamptz, last timestamptz)
      ) i
      left join debug_group_values e on e.project_id = ${projectId} and e.key = i.key and e.kind = i.kind
        and e.name = i.name and e.value = i.value
    ) i
    left join existing n on n.key = i.key and n.kind = i.kind and n.name = i.name
    left join (select key, kind, sum(count) as count from existing group by 1, 2) t on t.key = i.key and t.kind = i.kind
    where i.is_known
      or (i.kind <> 'tag' and coalesce(t.count, 0) + i.total_rank <= ${MAX_VALUES})
      or (i.kind = 'tag' and coalesce(n.count, 0) + i.rank <= ${MAX_TAG_VALUES}
        and coalesce(t.count, 0) + i.total_rank <= ${MAX_TAGS * MAX_TAG_VALUES})
    order by i.key, i.kind, i.name, i.value
    on conflict (project_id, key, kind, name, value) do update set
      count = v.count + excluded.count,
      first_seen = least(v.first_seen, excluded.first_seen),
      last_seen = greatest(v.last_seen, excluded.last_seen)`.execute(db);
}

/** Counts equal values, with the first and the last time of each. */
function summarize(values: CountedValue[]) {
  const groups = new Map<string, CountedValue & { count: number; first: string; last: string }>();
  for (const value of values) {
    const id = JSON.stringify([value.key, value.kind, value.name, value.value]);
    const group = groups.get(id) ?? { ...value, count: 0, first: value.at, last: value.at };
    group.count += 1;
    if (value.at < group.first) group.first = value.at;
    if (value.at > group.last) group.last = value.at;
    groups.set(id, group);
  }
  return [...groups.values()];
}

/** Tags, release and environment of an event. */
export function eventValues({
  key,
  at,
  event: { tags, release, environment },
}: CountedEvent): CountedValue[] {
  const value = (kind: CountedValue['kind'], name: string, text: string): CountedValue => ({
    ...{ key, kind, at: at.toISOString() },
    ...{ name: name.slice(0, MAX_TAG_LENGTH), value: text.slice(0, MAX_TAG_LENGTH) },
  });
  return [
    ...Object.entries(tags)
      .slice(0, MAX_TAGS)
      .map(([name, text]) => value('tag', name, text)),
    ...(release ? [value('release', '', release)] : []),
    ...(environment ? [value('environment', '', environment)] : []),
  ];
}

/** Release in which a solved error came back, as a value of its key; none for other effects. */
export function regressionValue({
  key,
  recurrence,
}: Pick<GroupEffect, 'key' | 'recurrence'>): CountedValue[] {
  if (!recurrence?.release) return [];
  const value = recurrence.release.slice(0, MAX_TAG_LENGTH);
  return [{ key, kind: 'regression', name: '', value, at: recurrence.at.toISOString() }];
}

/** Records when events of releases were first and last seen. */
export async function recordReleases(
  db: Transaction<Database>,
  projectId: string,
  events: CountedEvent[],
): Promise<void> {
  const named = events.filter(({ event: { release } }) => release);
  const seen = [...Map.groupBy(named, ({ event: { release } }) => release!.slice(0, MAX_TAG_LENGTH))].map(
    ([version, list]) => {
      const times = list.map(({ at }) => at.toISOString()).sort();
      return { version, first: times[0]!, last: times.at(-1)! };
    },
  );
  if (seen.length === 0) return;
  await sql`
    insert into releases as r (project_id, version, first_event, last_event)
    select ${projectId}, o.version, o.first, o.last
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as o(version text, first timestamptz, last timestamptz)
    where (select count(*) from releases where project_id = ${projectId}) < ${MAX_EVENT_RELEASES}
      or exists (select from releases e where e.project_id = ${projectId} and e.version = o.version)
    order by o.version
    on conflict (project_id, version) do update set
      first_event = least(coalesce(r.first_event, excluded.first_event), excluded.first_event),
      last_event = greatest(coalesce(r.last_event, excluded.last_event), excluded.last_event)`.execute(db);
}
