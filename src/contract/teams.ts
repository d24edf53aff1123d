import { z } from 'zod';
import { id, MAX_LIST, okReply, timestamp } from './common.ts';
import { oauthProviderName } from './identities.ts';
import { route } from './route.ts';

const teamRole = z.enum(['owner', 'member']);
export type TeamRole = z.infer<typeof teamRole>;

/** Role of a team's members in a project. */
export const teamProjectRole = z.enum(['owner', 'editor', 'viewer']);
export type TeamProjectRole = z.infer<typeof teamProjectRole>;

const name = z.string().trim().min(1, 'team_name_empty').max(60);

const team = z.object({
  id: z.string(),
  name: z.string(),
  /** Role of the caller; administrators who are no member have `owner`. */
  role: teamRole,
  member_count: z.number(),
  project_count: z.number(),
  created_at: timestamp,
});
export type Team = z.infer<typeof team>;

const teamMember = z.object({
  user_id: z.string(),
  username: z.string(),
  full_name: z.string().nullable(),
  role: teamRole,
  /** `manual`, `scim`, or the sign-in provider whose group they are in. */
  source: z.string(),
  is_self: z.boolean(),
});
export type TeamMember = z.infer<typeof teamMember>;

const group = z.object({ provider: oauthProviderName, group: z.string().trim().min(1).max(256) });

const teamDetails = team.extend({
  members: z.array(teamMember).max(MAX_LIST),
  projects: z
    .array(z.object({ project_id: z.string(), name: z.string(), role: teamProjectRole }))
    .max(MAX_LIST),
  groups: z.array(group).max(50),
});
export type TeamDetails = z.infer<typeof teamDetails>;

const params = z.object({ id });
const memberParams = z.object({ id, user: id });
const projectParams = z.object({ id, project: id });

export const teamRoutes = {
  list: route({
    method: 'GET',
    path: '/teams',
    summary: "List the caller's teams; administrators get all",
    reply: z.object({
      teams: z.array(team).max(MAX_LIST),
      /** Administrators and owners of a team may create teams. */
      may_create: z.boolean(),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/teams',
    sameOrigin: true,
    summary: 'Create a team and become its owner (administrators and team owners)',
    body: z.object({ name }),
    reply: teamDetails,
    status: 201,
  }),
  get: route({
    method: 'GET',
    path: '/teams/:id',
    summary: 'Get a team with its members and projects',
    params,
    reply: teamDetails,
  }),
  rename: route({
    method: 'PATCH',
    path: '/teams/:id',
    sameOrigin: true,
    summary: 'Rename a team (team owners)',
    params,
    body: z.object({ name }),
    reply: teamDetails,
  }),
  remove: route({
    method: 'DELETE',
    path: '/teams/:id',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Delete a team; its members lose the access that it gave (team owners)',
    params,
    reply: okReply,
  }),
  addMember: route({
    method: 'POST',
    path: '/teams/:id/members',
    sameOrigin: true,
    summary: 'Add a member to a team (team owners)',
    params,
    body: z.object({
      /** A username, or the email of an account. */
      identifier: z.string().trim().min(1, 'member_empty').max(254),
      role: teamRole.default('member'),
    }),
    reply: teamDetails,
    status: 201,
  }),
  updateMember: route({
    method: 'PUT',
    path: '/teams/:id/members/:user',
    sameOrigin: true,
    summary: "Change a member's role in a team (team owners)",
    params: memberParams,
    body: z.object({ role: teamRole }),
    reply: teamDetails,
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/teams/:id/members/:user',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: 'Remove a member from a team (team owners), or leave it',
    params: memberParams,
    reply: okReply,
  }),
  saveProject: route({
    method: 'PUT',
    path: '/teams/:id/projects/:project',
    sameOrigin: true,
    summary:
      'Give a team access to a project (members of the team who own the project, or administrators who do)',
    params: projectParams,
    body: z.object({ role: teamProjectRole }),
    reply: teamDetails,
  }),
  removeProject: route({
    method: 'DELETE',
    path: '/teams/:id/projects/:project',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    summary: "End a team's access to a project (team owners and owners of the project)",
    params: projectParams,
    reply: okReply,
  }),
  saveGroups: route({
    method: 'PUT',
    path: '/teams/:id/groups',
    access: 'admin',
    sameOrigin: true,
    summary: 'Set the groups of sign-in providers whose members join the team at sign-in',
    params,
    body: z.object({ groups: z.array(group).max(50) }),
    reply: teamDetails,
  }),
};
