import { sql, type Transaction } from 'kysely';
import { MAX_TAG_LENGTH, MAX_TAG_VALUES, MAX_TAGS } from '#contract/error-groups.ts';
import type { Database } from '#db/schema.ts';
import type { ErrorEvent } from '#intake/error-event.ts';

/** Releases and environments of one key; further ones are not counted. */
const MAX_VALUES = 200;
/** Releases of a project that events may name. */
const MAX_EVENT_RELEASES = 5_000;

interface CountedEvent {
  key: string;
  at: Date;
  event: Pick<ErrorEvent, 'tags' | 'release' | 'environment'>;
}

/** Counts events by tag, release and environment, within bounds for each key. The group of each key is locked. */
export async function countValues(
  db: Transaction<Database>,
  projectId: string,
  events: CountedEvent[],
): Promise<void> {
  const values = events.flatMap(({ key, at, event }) =>
    valuesOf(event).map((value) => ({ key, at: at.toISOString(), ...value })),
  );
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
        select o.key, o.kind, o.name, o.value, count(*)::int as count, min(o.at) as first, max(o.at) as last
        from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
          as o(key text, kind text, name text, value text, at timestamptz)
        group by 1, 2, 3, 4
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

function valuesOf({ tags, release, environment }: CountedEvent['event']) {
  const tagValues = Object.entries(tags)
    .slice(0, MAX_TAGS)
    .map(([name, value]) => ({
      kind: 'tag',
      name: name.slice(0, MAX_TAG_LENGTH),
      value: value.slice(0, MAX_TAG_LENGTH),
    }));
  return [
    ...tagValues,
    ...(release ? [{ kind: 'release', name: '', value: release.slice(0, MAX_TAG_LENGTH) }] : []),
    ...(environment ? [{ kind: 'environment', name: '', value: environment.slice(0, MAX_TAG_LENGTH) }] : []),
  ];
}

/** Records when events of releases were first and last seen. */
export async function recordReleases(
  db: Transaction<Database>,
  projectId: string,
  events: CountedEvent[],
): Promise<void> {
  const seen = events.flatMap(({ at, event: { release } }) =>
    release ? [{ version: release.slice(0, MAX_TAG_LENGTH), at: at.toISOString() }] : [],
  );
  if (seen.length === 0) return;
  await sql`
    insert into releases as r (project_id, version, first_event, last_event)
    select ${projectId}, o.version, min(o.at), max(o.at)
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as o(version text, at timestamptz)
    where (select count(*) from releases where project_id = ${projectId}) < ${MAX_EVENT_RELEASES}
      or exists (select from releases e where e.project_id = ${projectId} and e.version = o.version)
    group by o.version order by o.version
    on conflict (project_id, version) do update set
      first_event = least(coalesce(r.first_event, excluded.first_event), excluded.first_event),
      last_event = greatest(coalesce(r.last_event, excluded.last_event), excluded.last_event)`.execute(db);
}
