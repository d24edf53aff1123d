import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { memberRoutes } from '#contract/members.ts';
import { type Caller, type ProjectRow, projectAccess } from '../access.ts';
import { audit, origin } from '../audit.ts';
import { choicesOf } from '../choices.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { requestInvitation } from '../letters.ts';
import { consume } from '../limits.ts';
import { ownAddress } from '../own-address.ts';
import { requireRoomOfReceiver } from '../plans.ts';
import { deleteInvitation, findInvitation, insertInvitation, listInvitations } from './invitations.ts';
import { changeRole, deleteMember, findAccount, handOver, insertMember, listMembers } from './queries.ts';

/** Serves the feature `members`: who is in a project, and how others come in. */
export function registerMembers(app: FastifyInstance, deps: Deps): void {
  serveMembers(app, deps);
  serveLeaving(app, deps);
  serveInvitations(app, deps);
  serveTaking(app, deps);
}

function serveMembers(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.list, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const isOwner = project.role === 'owner';
    return {
      members: await listMembers(deps.db, project.id, { userId: caller.userId, isOwner }),
      invitations: isOwner ? await listInvitations(deps, project.id) : [],
    };
  });

  serve(app, memberRoutes.add, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    // Who asks for many names wants to know which exist.
    await consume(deps, `members:${caller.userId}`, deps.config.limits.membersPerUser);
    // Where letters reach people, an address counts once its owner has confirmed it.
    const confirmedOnly = deps.config.mail.smtpUrl !== null;
    const account = await findAccount(deps.db, body.who, { confirmedOnly });
    if (!account) {
      const message = 'No account has this name. Invite them by a link instead.';
      throw new AppError('bad_request', message, { reason: 'no_account', fields: { who: message } });
    }
    const place = { projectId: project.id, userId: account.id };
    if (!(await insertMember(deps.db, place, body.role))) {
      const message = `${account.username} is a member already.`;
      throw new AppError('conflict', message, { reason: 'is_member', fields: { who: message } });
    }
    await note(deps, request, {
      caller,
      project,
      event: 'member_added',
      member: account.username,
      role: body.role,
    });
    deps.events.emit({ type: 'project-shared', ...place, byId: caller.userId });
    return await present(deps, caller, project, account.id);
  });

  serve(app, memberRoutes.change, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await changeRole(deps.db, { projectId: project.id, userId: params.user }, body.role);
    const changed = await present(deps, caller, project, params.user);
    await note(deps, request, {
      ...{ caller, project, event: 'member_role_changed', member: changed.username, role: body.role },
    });
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return changed;
  });

  serve(app, memberRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const username = await nameOf(deps, params.user);
    await deleteMember(deps.db, { projectId: project.id, userId: params.user });
    await note(deps, request, { caller, project, event: 'member_removed', member: username });
    deps.events.emit({ type: 'project-removed', projectId: project.id, userIds: [params.user] });
    return { ok: true as const };
  });
}

function serveLeaving(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.leave, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await deleteMember(deps.db, { projectId: project.id, userId: caller.userId });
    await note(deps, request, { caller, project, event: 'member_left' });
    deps.events.emit({ type: 'project-removed', projectId: project.id, userIds: [caller.userId] });
    return { ok: true as const };
  });

  serve(app, memberRoutes.transfer, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const { current_password } = body;
    await confirmOwner(app, deps, caller, { current_password, ip: request.ip });
    const revoked = await deps.db.transaction().execute(async (trx) => {
      const revoked = await handOver(trx, { projectId: project.id, userId: caller.userId }, body.user_id);
      await requireRoomOfReceiver({ ...deps, db: trx }, body.user_id);
      return revoked;
    });
    const username = await nameOf(deps, body.user_id);
    await note(deps, request, { caller, project, event: 'project_transferred', member: username });
    if (revoked) {
      const userIds = [caller.userId, body.user_id];
      deps.events.emit({ type: 'credential-revoked', projectId: project.id, userIds });
    }
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return { ok: true as const };
  });
}

