import { z } from 'zod';
import { id, MAX_LIST, okReply, timestamp } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';
import { teamProjectRole } from './teams.ts';

/** Roles that an owner can assign. Each project has one owner, who changes by a transfer. */
const assignableRole = z.enum(['editor', 'viewer']);
export type AssignableRole = z.infer<typeof assignableRole>;

const member = z.object({
  user_id: z.string(),
  username: z.string(),
  full_name: z.string().nullable(),
  /** Shown to the owner alone. */
  email: z.string().nullable(),
  role: z.enum(['owner', 'editor', 'viewer']),
  joined_at: timestamp,
  /** True for the caller. */
  is_self: z.boolean(),
  /** Role beside teams; null for a member by teams alone. */
  direct_role: z.enum(['owner', 'editor', 'viewer']).nullable(),
  /** Names of the teams through which they are members. */
  teams: z.array(z.string()).max(MAX_LIST),
});
export type Member = z.infer<typeof member>;

/** A team with access to a project. */
const projectTeam = z.object({
  team_id: z.string(),
  name: z.string(),
  role: teamProjectRole,
  member_count: z.number(),
});
export type ProjectTeam = z.infer<typeof projectTeam>;

const invitation = z.object({
  id: z.string(),
  role: assignableRole,
  /** Restricts the invitation to this email; null: anyone with the link can accept it. */
  email: z.string().nullable(),
  invited_by: z.string(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = z.infer<typeof invitation>;

/** The token in the link of an invitation. */
const invitationBody = z.object({ token: z.string().min(1).max(200) });

const memberParams = z.object({ id, user: id });

const addMemberBody = z.object({
  /** A username, or the email of an account. */
  identifier: z.string().trim().min(1, 'member_empty').max(254),
  role: assignableRole,
});

export const memberRoutes = {
  list: route({
    method: 'GET',
    path: '/projects/:id/members',
    summary: 'List members of a project; owners also get emails and pending invitations',
    params: projectParams,
    reply: z.object({
      members: z.array(member).max(MAX_LIST),
      invitations: z.array(invitation).max(MAX_LIST),
      teams: z.array(projectTeam).max(MAX_LIST),
    }),
  }),
  add: route({
    method: 'POST',
    path: '/projects/:id/members',
    summary: 'Add a member to a project (owners only)',
    params: projectParams,
    body: addMemberBody,
    reply: member,
    status: 201,
  }),
  updateRole: route({
    method: 'PUT',
    path: '/projects/:id/members/:user',
    summary: "Change a member's role (owners only)",
    params: memberParams,
    body: z.object({ role: assignableRole }),
    reply: member,
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/members/:user',
    allowedWhenDiskFull: true,
    summary: 'Remove a member from a project (owners only)',
    params: memberParams,
    reply: okReply,
  }),
  leave: route({
    method: 'DELETE',
    path: '/projects/:id/membership',
    allowedWhenDiskFull: true,
    summary: 'Leave a project; owners must transfer ownership first',
    params: projectParams,
    reply: okReply,
  }),
  transfer: route({
    method: 'PUT',
    path: '/projects/:id/owner',
    summary: 'Transfer ownership of a project; the previous owner becomes an editor',
    params: projectParams,
    body: z.object({ user_id: id, current_password: z.string().max(1024).optional() }),
    reply: okReply,
  }),
  invite: route({
    method: 'POST',
    path: '/projects/:id/invitations',
    summary: 'Create an invitation; only this reply contains its link',
    description:
      'The link works once, for 7 days. With `email`, only the account with that address may take it.',
    params: projectParams,
    body: z.object({ role: assignableRole, email: z.email('email_format').max(254).nullish() }),
    reply: invitation.extend({ link: z.string() }),
    status: 201,
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/projects/:id/invitations/:invitation',
    allowedWhenDiskFull: true,
    summary: 'Revoke a project invitation (owners only)',
    params: z.object({ id, invitation: id }),
    reply: okReply,
  }),
  preview: route({
    method: 'POST',
    path: '/invitations/preview',
    rateLimits: [{ bucket: 'invitation', limit: 'invitationsPerUser', per: 'user' }],
    allowedWhenDiskFull: true,
    summary: 'Preview an invitation to create an account',
    body: invitationBody,
    reply: z.object({
      project_name: z.string(),
      invited_by: z.string(),
      role: assignableRole,
      expires_at: timestamp,
      /** Set when the caller is a member already. */
      project_id: z.string().nullable(),
    }),
  }),
  accept: route({
    method: 'POST',
    path: '/invitations/accept',
    rateLimits: [{ bucket: 'invitation', limit: 'invitationsPerUser', per: 'user' }],
    summary: 'Accept an invitation to a project',
    body: invitationBody,
    reply: z.object({ project_id: z.string() }),
  }),
};
