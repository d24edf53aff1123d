import type { FastifyInstance } from 'fastify';
import { teamRoutes } from '#contract/teams.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { projectAccess } from '../identity/access.ts';
import { changeTeams } from '../identity/team-access.ts';
import { auditTeam } from './audit-team.ts';
import { loadTeamDetails, teamAccess } from './queries.ts';

/** Serves the projects of teams. */
export function serveTeamProjects(app: FastifyInstance, deps: Deps): void {
  serve(app, teamRoutes.saveProject, async ({ caller, params, body, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'member');
    const project = await projectAccess(deps, caller, params.project, 'owner');
    const row = { team_id: team.id, project_id: project.id, role: body.role };
    await changeTeams(deps, async (trx) => {
      await trx
        .insertInto('team_projects')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'team_id']).doUpdateSet({ role: body.role }),
        )
        .execute();
      const entry = { caller, team: team.name, project: project.name, role: body.role };
      await auditTeam(trx, request, { ...entry, event: 'team_access_granted' });
      return { result: undefined, scope: { projectIds: [project.id] } };
    });
    return await loadTeamDetails(deps.db, caller, team.id);
  });

  serve(app, teamRoutes.removeProject, async ({ caller, params, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'member');
    if (team.role !== 'owner')
      await projectAccess(deps, caller, params.project, 'owner', { evenIfReadOnly: true });
    await changeTeams(deps, async (trx) => {
      const removed = await trx
        .deleteFrom('team_projects')
        .where('team_id', '=', team.id)
        .where('project_id', '=', params.project)
        .returning('project_id')
        .executeTakeFirst();
      if (!removed) return { result: undefined, scope: null };
      const project = await trx
        .selectFrom('projects')
        .select('name')
        .where('id', '=', params.project)
        .executeTakeFirst();
      const entry = { caller, team: team.name, project: project?.name ?? '' };
      await auditTeam(trx, request, { ...entry, event: 'team_access_revoked' });
      return { result: undefined, scope: { projectIds: [params.project] } };
    });
    return { ok: true as const };
  });
}
