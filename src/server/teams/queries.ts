import { type Kysely, sql } from 'kysely';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import type { Team, TeamDetails, TeamRole } from '#contract/teams.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../identity/access.ts';

type Db = Kysely<Database>;

/** Lists the teams of the caller; all for an administrator. */
export async function listTeams(db: Db, caller: Caller): Promise<Team[]> {
  const rows = await teamRows(db, caller)
    .$if(caller.role !== 'admin', (query) => query.where('m.role', 'is not', null))
    .orderBy(sql`lower(t.name)`)
    .limit(MAX_LIST)
    .execute();
  return rows.map((row) => presentTeam(row, caller));
}

/**
 * Returns a team if the caller is an administrator or a member with at least this role. Throws `not_found` for missing teams and
 * those of others alike, and `read_only` for a lower role.
 */
export async function teamAccess(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  teamId: string,
  minimum: TeamRole,
): Promise<Team> {
  const row = await teamRows(db, caller).where('t.id', '=', teamId).executeTakeFirst();
  if (!row || (row.role === null && caller.role !== 'admin')) throw teamNotFound();
  const team = presentTeam(row, caller);
  if (minimum === 'owner' && team.role !== 'owner') throw new AppError('read_only', 'team_role_too_low');
  return team;
}

/** A team with its members, projects and groups. */
export async function loadTeamDetails(db: Db, caller: Caller, teamId: string): Promise<TeamDetails> {
  const team = await teamAccess({ db }, caller, teamId, 'member');
  const members = await db
    .selectFrom('team_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.user_id', 'u.username', 'u.full_name', 'm.role', 'm.source'])
    .where('m.team_id', '=', teamId)
    .orderBy((eb) => eb('m.role', '=', 'member'))
    .orderBy(sql`lower(u.username)`)
    .limit(MAX_LIST)
    .execute();
  const projects = await db
    .selectFrom('team_projects as tp')
    .innerJoin('projects as p', 'p.id', 'tp.project_id')
    .select(['tp.project_id', 'p.name', 'tp.role'])
    .where('tp.team_id', '=', teamId)
    .orderBy(sql`lower(p.name)`)
    .limit(MAX_LIST)
    .execute();
  const groups = await db
    .selectFrom('team_groups')
    .select(['provider', 'group_name as group'])
    .where('team_id', '=', teamId)
    .orderBy('provider')
    .orderBy('group_name')
    .limit(50)
    .execute();
  const presented = members.map((member) => ({ ...member, is_self: member.user_id === caller.userId }));
  return { ...team, members: presented, projects, groups };
}

/** Throws `conflict` when the team would lose its last owner, which administrators alone could then manage. */
export async function requireOtherOwner(db: Db, teamId: string, userId: string): Promise<void> {
  const owners = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('role', '=', 'owner')
    .execute();
  if (owners.length === 1 && owners[0]!.user_id === userId)
    throw new AppError('conflict', 'last_team_owner', { reason: 'last_owner' });
}

/** The error of a team that does not exist, or that the caller cannot see. */
function teamNotFound(): AppError {
  return new AppError('not_found', 'team_not_found');
}

function teamRows(db: Db, caller: Caller) {
  return db
    .selectFrom('teams as t')
    .leftJoin('team_members as m', (join) =>
      join.onRef('m.team_id', '=', 't.id').on('m.user_id', '=', caller.userId),
    )
    .select(['t.id', 't.name', 't.created_at', 'm.role'])
    .select([
      sql<string>`(select count(*) from team_members c where c.team_id = t.id)`.as('members'),
      sql<string>`(select count(*) from team_projects c where c.team_id = t.id)`.as('projects'),
    ]);
}

interface TeamRow {
  id: string;
  name: string;
  created_at: Date;
  role: TeamRole | null;
  members: string;
  projects: string;
}

function presentTeam(row: TeamRow, caller: Caller): Team {
  return {
    id: row.id,
    name: row.name,
    role: caller.role === 'admin' ? 'owner' : (row.role ?? 'member'),
    member_count: Number(row.members),
    project_count: Number(row.projects),
    created_at: row.created_at.toISOString(),
  };
}
