import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { memberRoutes } from '#contract/members.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { type AccessibleProject, type Caller, projectAccess } from '../identity/access.ts';
import { queueInvitationEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { findUserByLogin, loadUserLanguage } from '../identity/user-store.ts';
import { requireReceiverProjectQuota } from '../project-data/plans.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { deleteInvitation, findProjectInvitation, insertInvitation, listInvitations } from './invitations.ts';
import {
  deleteMember,
  insertMember,
  listMembers,
  listProjectTeams,
  transferOwnership,
  updateMemberRole,
} from './queries.ts';

/** Registers the `members` routes: members and invitations of projects. */
export function registerMembers(app: FastifyInstance, deps: Deps): void {
  serveMembers(app, deps);
  serveLeaveAndTransfer(app, deps);
  serveInvitations(app, deps);
  serveAcceptance(app, deps);
}

function serveMembers(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.list, async ({ caller, params }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    const isOwner = project.role === 'owner';
    return {
      members: await listMembers(deps.db, project.id, { userId: caller.userId, isOwner }),
      invitations: isOwner ? await listInvitations(deps, project.id) : [],
      teams: await listProjectTeams(deps.db, project.id),
    };
  });

  serve(app, memberRoutes.add, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    // Rate-limited to prevent account enumeration.
    await consume(deps, `members:${caller.userId}`, deps.config.limits.membersPerUser);
    // Where the server can send mail, only verified emails match.
    const verifiedOnly = deps.config.mail.smtpUrl !== null;
    const account = await findUserByLogin(deps.db, body.identifier, { verifiedOnly });
    if (!account) {
      throw new AppError('bad_request', 'no_account_with_name', {
        reason: 'user_not_found',
        fields: { identifier: 'no_account_with_name' },
      });
    }
    const membership = { projectId: project.id, userId: account.id };
    if (!(await insertMember(deps.db, membership, body.role))) {
      throw new AppError('conflict', 'already_a_member', {
        params: { username: account.username },
        reason: 'already_member',
        fields: { identifier: { key: 'already_a_member', params: { username: account.username } } },
      });
    }
    await auditMember(deps, request, {
      caller,
      project,
      event: 'member_added',
      member: account.username,
      role: body.role,
    });
    deps.events.emit({ type: 'project-shared', ...membership, byId: caller.userId });
    return await presentMember(deps, caller, project, account.id);
  });

  serve(app, memberRoutes.updateRole, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner');
    await updateMemberRole(deps.db, { projectId: project.id, userId: params.user }, body.role);
    const changed = await presentMember(deps, caller, project, params.user);
    await auditMember(deps, request, {
      ...{ caller, project, event: 'member_role_changed', member: changed.username, role: body.role },
    });
    deps.events.emit({ type: 'project-changed', projectId: project.id });
    return changed;
  });

  serve(app, memberRoutes.remove, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    const username = await findUsername(deps, params.user);
    await deleteMember(deps.db, { projectId: project.id, userId: params.user });
    await auditMember(deps, request, { caller, project, event: 'member_removed', member: username });
    deps.events.emit({ type: 'project-removed', projectId: project.id, userIds: [params.user] });
    return { ok: true as const };
  });
}

