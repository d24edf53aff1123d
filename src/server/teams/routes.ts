import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { teamRoutes } from '#contract/teams.ts';
import { newId } from '#db/ids.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import type { Caller } from '../identity/access.ts';
import { changeTeams } from '../identity/team-access.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { auditTeam } from './audit-team.ts';
import { serveTeamMembers } from './member-routes.ts';
import { serveTeamProjects } from './project-routes.ts';
import { listTeams, loadTeamDetails, teamAccess } from './queries.ts';

/** Registers the `teams` routes. */
export function registerTeams(app: FastifyInstance, deps: Deps): void {
  serveTeams(app, deps);
  serveTeamMembers(app, deps);
  serveTeamProjects(app, deps);
  serveGroups(app, deps);
}

function serveTeams(app: FastifyInstance, deps: Deps): void {
  serve(app, teamRoutes.list, async ({ caller }) => ({
    teams: await listTeams(deps.db, caller),
    may_create: await mayCreateTeams(deps, caller),
  }));

  serve(app, teamRoutes.get, async ({ caller, params }) => await loadTeamDetails(deps.db, caller, params.id));

  serve(app, teamRoutes.create, async ({ caller, body, request }) => {
    if (!(await mayCreateTeams(deps, caller)))
      throw new AppError('conflict', 'team_creation_refused', { reason: 'not_allowed' });
    await consume(deps, `members:${caller.userId}`, deps.config.limits.membersPerUser);
    const id = newId();
    await deps.db.transaction().execute(async (trx) => {
      try {
        await trx.insertInto('teams').values({ id, name: body.name, created_by: caller.userId }).execute();
      } catch (error) {
        throw duplicateTeamError(error) ?? error;
      }
      await trx
        .insertInto('team_members')
        .values({ team_id: id, user_id: caller.userId, role: 'owner' })
        .execute();
      await auditTeam(trx, request, { caller, event: 'team_created', team: body.name });
    });
    return await loadTeamDetails(deps.db, caller, id);
  });

  serve(app, teamRoutes.rename, async ({ caller, params, body, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'owner');
    try {
      await deps.db.updateTable('teams').set({ name: body.name }).where('id', '=', team.id).execute();
    } catch (error) {
      throw duplicateTeamError(error) ?? error;
    }
    await auditTeam(deps.db, request, { caller, event: 'team_renamed', team: body.name });
    return await loadTeamDetails(deps.db, caller, team.id);
  });

  serve(app, teamRoutes.remove, async ({ caller, params, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'owner');
    await changeTeams(deps, async (trx) => {
      const projects = await trx
        .selectFrom('team_projects')
        .select('project_id')
        .where('team_id', '=', team.id)
        .execute();
      await trx.deleteFrom('teams').where('id', '=', team.id).execute();
      await auditTeam(trx, request, { caller, event: 'team_deleted', team: team.name });
      return { result: undefined, scope: { projectIds: projects.map(({ project_id }) => project_id) } };
    });
    return { ok: true as const };
  });
}

function serveGroups(app: FastifyInstance, deps: Deps): void {
  serve(app, teamRoutes.saveGroups, async ({ caller, params, body, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'owner');
    await deps.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('team_groups').where('team_id', '=', team.id).execute();
      if (body.groups.length > 0) {
        const rows = body.groups.map(({ provider, group }) => ({
          provider,
          group_name: group,
          team_id: team.id,
        }));
        await trx
          .insertInto('team_groups')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      await auditTeam(trx, request, { caller, event: 'team_groups_changed', team: team.name });
    });
    return await loadTeamDetails(deps.db, caller, team.id);
  });
}

async function mayCreateTeams({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<boolean> {
  if (caller.role === 'admin') return true;
  const owned = await db
    .selectFrom('team_members')
    .select('team_id')
    .where('user_id', '=', caller.userId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst();
  return owned !== undefined;
}

/** Converts a violation of the unique name to a `conflict`; null for any other error. */
function duplicateTeamError(error: unknown): AppError | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string };
  if (code !== '23505' || constraint !== 'teams_name') return null;
  return new AppError('conflict', 'team_name_taken', { cause: error, fields: { name: 'team_name_taken' } });
}
