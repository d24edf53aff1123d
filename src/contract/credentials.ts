import { z } from 'zod';
import { okReply, timestamp } from './common.ts';
import { credentialBody, projectParams } from './projects.ts';
import { route } from './route.ts';

/**
 * State of a stored credential. It is used for the URL that it was saved for only, and only while the user who saved it owns the
 * project and has an active account.
 */
const credentialState = z.enum(['usable', 'other_url', 'other_owner', 'inactive_owner']);
export type CredentialState = z.infer<typeof credentialState>;

/** Keys of one host. */
export const MAX_HOST_KEYS = 50;

/** Credential of a private repository, without its secret. */
const credential = z.object({
  kind: z.enum(['token', 'ssh']),
  host: z.string(),
  /** The URL that it was given for. */
  url: z.string(),
  state: credentialState,
  /** The name that a token is shown with. */
  username: z.string().nullable(),
  /** The half that is added to the git server. */
  public_key: z.string().nullable(),
  /** SHA256 fingerprints of the host's keys, pinned at the first connection. */
  host_keys: z.array(z.string()).max(MAX_HOST_KEYS),
  created_at: timestamp,
});
export type Credential = z.infer<typeof credential>;

export const credentialRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/credential',
    summary: 'Get the repository credential without its secret (owners only)',
    params: projectParams,
    reply: z.object({ credential: credential.nullable() }),
  }),
  save: route({
    method: 'PUT',
    path: '/projects/:id/credential',
    summary: 'Set the repository credential: access token or SSH key (owners only)',
    description: 'Generates an SSH key unless `private_key` is given. The secret is never returned.',
    params: projectParams,
    body: credentialBody,
    reply: z.object({ credential }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/projects/:id/credential',
    allowedWhenDiskFull: true,
    summary: 'Delete the repository credential (owners only)',
    params: projectParams,
    reply: okReply,
  }),
  test: route({
    method: 'POST',
    path: '/projects/:id/credential/test',
    allowedWhenDiskFull: true,
    summary: 'Test the connection to the git server with the stored credential (owners only)',
    params: projectParams,
    reply: z.object({
      branch: z.string(),
      commit: z.string(),
      host_keys: z.array(z.string()).max(MAX_HOST_KEYS),
    }),
  }),
};
