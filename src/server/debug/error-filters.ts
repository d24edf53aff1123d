import { type RawBuilder, sql } from 'kysely';
import type { errorGroupRoutes } from '#contract/error-groups.ts';
import type { RouteData } from '#contract/route.ts';

type Filters = Omit<
  RouteData<typeof errorGroupRoutes.list>['query'],
  'project_id' | 'limit' | 'cursor' | 'sort'
>;

/** Conditions of the filters on group `g` and its newest answer `s`. */
export function errorFilterConditions(filters: Filters, userId: string): RawBuilder<unknown>[] {
  const { state, kind, q = '', assignee, release, new_in, regressed_in, environment, tag, since } = filters;
  const text = `%${q.trim().replace(/[\\%_]/g, '\\$&')}%`;
  const [tagName = '', tagValue = ''] = tag?.split(/:(.*)/s) ?? [];
  const conditions: [unknown, RawBuilder<unknown>][] = [
    [state, state === 'unsolved' ? sql`g.state in ('open', 'regressed')` : sql`g.state = ${state ?? ''}`],
    [kind, sql`s.kind = ${kind ?? ''}`],
    [q.trim(), sql`(coalesce(nullif(g.title, ''), s.title) ilike ${text} or g.culprit ilike ${text})`],
    [assignee, assigneeCondition(assignee, userId)],
    [release, hasValue('release', '', release ?? '')],
    [new_in, sql`g.first_release = ${new_in ?? ''}`],
    [regressed_in, hasValue('regression', '', regressed_in ?? '')],
    [environment, hasValue('environment', '', environment ?? '')],
    [tag, hasValue('tag', tagName, tagValue)],
    [since, sql`g.last_seen >= ${since ?? ''}::timestamptz`],
  ];
  return conditions.flatMap(([value, condition]) => (value ? [condition] : []));
}

function assigneeCondition(assignee: string | undefined, userId: string): RawBuilder<unknown> {
  if (assignee === 'none') return sql`g.assignee_id is null`;
  return sql`g.assignee_id = ${assignee === 'me' ? userId : (assignee ?? '')}`;
}

/** True for groups with an event of this release or environment or with this tag, or that came back in this release. */
function hasValue(kind: string, name: string, value: string): RawBuilder<unknown> {
  return sql`g.fingerprint in (
    select k.fingerprint from debug_group_values v
    join debug_group_keys k on k.project_id = v.project_id and k.key = v.key
    where v.project_id = g.project_id and v.kind = ${kind} and v.name = ${name} and v.value = ${value}
  )`;
}
