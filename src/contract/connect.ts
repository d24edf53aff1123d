import { z } from 'zod';
import { MAX_PAGE, okReply } from './common.ts';
import { credentialBody, project } from './projects.ts';
import { route } from './route.ts';

/** Code hosts whose repositories can be listed. */
const repositoryHost = z.enum(['github', 'gitlab', 'gitea']);
export type RepositoryHost = z.infer<typeof repositoryHost>;

const gitUrl = z.string().trim().min(1, 'git_url_empty').max(2048, 'git_url_too_long');

/** A repository of an account or organization on a code host. */
const hostedRepository = z.object({
  name: z.string(),
  full_name: z.string(),
  description: z.string().nullable(),
  git_url: z.string(),
  private: z.boolean(),
  archived: z.boolean(),
  fork: z.boolean(),
  /** ISO 8601; null when the host does not say. */
  pushed_at: z.string().nullable(),
  /** Project of the caller with this URL. */
  project_id: z.string().nullable(),
});
export type HostedRepository = z.infer<typeof hostedRepository>;

export const connectRoutes = {
  check: route({
    method: 'POST',
    path: '/repositories/check',
    summary: 'Test whether a repository can be reached, without connecting it',
    rateLimits: [{ bucket: 'repository-check', limit: 'repositoryChecksPerUser', per: 'user' }],
    body: z.object({ git_url: gitUrl, credential: credentialBody.nullish() }),
    reply: z.object({
      /** Normalized, without user name and password. */
      git_url: z.string(),
      name: z.string(),
      branch: z.string(),
      duplicate_of: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  }),
  list: route({
    method: 'POST',
    path: '/repositories/list',
    summary: 'List repositories of an account or organization on GitHub, GitLab or Gitea',
    rateLimits: [{ bucket: 'repository-list', limit: 'repositoryChecksPerUser', per: 'user' }],
    body: z.object({
      host: repositoryHost,
      /** Address of the host's own server; absent for github.com and gitlab.com. */
      base_url: z.string().trim().max(300).nullish(),
      /** Account, organization or group. */
      owner: z
        .string()
        .trim()
        .min(1, 'repository_owner_empty')
        .max(200)
        .regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'repository_owner_format'),
      token: z
        .string()
        .trim()
        .max(4096)
        .regex(/^[\x21-\x7e]*$/, 'git_token_format')
        .nullish(),
      page: z.number().int().min(1).max(50).default(1),
    }),
    reply: z.object({ repositories: z.array(hostedRepository).max(MAX_PAGE), has_more: z.boolean() }),
  }),
  sample: route({
    method: 'POST',
    path: '/projects/sample',
    feature: 'project_creation',
    summary: 'Add the sample project; returns the existing one of the caller if there is one',
    reply: project,
    status: 201,
  }),
  allowHost: route({
    method: 'POST',
    path: '/admin/hosts',
    access: 'admin',
    allowedWhenDiskFull: true,
    summary: 'Allow connections to a private host; metadata addresses stay blocked',
    body: z.object({
      host: z
        .string()
        .trim()
        .toLowerCase()
        .max(300)
        .regex(/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/, 'host_format'),
    }),
    reply: okReply,
  }),
  hosts: route({
    method: 'GET',
    path: '/admin/hosts',
    access: 'admin',
    summary: 'List private hosts that an administrator has allowed',
    reply: z.object({ hosts: z.array(z.string()).max(MAX_PAGE) }),
  }),
  disallowHost: route({
    method: 'DELETE',
    path: '/admin/hosts/:host',
    access: 'admin',
    allowedWhenDiskFull: true,
    summary: 'Block a private host again',
    params: z.object({ host: z.string().min(1).max(300) }),
    reply: okReply,
  }),
};