function serveInvitations(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.invite, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await consume(deps, `members:${caller.userId}`, deps.config.limits.membersPerUser);
    const email = body.email ?? null;
    const values = { projectId: project.id, role: body.role, email, invitedBy: caller.userId };
    const { id, secret } = await deps.db
      .transaction()
      .execute((db) => insertInvitation({ db, now: deps.now }, values));
    await note(deps, request, { caller, project, event: 'invitation_made', role: body.role });
    const row = (await listInvitations(deps, project.id)).find((one) => one.id === id)!;
    const here = ownAddress(app, deps.config);
    // In the fragment, which browsers send to no server: it enters no log on the way.
    const link = `${here}/invitation#${secret}`;
    if (email) {
      const { language } = choicesOf(request);
      await requestInvitation(deps, { kind: 'project_invitation', to: email, language, link, origin: here });
    }
    return { ...row, link };
  });

  serve(app, memberRoutes.withdraw, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    const gone = await deleteInvitation(deps.db, { projectId: project.id, id: params.invitation });
    if (!gone) throw new AppError('not_found', 'There is no such invitation.');
    await note(deps, request, { caller, project, event: 'invitation_withdrawn' });
    return { ok: true as const };
  });
}

function serveTaking(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.look, async ({ caller, body }) => {
    await consume(deps, `invitation:${caller.userId}`, deps.config.limits.invitationsPerUser);
    const found = await findInvitation(deps, body.invitation, caller.userId);
    const inside = await deps.db
      .selectFrom('project_members')
      .select('project_id')
      .where('project_id', '=', found.project_id)
      .where('user_id', '=', caller.userId)
      .executeTakeFirst();
    return {
      project_name: found.project_name,
      invited_by: found.inviter,
      role: found.role,
      expires_at: found.expires_at.toISOString(),
      project_id: inside?.project_id ?? null,
    };
  });

  serve(app, memberRoutes.accept, async ({ caller, body, request }) => {
    await consume(deps, `invitation:${caller.userId}`, deps.config.limits.invitationsPerUser);
    const found = await findInvitation(deps, body.invitation, caller.userId);
    const place = { projectId: found.project_id, userId: caller.userId };
    const joined = await deps.db.transaction().execute(async (trx) => {
      // Who is in already keeps the invitation for somebody else.
      if (!(await insertMember(trx, place, found.role))) return false;
      if (await deleteInvitation(trx, { projectId: found.project_id, id: found.id })) return true;
      throw new AppError('not_found', 'This invitation has been used already. Ask for a new one.');
    });
    if (joined) {
      const detail = { project: found.project_name, by: found.inviter, role: found.role };
      await audit(deps.db, { userId: caller.userId, event: 'invitation_taken', detail, ...origin(request) });
      deps.events.emit({ type: 'invitation-taken', ...place, byId: found.invited_by });
    }
    return { project_id: found.project_id };
  });
}

async function present({ db }: Pick<Deps, 'db'>, caller: Caller, project: ProjectRow, userId: string) {
  const reader = { userId: caller.userId, isOwner: project.role === 'owner' };
  const row = (await listMembers(db, project.id, reader)).find((one) => one.user_id === userId);
  if (!row) throw new AppError('not_found', 'There is no such member.');
  return row;
}

async function nameOf({ db }: Pick<Deps, 'db'>, userId: string): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? '';
}

type MemberEvent =
  | 'member_added'
  | 'member_role_changed'
  | 'member_removed'
  | 'member_left'
  | 'project_transferred'
  | 'invitation_made'
  | 'invitation_withdrawn';

/** Into the record, with the names that its sentence needs. */
async function note(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  said: { caller: Caller; project: ProjectRow; event: MemberEvent; member?: string; role?: string },
): Promise<void> {
  const { caller, project, event, member, role } = said;
  const detail = { project: project.name, ...(member && { member }), ...(role && { role }) };
  await audit(db, { userId: caller.userId, event, detail, ...origin(request) });
}
