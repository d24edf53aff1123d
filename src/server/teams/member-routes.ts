import type { FastifyInstance } from 'fastify';
import { MAX_LIST } from '#contract/common.ts';
import { AppError } from '#contract/errors.ts';
import { teamRoutes } from '#contract/teams.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { changeTeams, deleteTeamMembers } from '../identity/team-access.ts';
import { findUserByLogin } from '../identity/user-store.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { auditTeam } from './audit-team.ts';
import { loadTeamDetails, requireOtherOwner, teamAccess } from './queries.ts';

/** Serves the members of teams. */
export function serveTeamMembers(app: FastifyInstance, deps: Deps): void {
  serve(app, teamRoutes.addMember, async ({ caller, params, body, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'owner');
    // Rate-limited to prevent account enumeration.
    await consume(deps, `members:${caller.userId}`, deps.config.limits.membersPerUser);
    const verifiedOnly = deps.config.mail.smtpUrl !== null;
    const account = await findUserByLogin(deps.db, body.identifier, { verifiedOnly });
    if (!account) {
      throw new AppError('bad_request', 'no_account_with_name', {
        reason: 'user_not_found',
        fields: { identifier: 'no_account_with_name' },
      });
    }
    await changeTeams(deps, async (trx) => {
      requireMemberCapacity(team.member_count);
      const added = await trx
        .insertInto('team_members')
        .values({ team_id: team.id, user_id: account.id, role: body.role })
        .onConflict((conflict) => conflict.doNothing())
        .returning('user_id')
        .executeTakeFirst();
      if (!added) {
        const error = { key: 'already_a_team_member' as const, params: { username: account.username } };
        throw new AppError('conflict', error.key, {
          params: error.params,
          reason: 'already_member',
          fields: { identifier: error },
        });
      }
      const entry = { caller, team: team.name, member: account.username, role: body.role };
      await auditTeam(trx, request, { ...entry, event: 'team_member_added' });
      return { result: undefined, scope: { userIds: [account.id] } };
    });
    return await loadTeamDetails(deps.db, caller, team.id);
  });

  serve(app, teamRoutes.updateMember, async ({ caller, params, body, request }) => {
    const team = await teamAccess(deps, caller, params.id, 'owner');
    await changeTeams(deps, async (trx) => {
      if (body.role === 'member') await requireOtherOwner(trx, team.id, params.user);
      const changed = await trx
        .updateTable('team_members as m')
        .from('users as u')
        .set({ role: body.role })
        .whereRef('u.id', '=', 'm.user_id')
        .where('m.team_id', '=', team.id)
        .where('m.user_id', '=', params.user)
        .returning('u.username')
        .executeTakeFirst();
      if (!changed) throw memberNotFound();
      const entry = { caller, team: team.name, member: changed.username, role: body.role };
      await auditTeam(trx, request, { ...entry, event: 'team_member_role_changed' });
      return { result: undefined, scope: null };
    });
    return await loadTeamDetails(deps.db, caller, team.id);
  });

  serve(app, teamRoutes.removeMember, async ({ caller, params, request }) => {
    const isLeaving = params.user === caller.userId;
    const team = await teamAccess(deps, caller, params.id, isLeaving ? 'member' : 'owner');
    await changeTeams(deps, async (trx) => {
      await requireOtherOwner(trx, team.id, params.user);
      const removed = await deleteTeamMembers(trx, team.id, [params.user]);
      if (removed.length === 0) throw memberNotFound();
      const user = await trx
        .selectFrom('users')
        .select('username')
        .where('id', '=', params.user)
        .executeTakeFirst();
      const entry = { caller, team: team.name, member: user?.username ?? '' };
      await auditTeam(trx, request, { ...entry, event: 'team_member_removed' });
      return { result: undefined, scope: { userIds: removed } };
    });
    return { ok: true as const };
  });
}

function requireMemberCapacity(count: number): void {
  if (count >= MAX_LIST)
    throw new AppError('too_large', 'team_member_limit_reached', { params: { limit: MAX_LIST } });
}

function memberNotFound(): AppError {
  return new AppError('not_found', 'team_member_not_found');
}
