import { z } from 'zod';
import { email } from './account.ts';
import { signupMode } from './auth.ts';
import { id, MAX_LIST, MAX_PAGE, okReply, paging, timestamp } from './common.ts';
import { projectStatus } from './projects.ts';
import { route } from './route.ts';

/** An account as its server's administrators see it. */
const adminUser = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  full_name: z.string().nullable(),
  role: z.enum(['admin', 'user']),
  is_active: z.boolean(),
  two_factor_enabled: z.boolean(),
  created_at: timestamp,
  /** The last use of any sign-in; null when none is left. */
  last_seen_at: timestamp.nullable(),
  /** Time of permanent deletion, if its owner requested one. */
  deletion_at: timestamp.nullable(),
  /** Projects that they are a member of. */
  project_count: z.number(),
});
export type AdminUser = z.infer<typeof adminUser>;

/** A project as administrators see it: metadata and status, none of its content. */
const adminProject = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string().nullable(),
  member_count: z.number(),
  status: projectStatus,
  commit_count: z.number().nullable(),
  file_count: z.number().nullable(),
  failure: z.string().nullable(),
  indexed_at: timestamp.nullable(),
  created_at: timestamp,
});
export type AdminProject = z.infer<typeof adminProject>;

/** A queue of background jobs. */
const adminQueue = z.object({
  name: z.string(),
  waiting: z.number(),
  running: z.number(),
  /** Jobs that used up their retries. */
  dead: z.number(),
});
export type AdminQueue = z.infer<typeof adminQueue>;

/** A job that used up its retries. */
const deadJob = z.object({
  id: z.string(),
  queue: z.string(),
  /** Ids from the payload, such as that of a project. */
  subject: z.record(z.string(), z.string()),
  error: z.string().nullable(),
  failed_at: timestamp,
});
export type DeadJob = z.infer<typeof deadJob>;

/** A running job. */
const activeJob = z.object({
  id: z.string(),
  queue: z.string(),
  subject: z.record(z.string(), z.string()),
  started_at: timestamp,
});
export type ActiveJob = z.infer<typeof activeJob>;

/** An invitation that has not been used. */
const signupInvitation = z.object({
  id: z.string(),
  email: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});

/** Status of the server. Sizes are in bytes. */
const serverStatus = z.object({
  version: z.string(),
  /** Of the process that answers. */
  started_at: timestamp,
  node: z.string(),
  memory: z.object({ process: z.number(), total: z.number() }),
  /** Of the disk that holds the data folder. */
  disk: z.object({ free: z.number(), total: z.number() }),
  database: z.object({ version: z.string(), size: z.number() }),
  mail: z.boolean(),
  payments: z.boolean(),
  oauth_providers: z.object({ github: z.boolean(), google: z.boolean() }),
  /** The language model that writes answers, as the operator named it; null: answers are made without one. */
  model: z.object({ provider: z.string(), name: z.string() }).nullable(),
  signup: signupMode,
  /** Counts; `recent` are those of the last thirty days. */
  usage: z.object({
    accounts: z.number(),
    active_accounts: z.number(),
    projects: z.number(),
    recent_errors: z.number(),
    recent_questions: z.number(),
  }),
});
export type ServerStatus = z.infer<typeof serverStatus>;

/** Features that an administrator can disable; `false` is disabled. */
const featureFlags = z.object({
  /** New accounts, also by invitation. */
  signup: z.boolean(),
  /** New projects, and projects that move to another URL. */
  project_creation: z.boolean(),
  /** Saving files. */
  file_saving: z.boolean(),
  /** Pushing branches and opening pull requests. */
  pushing: z.boolean(),
  /** Webhooks of code hosts and error trackers. */
  webhooks: z.boolean(),
  /** Error events of SDKs and OpenTelemetry. */
  error_intake: z.boolean(),
  /** Language and embedding models; answers are made without one. */
  models: z.boolean(),
  /** Page that visitors see at `/`; without it they get the sign-in page. */
  landing: z.boolean(),
});
export type FeatureFlags = z.infer<typeof featureFlags>;

/** Reason why this server runs no commands of projects; `ready` when it does. */
const sandboxReadiness = z.enum([
  'ready',
  'off',
  'public_instance',
  'not_enabled',
  'not_linux',
  'no_bubblewrap',
  'no_util_linux',
  'refused',
]);

const sandboxState = z.object({
  /** Allowed by an administrator, or by default where the server listens on loopback. */
  enabled: z.boolean(),
  /** False where the environment decides: `SANDBOX=off`, or a public instance. */
  can_change: z.boolean(),
  readiness: sandboxReadiness,
  /** Missing programs, or the message of the kernel. */
  detail: z.string().max(1000),
});
export type SandboxState = z.infer<typeof sandboxState>;

