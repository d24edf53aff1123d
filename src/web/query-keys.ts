import { apiQuery } from './api-query.ts';

const me = apiQuery('GET /auth/me').queryKey;
const subscription = apiQuery('GET /payments/subscription').queryKey;
const payments = apiQuery('GET /payments/history').queryKey;
const usage = apiQuery('GET /payments/usage').queryKey;
const invoices = ['GET /payments/invoices'];
const projects = apiQuery('GET /projects').queryKey;
const projectDetails = ['GET /projects/:id'];

/** Account of the signed-in user. */
export const accountKeys = {
  me,
  setup: apiQuery('GET /auth/setup').queryKey,
  identities: apiQuery('GET /auth/identities').queryKey,
  sessions: apiQuery('GET /auth/sessions').queryKey,
  twoFactor: apiQuery('GET /auth/two-factor').queryKey,
  apiKeys: apiQuery('GET /keys').queryKey,
  securityLog: ['GET /auth/events'],
  push: ['push'],
  signupInvitation: (token: string | undefined) => ['POST /auth/invitation', token],
} as const;

/** Plan and payments; a purchase, a trial or a refund changes all of `plan`, also which projects are read-only. */
export const paymentKeys = {
  plan: [subscription, payments, usage, invoices, me, projects, projectDetails],
  invoices,
} as const;

/** Pages of the administrator. `users` matches every page and filter. */
export const adminKeys = {
  users: ['GET /admin/users'],
  jobs: apiQuery('GET /admin/jobs').queryKey,
  invitations: apiQuery('GET /admin/invitations').queryKey,
  model: apiQuery('GET /admin/model').queryKey,
  features: apiQuery('GET /admin/features').queryKey,
} as const;

/** Projects, and what belongs to one. A new index makes new keys for lists that are read from it. */
export const projectKeys = {
  list: projects,
  details: projectDetails,
  detail: (id: string) => apiQuery('GET /projects/:id', { params: { id } }).queryKey,
  members: (id: string) => apiQuery('GET /projects/:id/members', { params: { id } }).queryKey,
  credential: (id: string) => apiQuery('GET /projects/:id/credential', { params: { id } }).queryKey,
  overview: (project: IndexedProject) => ['GET /projects/:id/overview', ...indexOf(project)],
  runs: (id: string) => ['GET /projects/:id/runs', id],
  settings: (id: string) => apiQuery('GET /projects/:id/settings', { params: { id } }).queryKey,
  commits: (project: IndexedProject) => ['GET /projects/:id/commits', ...indexOf(project)],
  history: (project: IndexedProject) => ['GET /history/commits/:id', ...indexOf(project)],
  skippedFiles: ({ id, indexed_commit }: Omit<IndexedProject, 'status'>) => [
    'GET /projects/:id/skipped',
    id,
    indexed_commit,
  ],
  fileWindows: (id: string, path: string, revision: string | null, first: { from: number; to: number }) =>
    ['GET /projects/:id/files/*', id, path, revision, first] as const,
  editorFiles: ['GET /ide/projects/:id/files'],
  /** Answers that a change of the reader's branch outdates. */
  ownBranch: [['GET /projects/:id/working-branch'], ['GET /search'], ['GET /search/lines']],
  invitation: (token: string) => ['POST /invitations/preview', token],
} as const;

interface IndexedProject {
  id: string;
  indexed_commit: string | null;
  status: string;
}

function indexOf({ id, indexed_commit, status }: IndexedProject) {
  return [id, indexed_commit, status];
}

/** Debug sessions. `all` and `details` match every filter and id. */
export const debugSessionKeys = {
  all: ['GET /debug/sessions'],
  details: ['GET /debug/sessions/:id'],
  detail: (id: string) => apiQuery('GET /debug/sessions/:id', { params: { id } }).queryKey,
  feedback: ['GET /history/feedback/:id'],
  release: ['GET /debug/sessions/:id/release'],
} as const;

const errorLists = [
  ['GET /errors'],
  ['GET /errors/values'],
  ['GET /projects/:id/errors'],
  ['GET /projects/:id/errors/:error/similar'],
  ['GET /projects/:id/releases'],
];

/** Proofs of debug sessions. */
export const proofKeys = {
  detail: (id: string) => apiQuery('GET /proofs/:id', { params: { id } }).queryKey,
  plan: (sessionId: string) => apiQuery('GET /debug/:id/proofs/plan', { params: { id: sessionId } }).queryKey,
} as const;

/** Errors, by filter. `all` matches every list of all projects, `everywhere` each list and each page of an error. */
export const errorKeys = {
  all: ['GET /errors'],
  lists: errorLists,
  everywhere: [
    ...errorLists,
    ['GET /projects/:id/errors/:error'],
    ['GET /projects/:id/errors/:error/events'],
    ['GET /projects/:id/errors/:error/events/:event'],
  ],
  events: (id: string) => ['GET /projects/:id/errors/:error/events', id] as const,
  inbox: (filters: Readonly<Record<string, string>>) => ['GET /errors', 'inbox', filters] as const,
} as const;

/** Chat threads and their messages, in every project. */
export const chatKeys = {
  threads: ['GET /chat/projects/:id/threads'],
  messages: ['GET /chat/projects/:id/messages'],
} as const;

/** Notifications: all pages of the list, and the number of unread ones. */
export const notificationKeys = {
  list: ['GET /notifications'],
  unreadCount: apiQuery('GET /notifications/unread-count').queryKey,
} as const;
