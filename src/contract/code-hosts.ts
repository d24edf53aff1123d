import { z } from 'zod';
import { okReply } from './common.ts';
import { projectParams } from './projects.ts';
import { route } from './route.ts';

/** Code hosts with an API for pull requests. */
export const codeHostKind = z.enum(['github', 'gitlab', 'gitea']);
export type CodeHostKind = z.infer<typeof codeHostKind>;

const codeHost = z.object({
  kind: codeHostKind,
  api_url: z.string(),
  has_token: z.boolean(),
  /** True when the token was stored for another URL or by a former owner, and is not used. */
  token_unusable: z.boolean(),
});
export type CodeHost = z.infer<typeof codeHost>;

export const codeHostRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/code-host',
    summary: 'Get the API of the code host, as stored or as found from the repository URL (owners only)',
    params: projectParams,
    reply: z.object({ code_host: codeHost.nullable(), is_stored: z.boolean() }),
  }),
  save: route({
    method: 'PUT',
    path: '/projects/:id/code-host',
    summary: 'Set the kind, API URL and API token of the code host (owners only)',
    description:
      'The token is never returned, and is used for the current repository URL only. Without one, a stored token is kept.',
    params: projectParams,
    body: z.object({
      kind: codeHostKind,
      /** Found from the repository URL when absent. */
      api_url: z.string().trim().max(2048).nullish(),
      token: z
        .string()
        .trim()
        .min(1, 'git_token_empty')
        .max(4096)
        .regex(/^[\x21-\x7e]*$/, 'git_token_format')
        .nullish(),
    }),
    reply: z.object({ code_host: codeHost }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/code-host',
    allowedWhenDiskFull: true,
    summary: 'Forget the API token and the kind of the code host (owners only)',
    params: projectParams,
    reply: okReply,
  }),
};
