import { z } from 'zod';
import { id, MAX_PAGE, paging, timestamp } from './common.ts';
import { route } from './route.ts';

/** An outbound call. */
const egressEntry = z.object({
  id: z.string(),
  at: timestamp,
  purpose: z.enum(['chat', 'debug', 'probe', 'embedding', 'git', 'code_host', 'webhook']),
  host: z.string(),
  /** Bytes of the bodies. */
  bytes_sent: z.number(),
  bytes_received: z.number(),
  /** Status of the reply, null when there was none; of git 200 when all went well. */
  status: z.number().nullable(),
  duration_ms: z.number(),
  /** Username of the caller; null after the account was deleted. */
  user: z.string().nullable(),
});
export type EgressEntry = z.infer<typeof egressEntry>;

const page = z.object({ entries: z.array(egressEntry).max(MAX_PAGE), has_more: z.boolean() });

export const egressRoutes = {
  project: route({
    method: 'GET',
    path: '/projects/:id/egress',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'List outgoing requests of a project: time, host, size and purpose, newest first',
    params: z.object({ id }),
    query: paging,
    reply: page,
  }),
  all: route({
    method: 'GET',
    path: '/admin/egress',
    summary: 'List outgoing model calls and git connections, newest first',
    access: 'admin',
    query: paging,
    reply: page,
  }),
};