const searchPaging = paging.extend({
  /** Searched for in names and emails. */
  q: z.string().trim().max(200).default(''),
});

/** Per list, newest first. */
export const MAX_LISTED_JOBS = 100;

const jobParams = z.object({ queue: z.string().max(100), id });

const inviteBody = z.object({
  /** Restricts the invitation to this email; without one, anyone with the link can use it. */
  email: email.optional(),
});

export const adminRoutes = {
  users: route({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    summary: 'List all accounts, newest first',
    query: searchPaging,
    reply: z.object({ users: z.array(adminUser).max(MAX_PAGE), total: z.number() }),
  }),
  updateUser: route({
    method: 'PUT',
    path: '/admin/users/:id',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Activate or deactivate an account, change its role, or reset two-factor authentication',
    description:
      'Deactivating and taking the second factor away end all sign-ins at once. One’s own account is left alone.',
    params: z.object({ id }),
    body: z.object({
      is_active: z.boolean().optional(),
      role: z.enum(['admin', 'user']).optional(),
      /** Resets two-factor authentication of a user who lost access to it. */
      two_factor_enabled: z.literal(false).optional(),
    }),
    reply: adminUser,
  }),
  projects: route({
    method: 'GET',
    path: '/admin/projects',
    access: 'admin',
    summary: 'List all projects, newest first, without their contents',
    query: searchPaging,
    reply: z.object({ projects: z.array(adminProject).max(MAX_PAGE), total: z.number() }),
  }),
  jobs: route({
    method: 'GET',
    path: '/admin/jobs',
    access: 'admin',
    summary: 'List queues, running jobs and dead jobs',
    reply: z.object({
      queues: z.array(adminQueue).max(MAX_LIST),
      active: z.array(activeJob).max(MAX_LISTED_JOBS),
      dead: z.array(deadJob).max(MAX_LISTED_JOBS),
    }),
  }),
  stopJob: route({
    method: 'POST',
    path: '/admin/jobs/:queue/:id/stop',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Stop a running job; it is not retried',
    params: jobParams,
    reply: okReply,
  }),
  retryJob: route({
    method: 'POST',
    path: '/admin/jobs/:queue/:id/retry',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Retry a dead job',
    params: jobParams,
    reply: okReply,
  }),
  deleteJob: route({
    method: 'DELETE',
    path: '/admin/jobs/:queue/:id',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Discard a dead job',
    params: jobParams,
    reply: okReply,
  }),
  server: route({
    method: 'GET',
    path: '/admin/server',
    access: 'admin',
    summary: 'Get server status and configuration',
    reply: serverStatus,
  }),
  updateSignup: route({
    method: 'PUT',
    path: '/admin/signup',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Set who can create an account',
    body: z.object({ mode: signupMode }),
    reply: okReply,
  }),
  features: route({
    method: 'GET',
    path: '/admin/features',
    access: 'admin',
    summary: 'Get enabled and disabled features of the server',
    reply: featureFlags,
  }),
  updateFeatures: route({
    method: 'PUT',
    path: '/admin/features',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Enable or disable features of the server; omitted ones stay unchanged',
    description:
      'Holds at once for every replica. What is switched off answers 503 with the reason `feature_disabled`, sign-up as where it is closed; with models off, answers are made without one.',
    body: featureFlags.partial(),
    reply: featureFlags,
  }),
  sandbox: route({
    method: 'GET',
    path: '/admin/sandbox',
    access: 'admin',
    summary: 'Get whether projects can run commands in the sandbox of this server',
    reply: sandboxState,
  }),
  updateSandbox: route({
    method: 'PUT',
    path: '/admin/sandbox',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Allow or forbid projects to run commands in the sandbox of this server',
    description:
      'The owner of each project decides further whether its commands may run. `SANDBOX=off` and public instances answer 409.',
    body: z.object({ enabled: z.boolean() }),
    reply: sandboxState,
  }),
  invitations: route({
    method: 'GET',
    path: '/admin/invitations',
    access: 'admin',
    summary: 'List pending invitations',
    reply: z.object({ invitations: z.array(signupInvitation).max(MAX_LIST) }),
  }),
  invite: route({
    method: 'POST',
    path: '/admin/invitations',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Invite a person to create an account; the link is shown once',
    description: 'Valid once, for fourteen days. Emailed to `email` if a mail server is configured.',
    body: inviteBody,
    reply: signupInvitation.extend({ link: z.string(), sent: z.boolean() }),
    status: 201,
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/admin/invitations/:id',
    sameOrigin: true,
    allowedWhenDiskFull: true,
    access: 'admin',
    summary: 'Revoke an invitation',
    params: z.object({ id }),
    reply: okReply,
  }),
};