function serveLeaveAndTransfer(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.leave, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'viewer');
    await deleteMember(deps.db, { projectId: project.id, userId: caller.userId });
    await auditMember(deps, request, { caller, project, event: 'member_left' });
    deps.events.emit({ type: 'project-removed', projectId: project.id, userIds: [caller.userId] });
    return { ok: true as const };
  });

  serve(app, memberRoutes.transfer, async ({ caller, params, body, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    const { current_password } = body;
    await requireReauthentication(app, deps, caller, { current_password, ip: request.ip });
    const revoked = await deps.db.transaction().execute(async (trx) => {
      const revoked = await transferOwnership(
        trx,
        { projectId: project.id, userId: caller.userId },
        body.user_id,
      );
      await requireReceiverProjectQuota({ ...deps, db: trx }, body.user_id);
      return revoked;
    });
    const username = await findUsername(deps, body.user_id);
    await auditMember(deps, request, { caller, project, event: 'project_transferred', member: username });
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
    await auditMember(deps, request, { caller, project, event: 'invitation_created', role: body.role });
    const row = (await listInvitations(deps, project.id)).find((candidate) => candidate.id === id)!;
    const publicUrl = resolvePublicUrl(app, deps.config);
    // In the fragment, which browsers never send, so that no log contains it.
    const link = `${publicUrl}/invitation#${secret}`;
    if (email) {
      const language = await loadUserLanguage(deps.db, caller.userId);
      await queueInvitationEmail(deps, {
        kind: 'project_invitation',
        to: email,
        language,
        link,
        origin: publicUrl,
      });
    }
    return { ...row, link };
  });

  serve(app, memberRoutes.revokeInvitation, async ({ caller, params, request }) => {
    const project = await projectAccess(deps, caller, params.id, 'owner', { evenIfReadOnly: true });
    const deleted = await deleteInvitation(deps.db, { projectId: project.id, id: params.invitation });
    if (!deleted) throw new AppError('not_found', 'invitation_not_found');
    await auditMember(deps, request, { caller, project, event: 'invitation_revoked' });
    return { ok: true as const };
  });
}

function serveAcceptance(app: FastifyInstance, deps: Deps): void {
  serve(app, memberRoutes.preview, async ({ caller, body }) => {
    const invitation = await findProjectInvitation(deps, body.token, caller.userId);
    const existing = await deps.db
      .selectFrom('project_members')
      .select('project_id')
      .where('project_id', '=', invitation.project_id)
      .where('user_id', '=', caller.userId)
      .executeTakeFirst();
    return {
      project_name: invitation.project_name,
      invited_by: invitation.inviter,
      role: invitation.role,
      expires_at: invitation.expires_at.toISOString(),
      project_id: existing?.project_id ?? null,
    };
  });

  serve(app, memberRoutes.accept, async ({ caller, body, request }) => {
    const invitation = await findProjectInvitation(deps, body.token, caller.userId);
    const membership = { projectId: invitation.project_id, userId: caller.userId };
    const joined = await deps.db.transaction().execute(async (trx) => {
      // An existing member does not consume the invitation.
      if (!(await insertMember(trx, membership, invitation.role))) return false;
      if (await deleteInvitation(trx, { projectId: invitation.project_id, id: invitation.id })) return true;
      throw new AppError('not_found', 'project_invitation_used');
    });
    if (joined) {
      const detail = { project: invitation.project_name, by: invitation.inviter, role: invitation.role };
      await recordAuditEvent(deps.db, {
        userId: caller.userId,
        event: 'invitation_accepted',
        detail,
        ...clientInfo(request),
      });
      deps.events.emit({ type: 'invitation-taken', ...membership, byId: invitation.invited_by });
    }
    return { project_id: invitation.project_id };
  });
}

async function presentMember(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  project: AccessibleProject,
  userId: string,
) {
  const reader = { userId: caller.userId, isOwner: project.role === 'owner' };
  const row = (await listMembers(db, project.id, reader)).find((candidate) => candidate.user_id === userId);
  if (!row) throw new AppError('not_found', 'member_not_found');
  return row;
}

async function findUsername({ db }: Pick<Deps, 'db'>, userId: string): Promise<string> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username ?? '';
}

type MemberEvent =
  | 'member_added'
  | 'member_role_changed'
  | 'member_removed'
  | 'member_left'
  | 'project_transferred'
  | 'invitation_created'
  | 'invitation_revoked';

/** Records a member event with the names that its message needs. */
async function auditMember(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  entry: { caller: Caller; project: AccessibleProject; event: MemberEvent; member?: string; role?: string },
): Promise<void> {
  const { caller, project, event, member, role } = entry;
  const detail = { project: project.name, ...(member && { member }), ...(role && { role }) };
  await recordAuditEvent(db, { userId: caller.userId, event, detail, ...clientInfo(request) });
}
