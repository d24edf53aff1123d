import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Rows of `project_members` that a change of teams may concern. */
interface AccessScope {
  userIds?: string[];
  projectIds?: string[];
}

interface Membership {
  project_id: string;
  user_id: string;
}

/** Changes of `project_members`. */
interface AccessChanges {
  lost: Membership[];
  changed: Membership[];
}

/**
 * Changes teams in a transaction and updates what their members may reach; changes run one after another, so that none misses
 * another one. `change` returns its result and the scope, or null when nothing changed.
 */
export async function changeTeams<T>(
  deps: Pick<Deps, 'db' | 'events'>,
  change: (trx: Transaction<Database>) => Promise<{ result: T; scope: AccessScope | null }>,
): Promise<T> {
  const { result, access } = await deps.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('team access', 0))`.execute(trx);
    const { result, scope } = await change(trx);
    return { result, access: scope && (await syncTeamAccess(trx, scope)) };
  });
  if (access) emitAccessChanges(deps, access);
  return result;
}

/** Sets `team_role` of every member in the scope to their highest role through teams. Idempotent. */
async function syncTeamAccess(trx: Transaction<Database>, scope: AccessScope): Promise<AccessChanges> {
  const within = (alias: string) => sql<boolean>`(
    (${scope.userIds ?? null}::text[] is null or ${sql.ref(`${alias}.user_id`)} = any(${scope.userIds ?? null}::text[]))
    and (${scope.projectIds ?? null}::text[] is null
      or ${sql.ref(`${alias}.project_id`)} = any(${scope.projectIds ?? null}::text[]))
  )`;
  const granted = sql`
    select * from (
      select tp.project_id, tm.user_id, (array_agg(tp.role order by
        array_position(array['owner', 'editor', 'viewer'], tp.role)))[1] as role
      from team_projects tp join team_members tm on tm.team_id = tp.team_id
      group by tp.project_id, tm.user_id
    ) t where ${within('t')}`;
  const added = await sql<Membership>`
    insert into project_members (project_id, user_id, role, team_role)
    select project_id, user_id, role, role from (${granted}) g
    on conflict (project_id, user_id) do update set team_role = excluded.team_role
    where project_members.team_role is distinct from excluded.team_role
    returning project_id, user_id`.execute(trx);
  const isStale = sql<boolean>`m.team_role is not null and ${within('m')} and not exists (
    select 1 from team_projects tp join team_members tm on tm.team_id = tp.team_id
    where tp.project_id = m.project_id and tm.user_id = m.user_id)`;
  const lost = await sql<Membership>`
    delete from project_members m where m.direct_role is null and ${isStale}
    returning m.project_id, m.user_id`.execute(trx);
  const kept = await sql<Membership>`
    update project_members m set team_role = null where ${isStale}
    returning m.project_id, m.user_id`.execute(trx);
  return { lost: lost.rows, changed: [...added.rows, ...kept.rows] };
}

function emitAccessChanges({ events }: Pick<Deps, 'events'>, { lost, changed }: AccessChanges): void {
  for (const [projectId, rows] of Map.groupBy(lost, (row) => row.project_id)) {
    events.emit({ type: 'project-removed', projectId, userIds: rows.map(({ user_id }) => user_id) });
  }
  for (const projectId of new Set(changed.map((row) => row.project_id))) {
    events.emit({ type: 'project-changed', projectId });
  }
}

/** Removes users from a team, or all with `null`; returns those who were members. */
export async function deleteTeamMembers(
  trx: Kysely<Database>,
  teamId: string,
  userIds: string[] | null,
): Promise<string[]> {
  if (userIds?.length === 0) return [];
  const rows = await trx
    .deleteFrom('team_members')
    .where('team_id', '=', teamId)
    .$if(userIds !== null, (query) => query.where('user_id', 'in', userIds!))
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Adds users to a team; those who are members stay as they are. */
export async function insertTeamMembers(
  trx: Kysely<Database>,
  { teamId, userIds, source }: { teamId: string; userIds: string[]; source: string },
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await trx
    .insertInto('team_members')
    .values(userIds.map((user_id) => ({ team_id: teamId, user_id, role: 'member' as const, source })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}
