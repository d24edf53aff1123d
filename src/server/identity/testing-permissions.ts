import { createHash } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { newId } from '#db/ids.ts';
import type { Deps } from '../deps.ts';
import type { TestApp } from '../testing.ts';
import { API_KEY_PREFIX } from './access.ts';
import { signToken, TOKEN_LIFETIME_S } from './signed-tokens.ts';

/**
 * Lowest permission of a call: signed out; signed in; a member of the project with at least this role; an administrator; or
 * (`own`) the signed-in user, for their own resources.
 */
type PermissionLevel = 'visitor' | 'user' | 'own' | 'viewer' | 'editor' | 'owner' | 'admin';

/** A row of the matrix. PROJECT, MEMBER, SESSION and INVITATION stand for ids. */
export interface Row {
  permission: PermissionLevel;
  /** Lowest scope of an API key that permits it. */
  keys: 'none' | 'read' | 'write';
  query?: Record<string, string>;
  payload?: object;
  /** Value of `:id`; the project when absent. */
  id?: 'SESSION' | 'OTHER';
  /** Names a missing resource of the project: permitted callers receive 404. */
  nothing?: true;
  /** Does not name its project, so that a key of one project does not open it. */
  nameless?: true;
}

const body = (payload: object) => ({ payload });
const query = (values: Record<string, string>) => ({ query: values });
const project = { project_id: 'PROJECT' };

/** Every route of the contract. A new one that is missing here fails the test. */
export const MATRIX: Record<string, Row> = {
  'POST /auth/register': { permission: 'visitor', keys: 'none' },
  'POST /auth/login': { permission: 'visitor', keys: 'none' },
  'POST /auth/refresh': { permission: 'visitor', keys: 'none' },
  'POST /auth/logout': { permission: 'user', keys: 'none' },
  'POST /auth/forgot-password': { permission: 'visitor', keys: 'none' },
  'POST /auth/reset-password': { permission: 'visitor', keys: 'none' },
  'POST /auth/password': { permission: 'user', keys: 'none' },
  'GET /auth/sessions': { permission: 'user', keys: 'none' },
  'DELETE /auth/sessions': { permission: 'user', keys: 'none' },
  'GET /auth/setup': { permission: 'visitor', keys: 'none' },
  'POST /auth/ws-ticket': { permission: 'user', keys: 'none' },
  'GET /auth/me': { permission: 'user', keys: 'read' },
  'PUT /auth/me': { permission: 'user', keys: 'none', ...body({}) },
  'DELETE /auth/sessions/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'POST /auth/verify-email': { permission: 'visitor', keys: 'none' },
  'POST /auth/me/verify-email': { permission: 'user', keys: 'none' },
  'POST /auth/invitation': { permission: 'visitor', keys: 'none' },
  'GET /auth/two-factor': { permission: 'user', keys: 'none' },
  'POST /auth/two-factor': { permission: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/confirm': { permission: 'user', keys: 'none' },
  'DELETE /auth/two-factor': { permission: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/recovery-codes': { permission: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/sign-in': { permission: 'visitor', keys: 'none' },
  'POST /auth/social/:provider': { permission: 'visitor', keys: 'none', id: 'OTHER' },
  'GET /auth/identities': { permission: 'user', keys: 'none' },
  'POST /auth/identities/:provider': { permission: 'user', keys: 'none', id: 'OTHER' },
  'DELETE /auth/identities/:provider': { permission: 'user', keys: 'none', id: 'OTHER' },
  'POST /auth/me/export': { permission: 'user', keys: 'none', ...body({}) },
  'GET /auth/export': { permission: 'visitor', keys: 'none' },
  'POST /auth/me/delete': { permission: 'user', keys: 'none', ...body({}) },
  'GET /admin/users': { permission: 'admin', keys: 'none' },
  'PUT /admin/users/:id': { permission: 'admin', keys: 'none', id: 'OTHER', ...body({}) },
  'GET /admin/projects': { permission: 'admin', keys: 'none' },
  'GET /admin/jobs': { permission: 'admin', keys: 'none' },
  'POST /admin/jobs/:queue/:id/retry': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'POST /admin/jobs/:queue/:id/stop': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'DELETE /admin/jobs/:queue/:id': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'GET /admin/server': { permission: 'admin', keys: 'none' },
  'GET /admin/features': { permission: 'admin', keys: 'none' },
  'PUT /admin/features': { permission: 'admin', keys: 'none', ...body({ file_saving: true }) },
  'GET /admin/sandbox': { permission: 'admin', keys: 'none' },
  'PUT /admin/sandbox': { permission: 'admin', keys: 'none', ...body({ enabled: true }) },
  'PUT /admin/signup': { permission: 'admin', keys: 'none', ...body({ mode: 'open' }) },
  'GET /admin/invitations': { permission: 'admin', keys: 'none' },
  'POST /admin/invitations': { permission: 'admin', keys: 'none', ...body({}) },
  'DELETE /admin/invitations/:id': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'GET /admin/sign-in-providers': { permission: 'admin', keys: 'none' },
  'PUT /admin/sign-in-providers/:id': { permission: 'admin', keys: 'none', id: 'OTHER', ...body({}) },
  'DELETE /admin/sign-in-providers/:id': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'GET /admin/sign-in-policy': { permission: 'admin', keys: 'none' },
  'PUT /admin/sign-in-policy': { permission: 'admin', keys: 'none', ...body({}) },
  'GET /admin/scim-tokens': { permission: 'admin', keys: 'none' },
  'POST /admin/scim-tokens': { permission: 'admin', keys: 'none', ...body({ name: 'x' }) },
  'DELETE /admin/scim-tokens/:id': { permission: 'admin', keys: 'none', id: 'OTHER' },
  'GET /auth/events': { permission: 'user', keys: 'none' },
  'GET /admin/events': { permission: 'admin', keys: 'none' },
  'GET /dashboard': { permission: 'user', keys: 'read' },
  'GET /home': { permission: 'user', keys: 'read' },
  'GET /projects': { permission: 'user', keys: 'read' },
  'POST /projects': {
    permission: 'user',
    keys: 'write',
    ...body({ name: 'x', git_url: 'https://127.0.0.1/x' }),
  },
  'POST /projects/sample': { permission: 'user', keys: 'none' },
  'POST /repositories/check': {
    permission: 'user',
    keys: 'none',
    ...body({ git_url: 'https://git.example/x' }),
  },
  'POST /repositories/list': { permission: 'user', keys: 'none', ...body({ host: 'github', owner: '' }) },
  'GET /admin/hosts': { permission: 'admin', keys: 'none' },
  'POST /admin/hosts': { permission: 'admin', keys: 'none', ...body({ host: 'git.lan' }) },
  'DELETE /admin/hosts/:host': { permission: 'admin', keys: 'none' },
  'GET /projects/:id/settings': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/runs': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/overview': { permission: 'viewer', keys: 'read' },
  'POST /projects/:id/replay': { permission: 'viewer', keys: 'read', ...body({}) },
  'GET /projects/:id': { permission: 'viewer', keys: 'read' },
  'PATCH /projects/:id': { permission: 'owner', keys: 'none', ...body({}) },
  'DELETE /projects/:id': { permission: 'owner', keys: 'write' },
  'POST /projects/:id/refresh': { permission: 'editor', keys: 'write' },
  'GET /projects/:id/commits': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/commits/:sha': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/skipped': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/files/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/text/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/images/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/folder': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/blame/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/versions/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/changes/*': { permission: 'viewer', keys: 'read', ...query({ commit: 'a'.repeat(40) }) },
  'GET /projects/:id/outline/*': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/symbols': { permission: 'viewer', keys: 'read', ...query({ name: 'boom' }) },
  'GET /projects/:id/functions/*': { permission: 'viewer', keys: 'read', ...query({ name: 'boom' }) },
  'GET /projects/:id/refs': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/compare': { permission: 'viewer', keys: 'read', ...query({ base: 'a', head: 'b' }) },
  'GET /projects/:id/compare/file': {
    permission: 'viewer',
    keys: 'read',
    ...query({ base: 'a', head: 'b', path: 'x' }),
  },
  'GET /projects/:id/compare/symbols': {
    permission: 'viewer',
    keys: 'read',
    ...query({ base: 'a', head: 'b' }),
  },
  'POST /projects/:id/backtest': { permission: 'editor', keys: 'write', ...body({}) },
  'GET /projects/:id/backtest': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/evolution': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/evolution/coupling': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/evolution/age': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/credential': { permission: 'owner', keys: 'none' },
  'PUT /projects/:id/credential': {
    permission: 'owner',
    keys: 'none',
    ...body({ kind: 'token', token: 'x' }),
  },
  'DELETE /projects/:id/credential': { permission: 'owner', keys: 'none' },
  'POST /projects/:id/credential/test': { permission: 'owner', keys: 'none' },
  'GET /projects/:id/members': { permission: 'viewer', keys: 'none' },
  'POST /projects/:id/members': {
    permission: 'owner',
    keys: 'none',
    ...body({ identifier: 'unknown-user', role: 'viewer' }),
  },
  'PUT /projects/:id/members/:user': { permission: 'owner', keys: 'none', ...body({ role: 'editor' }) },
  'DELETE /projects/:id/members/:user': { permission: 'owner', keys: 'none' },
  'DELETE /projects/:id/membership': { permission: 'viewer', keys: 'none' },
  'PUT /projects/:id/owner': { permission: 'owner', keys: 'none', ...body({ user_id: 'MEMBER' }) },
  'POST /projects/:id/invitations': { permission: 'owner', keys: 'none', ...body({ role: 'viewer' }) },
  'DELETE /projects/:id/invitations/:invitation': { permission: 'owner', keys: 'none' },
  'POST /invitations/preview': { permission: 'own', keys: 'none', ...body({ token: 'x' }) },
  'POST /invitations/accept': { permission: 'own', keys: 'none', ...body({ token: 'x' }) },
  'GET /search': { permission: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'GET /search/history': { permission: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'GET /search/results': { permission: 'user', keys: 'read', ...query({ q: 'boom' }) },
  'GET /search/counts': { permission: 'user', keys: 'read', ...query({ q: 'boom' }) },
  'GET /search/values': { permission: 'user', keys: 'read', ...query({ key: 'lang' }) },
  'GET /search/saved': { permission: 'user', keys: 'none' },
  'POST /search/saved': { permission: 'user', keys: 'none', ...body({ name: 'Boom', query: 'boom' }) },
  'DELETE /search/saved/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'GET /checkouts': { permission: 'user', keys: 'none' },
  'PUT /projects/:id/checkout': { permission: 'viewer', keys: 'none', ...body({ folder: '/home/ada/shop' }) },
  'GET /watches': { permission: 'user', keys: 'none' },
  'POST /watches': {
    permission: 'viewer',
    keys: 'none',
    ...body({ ...project, kind: 'author', value: 'Ada' }),
  },
  'DELETE /watches/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'GET /palette': { permission: 'user', keys: 'none', ...query({ q: 'boom' }) },
  'GET /search/lines': { permission: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'POST /debug': { permission: 'viewer', keys: 'read', ...body({ error_message: 'boom', ...project }) },
  'POST /debug/rag': { permission: 'viewer', keys: 'read', ...body({ error_message: 'boom', ...project }) },
  'POST /debug/match': { permission: 'user', keys: 'read', ...body({ error_message: 'boom' }) },
  'GET /debug/sessions': { nameless: true, permission: 'viewer', keys: 'read', ...query(project) },
  'GET /debug/sessions/:id': { nameless: true, permission: 'viewer', keys: 'read', id: 'SESSION' },
  'POST /debug/sessions/:id/resolution': {
    nameless: true,
    nothing: true,
    permission: 'viewer',
    keys: 'write',
    id: 'SESSION',
    ...body({ commit: 'a'.repeat(40), resolved: true }),
  },
  'PUT /debug/sessions/:id/label': {
    nameless: true,
    permission: 'viewer',
    keys: 'write',
    id: 'SESSION',
    ...body({ commit: null, place: null }),
  },
  'GET /debug/sessions/:id/release': { nameless: true, permission: 'viewer', keys: 'read', id: 'SESSION' },
  'POST /debug/:id/proofs': {
    nameless: true,
    permission: 'editor',
    keys: 'write',
    id: 'SESSION',
    ...body({ kind: 'reproduce', command: 'true' }),
  },
  'POST /debug/:id/proofs/log': {
    nameless: true,
    permission: 'editor',
    keys: 'write',
    id: 'SESSION',
    ...body({ log: 'x', command: 'true' }),
  },
  'POST /debug/:id/proofs/script': {
    nameless: true,
    permission: 'editor',
    keys: 'read',
    id: 'SESSION',
    ...body({ command: 'true' }),
  },
  'GET /debug/:id/proofs': { nameless: true, permission: 'viewer', keys: 'read', id: 'SESSION' },
  'GET /debug/:id/proofs/plan': { nameless: true, permission: 'editor', keys: 'read', id: 'SESSION' },
  'GET /proofs/:id': { permission: 'own', keys: 'read', id: 'OTHER' },
  'GET /proofs/:id/runs/:number/log': { permission: 'own', keys: 'read', id: 'OTHER' },
  'POST /proofs/:id/cancel': { permission: 'own', keys: 'write', id: 'OTHER' },
  'GET /errors': { nameless: true, permission: 'viewer', keys: 'read', ...query(project) },
  'PATCH /errors': {
    permission: 'own',
    keys: 'write',
    id: 'OTHER',
    ...body({ changes: [{ id: 'OTHER', state: 'solved' }] }),
  },
  'POST /errors/delete': {
    permission: 'own',
    keys: 'write',
    id: 'OTHER',
    ...body({ errors: ['OTHER'] }),
  },
  'GET /errors/values': {
    nameless: true,
    permission: 'viewer',
    keys: 'read',
    ...query({ ...project, field: 'release' }),
  },
  'GET /projects/:id/errors/values': { permission: 'viewer', keys: 'read', ...query({ field: 'release' }) },
  'GET /projects/:id/errors': { permission: 'viewer', keys: 'read' },
  'PATCH /projects/:id/errors/:error': {
    nothing: true,
    permission: 'editor',
    keys: 'write',
    ...body({ state: 'solved' }),
  },
  'GET /projects/:id/errors/:error': { nothing: true, permission: 'viewer', keys: 'read' },
  'DELETE /projects/:id/errors/:error': { nothing: true, permission: 'editor', keys: 'write' },
  'GET /projects/:id/errors/:error/similar': { nothing: true, permission: 'viewer', keys: 'read' },
  'GET /projects/:id/errors/:error/events': { nothing: true, permission: 'viewer', keys: 'read' },
  'GET /projects/:id/errors/:error/events/:event': { nothing: true, permission: 'viewer', keys: 'read' },
  'POST /projects/:id/errors/:error/investigation': { nothing: true, permission: 'editor', keys: 'write' },
  'POST /projects/:id/errors/:error/merge': {
    nothing: true,
    permission: 'editor',
    keys: 'write',
    ...body({ errors: ['OTHER'] }),
  },
  'POST /projects/:id/errors/:error/split': {
    nothing: true,
    permission: 'editor',
    keys: 'write',
    ...body({ keys: ['x'] }),
  },
  'POST /notifications/email/unsubscribe': {
    permission: 'visitor',
    keys: 'none',
    ...query({ key: 'x' }),
  },
  'GET /projects/:id/webhooks': { permission: 'owner', keys: 'none' },
  'POST /projects/:id/webhooks': {
    permission: 'owner',
    keys: 'none',
    ...body({ url: 'https://hooks.example/x', events: ['error.new'] }),
  },
  'PATCH /projects/:id/webhooks/:webhook': { nothing: true, permission: 'owner', keys: 'none', ...body({}) },
  'DELETE /projects/:id/webhooks/:webhook': { nothing: true, permission: 'owner', keys: 'none' },
  'POST /projects/:id/webhooks/:webhook/test': { nothing: true, permission: 'owner', keys: 'none' },
  'GET /projects/:id/webhooks/:webhook/deliveries': { nothing: true, permission: 'owner', keys: 'none' },
  'POST /projects/:id/webhooks/:webhook/deliveries/:delivery': {
    nothing: true,
    permission: 'owner',
    keys: 'none',
  },
  'GET /projects/:id/releases': { permission: 'viewer', keys: 'read' },
  'POST /projects/:id/releases': {
    nothing: true,
    permission: 'editor',
    keys: 'write',
    ...body({ version: '1.0', commit: 'abcdef0' }),
  },
  'DELETE /projects/:id/releases/:release': { nothing: true, permission: 'editor', keys: 'write' },
  'GET /projects/:id/source-maps': { permission: 'viewer', keys: 'read' },
  'POST /projects/:id/source-maps': { permission: 'editor', keys: 'write' },
  'DELETE /projects/:id/source-maps': { permission: 'editor', keys: 'write' },
  'POST /debug/sessions/:id/thread': { nameless: true, permission: 'viewer', keys: 'write', id: 'SESSION' },
  'GET /chat/projects/:id/messages': { permission: 'viewer', keys: 'read' },
  'GET /chat/projects/:id/messages/:message': { permission: 'viewer', keys: 'read', nothing: true },
  'POST /chat/projects/:id/messages': {
    permission: 'viewer',
    keys: 'read',
    ...body({ message: 'why', ...project }),
  },
  'DELETE /chat/projects/:id/messages': { permission: 'viewer', keys: 'write' },
  'GET /chat/projects/:id/summaries': { permission: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/messages/:message/regenerate': {
    permission: 'viewer',
    nothing: true,
    keys: 'read',
    ...body({}),
  },
  'GET /chat/projects/:id/threads': { permission: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/threads': { permission: 'viewer', keys: 'write' },
  'PUT /chat/projects/:id/threads/:thread': {
    permission: 'viewer',
    nothing: true,
    keys: 'write',
    ...body({}),
  },
  'DELETE /chat/projects/:id/threads/:thread': { permission: 'viewer', nothing: true, keys: 'write' },
  'GET /chat/projects/:id/threads/:thread/export': { permission: 'viewer', nothing: true, keys: 'read' },
  'GET /chat/projects/:id/mentions': { permission: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/attachments': {
    permission: 'viewer',
    keys: 'read',
    ...body({ name: 'app.log', data: 'aGVsbG8=' }),
  },
  'GET /chat/projects/:id/attachments/:attachment': { permission: 'viewer', keys: 'read', nothing: true },
  'DELETE /chat/projects/:id/attachments/:attachment': { permission: 'viewer', keys: 'write', nothing: true },
  'GET /projects/:id/hook': { permission: 'owner', keys: 'none' },
  'POST /projects/:id/hook': { permission: 'owner', keys: 'none' },
  'DELETE /projects/:id/hook': { permission: 'owner', keys: 'none' },
  'POST /projects/:id/test-runs': {
    permission: 'editor',
    keys: 'write',
    ...query({ commit: '0'.repeat(40) }),
    ...body({}),
  },
  'GET /projects/:id/test-runs': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/tests': { permission: 'viewer', keys: 'read' },
  'DELETE /projects/:id/test-runs': { permission: 'owner', keys: 'write' },
  'GET /projects/:id/issues': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/issues/:number': { permission: 'viewer', keys: 'read', nothing: true },
  'GET /projects/:id/commit-issues': {
    permission: 'viewer',
    keys: 'read',
    ...query({ commits: 'a'.repeat(40) }),
  },
  'GET /projects/:id/issues/import': { permission: 'viewer', keys: 'read' },
  'PATCH /projects/:id/issues/import': { permission: 'owner', keys: 'write', ...body({ enabled: false }) },
  'POST /projects/:id/issues/import': {
    permission: 'owner',
    keys: 'write',
    ...body({ number: 1, title: 'x' }),
  },
  'DELETE /projects/:id/issues': { permission: 'owner', keys: 'write' },
  'GET /projects/:id/intake': { permission: 'editor', keys: 'read' },
  'POST /projects/:id/intake': { permission: 'owner', keys: 'write' },
  'PATCH /projects/:id/intake': { permission: 'owner', keys: 'write', ...body({ retention_days: 30 }) },
  'POST /projects/:id/intake/key': { permission: 'owner', keys: 'write' },
  'POST /projects/:id/intake/test': { permission: 'editor', keys: 'write' },
  'POST /:number/envelope/': { permission: 'visitor', keys: 'none', nothing: true },
  'POST /:number/store/': { permission: 'visitor', keys: 'none', nothing: true },
  'POST /:number/otlp/v1/logs': { permission: 'visitor', keys: 'none', nothing: true },
  'POST /:number/otlp/v1/traces': { permission: 'visitor', keys: 'none', nothing: true },
  'POST /hooks/:id/push': { permission: 'visitor', keys: 'none', nothing: true, ...body({}) },
  'POST /hooks/:id/errors': { permission: 'visitor', keys: 'none', nothing: true, ...body({}) },
  'GET /teams': { permission: 'user', keys: 'none' },
  'POST /teams': { permission: 'user', keys: 'none', ...body({ name: 'x' }) },
  'GET /teams/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'PATCH /teams/:id': { permission: 'own', keys: 'none', id: 'OTHER', ...body({ name: 'x' }) },
  'DELETE /teams/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'POST /teams/:id/members': { permission: 'own', keys: 'none', id: 'OTHER', ...body({ identifier: 'x' }) },
  'PUT /teams/:id/members/:user': {
    permission: 'own',
    keys: 'none',
    id: 'OTHER',
    ...body({ role: 'member' }),
  },
  'DELETE /teams/:id/members/:user': { permission: 'own', keys: 'none', id: 'OTHER' },
  'PUT /teams/:id/projects/:project': {
    permission: 'own',
    keys: 'none',
    id: 'OTHER',
    ...body({ role: 'viewer' }),
  },
  'DELETE /teams/:id/projects/:project': { permission: 'own', keys: 'none', id: 'OTHER' },
  'PUT /teams/:id/groups': { permission: 'admin', keys: 'none', id: 'OTHER', ...body({ groups: [] }) },
  'GET /projects/:id/egress': { permission: 'viewer', keys: 'read' },
  'GET /admin/egress': { permission: 'admin', keys: 'none' },
  'GET /admin/model': { permission: 'admin', keys: 'none' },
  'GET /admin/model/usage': { permission: 'admin', keys: 'none' },
  'GET /model/usage': { permission: 'user', keys: 'none' },
  'PUT /admin/model': { permission: 'admin', keys: 'none', ...body({ provider: 'ollama', name: 'x' }) },
  'DELETE /admin/model': { permission: 'admin', keys: 'none' },
  'POST /admin/model/probe': { permission: 'admin', keys: 'none' },
  'GET /model/own': { permission: 'user', keys: 'none' },
  'PUT /model/own': { permission: 'user', keys: 'none', ...body({ provider: 'ollama', name: 'x' }) },
  'DELETE /model/own': { permission: 'user', keys: 'none' },
  'POST /model/own/test': { permission: 'user', keys: 'none' },
  'GET /projects/:id/model': { permission: 'owner', keys: 'none' },
  'PUT /projects/:id/model': {
    permission: 'owner',
    keys: 'none',
    ...body({ provider: 'ollama', name: 'x' }),
  },
  'DELETE /projects/:id/model': { permission: 'owner', keys: 'none' },
  'POST /projects/:id/model/test': { permission: 'owner', keys: 'none' },
  'GET /projects/:id/model/answering': { permission: 'viewer', keys: 'read' },
  'GET /admin/own-models': { permission: 'admin', keys: 'none' },
  'PUT /admin/own-models': { permission: 'admin', keys: 'none', ...body({ mode: 'off', hosts: [] }) },
  'GET /history/commits/:id': { permission: 'viewer', keys: 'read' },
  'POST /history/feedback': {
    nameless: true,
    permission: 'viewer',
    keys: 'write',
    ...body({ debug_query_id: 'SESSION', helpful: true }),
  },
  'GET /history/feedback/:id': { nameless: true, permission: 'viewer', keys: 'read', id: 'SESSION' },
  'GET /projects/:id/working-branch': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/branches': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/branches/:branch/patch': { permission: 'viewer', keys: 'read', nothing: true },
  'PATCH /projects/:id/branches/:branch': {
    permission: 'editor',
    keys: 'write',
    nothing: true,
    ...body({ name: 'x' }),
  },
  'DELETE /projects/:id/branches/:branch': { permission: 'editor', keys: 'write', nothing: true },
  'POST /projects/:id/branches/:branch/update': {
    permission: 'editor',
    keys: 'write',
    nothing: true,
    ...body({ method: 'merge' }),
  },
  'POST /projects/:id/commits/:sha/revert': {
    permission: 'editor',
    keys: 'write',
    nothing: true,
    ...body({}),
  },
  'POST /projects/:id/pushes': {
    permission: 'editor',
    keys: 'write',
    ...body({ branch: 'x', target: 'x' }),
  },
  'POST /projects/:id/pushes/preview': {
    permission: 'editor',
    keys: 'write',
    nothing: true,
    ...body({ branch: 'x', target: 'x' }),
  },
  'GET /projects/:id/pushes': { permission: 'viewer', keys: 'read' },
  'GET /projects/:id/pushes/:push': { permission: 'viewer', keys: 'read', nothing: true },
  'GET /projects/:id/pull-requests': { permission: 'viewer', keys: 'read' },
  'POST /projects/:id/pull-requests/draft': {
    permission: 'viewer',
    keys: 'read',
    ...body({ branch: 'x' }),
  },
  'POST /projects/:id/pull-requests': {
    permission: 'editor',
    keys: 'write',
    ...body({ branch: 'x', title: 'x', body: '' }),
  },
  'POST /projects/:id/pull-requests/:pull/refresh': { permission: 'editor', keys: 'write', nothing: true },
  'GET /projects/:id/code-host': { permission: 'owner', keys: 'none' },
  'PUT /projects/:id/code-host': { permission: 'owner', keys: 'none', ...body({ kind: 'gitea' }) },
  'DELETE /projects/:id/code-host': { permission: 'owner', keys: 'none' },
  'GET /ide/projects/:id/files': { permission: 'viewer', keys: 'read' },
  'GET /ide/projects/:id/files/*': { permission: 'viewer', keys: 'read' },
  'GET /ide/projects/:id/pieces/*': { permission: 'viewer', keys: 'read' },
  'GET /ide/projects/:id/search': { permission: 'viewer', keys: 'read', ...query({ q: 'x' }) },
  'GET /ide/projects/:id/line-history/*': { permission: 'viewer', keys: 'read' },
  'POST /ide/projects/:id/files/*': { permission: 'editor', keys: 'write', ...body({ content: 'x' }) },
  'POST /ide/projects/:id/commits': {
    permission: 'editor',
    keys: 'write',
    ...body({ files: [{ path: 'x', content: 'x' }] }),
  },
  'POST /ide/projects/:id/moves': { permission: 'editor', keys: 'write', ...body({ from: 'a', to: 'b' }) },
  'DELETE /ide/projects/:id/files/*': { permission: 'editor', keys: 'write' },
  'POST /ide/projects/:id/debug/ide': {
    permission: 'viewer',
    keys: 'read',
    ...body({ code: 'x', file_path: 'x.js' }),
  },
  'POST /ide/projects/:id/checks': {
    permission: 'viewer',
    keys: 'read',
    ...body({ code: 'x', file_path: 'x.js' }),
  },
  'POST /projects/:id/change-check': { permission: 'viewer', keys: 'read', ...body({}) },
  'GET /projects/:id/impact': { permission: 'viewer', keys: 'read' },
  'GET /ide/projects/:id/risks/*': { permission: 'viewer', keys: 'read' },
  'GET /notifications': { permission: 'user', keys: 'read' },
  'GET /notifications/unread-count': { permission: 'user', keys: 'read' },
  'POST /notifications/:id/read': { permission: 'own', keys: 'write', id: 'OTHER' },
  'GET /notifications/push': { permission: 'user', keys: 'none' },
  'POST /notifications/push': { permission: 'user', keys: 'none' },
  'POST /notifications/push/unsubscribe': { permission: 'user', keys: 'none' },
  'POST /notifications/read-all': { permission: 'user', keys: 'write' },
  'DELETE /notifications/:id': { permission: 'own', keys: 'write', id: 'OTHER' },
  'POST /notifications/:id/restore': { permission: 'own', keys: 'write', id: 'OTHER' },
  'GET /payments/plans': { permission: 'visitor', keys: 'none' },
  'GET /payments/config': { permission: 'visitor', keys: 'none' },
  'POST /payments/create-order': { permission: 'user', keys: 'none' },
  'POST /payments/verify-payment': { permission: 'user', keys: 'none' },
  'GET /payments/subscription': { permission: 'user', keys: 'none' },
  'GET /payments/history': { permission: 'user', keys: 'none' },
  'POST /payments/subscription/cancel': { permission: 'user', keys: 'none' },
  'POST /payments/subscription/trial': { permission: 'user', keys: 'none' },
  'POST /payments/refund/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'POST /auth/me/subscription': { permission: 'user', keys: 'none' },
  'POST /payments/webhook': { permission: 'visitor', keys: 'none' },
  'GET /payments/usage': { permission: 'user', keys: 'none' },
  'PUT /payments/writable-projects': { permission: 'user', keys: 'none', ...body({ project_ids: [] }) },
  'GET /payments/billing-details': { permission: 'user', keys: 'none' },
  'PUT /payments/billing-details': { permission: 'user', keys: 'none' },
  'GET /payments/invoices': { permission: 'user', keys: 'none' },
  'GET /payments/invoices/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
  'POST /payments/contact-sales': { permission: 'visitor', keys: 'none' },
  'GET /keys': { permission: 'user', keys: 'none' },
  'POST /keys': { permission: 'viewer', keys: 'none', ...body({ name: 'x', scope: 'read', ...project }) },
  'DELETE /keys/:id': { permission: 'own', keys: 'none', id: 'OTHER' },
};

export const CALLERS = ['visitor', 'stranger', 'admin', 'viewer', 'editor', 'owner'] as const;
/** Those that open most come last: what they change is not missed by those before. */
export const KEYS = [
  'revoked',
  'expired',
  'inactive',
  'other project',
  'read',
  'this project',
  'write',
] as const;

/** One project with everybody around it, made by rows alone: nothing is signed up or indexed. */
export interface MatrixWorld {
  ids: Record<'PROJECT' | 'MEMBER' | 'SESSION' | 'INVITATION' | 'OTHER', string>;
  /** The header of each caller, and of each API key of the owner; a visitor has none. */
  bearer: Record<(typeof CALLERS)[number] | (typeof KEYS)[number], string | undefined>;
}

/** A world of its own, so that one call can do no harm to the next. */
export async function matrixWorld({ deps }: TestApp): Promise<MatrixWorld> {
  const { db } = deps;
  const [owner, editor, viewer, stranger, admin, inactive] = Array.from({ length: 6 }, newId) as [
    string,
    ...string[],
  ];
  const ids = { PROJECT: newId(), MEMBER: editor!, SESSION: newId(), INVITATION: newId(), OTHER: newId() };
  const elsewhere = newId();
  const past = new Date(deps.now().getTime() - 1000);
  const secrets = {
    read: { scope: 'read' },
    write: {},
    'this project': { project_id: ids.PROJECT },
    'other project': { project_id: elsewhere },
    revoked: { revoked_at: past },
    expired: { expires_at: past },
    inactive: { user_id: inactive! },
  } as const;
  const keys = Object.entries(secrets).map(([name, more]) => ({
    name,
    secret: `${API_KEY_PREFIX}${newId()}`,
    more,
  }));
  const users = [owner, editor, viewer, stranger, admin, inactive].map((id) => ({
    id: id!,
    sessionId: newId(),
    username: id!.slice(-12),
  }));
  const bearers = await Promise.all(users.map((user) => signIn(deps, user)));
  await db.transaction().execute(async (trx) => {
    const accounts = users.map(({ id, username }) => ({
      id,
      email: `${username}@example.org`,
      username,
      password_hash: 'x',
      role: id === admin ? ('admin' as const) : ('user' as const),
      is_active: id !== inactive,
    }));
    await trx.insertInto('users').values(accounts).execute();
    const expires_at = new Date(deps.now().getTime() + TOKEN_LIFETIME_S.access * 1000);
    const sessions = users.map(({ id, sessionId }) => ({
      id: sessionId,
      user_id: id,
      remember: false,
      user_agent: null,
      expires_at,
    }));
    await trx.insertInto('sessions').values(sessions).execute();
    const project = { name: 'secret words', git_url: 'https://git.example/secret', status: 'ready' } as const;
    const projects = [ids.PROJECT, elsewhere].map((id) => ({ id, ...project }));
    await trx.insertInto('projects').values(projects).execute();
    const members = [
      { project_id: ids.PROJECT, user_id: owner, role: 'owner' },
      { project_id: ids.PROJECT, user_id: editor!, role: 'editor' },
      { project_id: ids.PROJECT, user_id: viewer!, role: 'viewer' },
      { project_id: ids.PROJECT, user_id: inactive!, role: 'viewer' },
      { project_id: elsewhere, user_id: owner, role: 'owner' },
    ] as const;
    await trx
      .insertInto('project_members')
      .values([...members])
      .execute();
    const apiKeys = keys.map((key) => keyRow(key, owner));
    await trx.insertInto('api_keys').values(apiKeys).execute();
    await trx.insertInto('debug_groups').values({ project_id: ids.PROJECT, fingerprint: 'x' }).execute();
    const request = JSON.stringify({ error_message: 'boom', project_id: ids.PROJECT });
    const session = { id: ids.SESSION, project_id: ids.PROJECT, user_id: owner, number: 1, request };
    const answer = '{"solution":"x","confidence":0.1,"places":[]}';
    await trx
      .insertInto('debug_sessions')
      .values({ ...session, fingerprint: 'x', title: 'boom', answer })
      .execute();
  });
  const [ownerBearer, editorBearer, viewerBearer, strangerBearer, adminBearer] = bearers;
  return {
    ids,
    bearer: {
      visitor: undefined,
      stranger: strangerBearer,
      admin: adminBearer,
      viewer: viewerBearer,
      editor: editorBearer,
      owner: ownerBearer,
      ...(Object.fromEntries(keys.map(({ name, secret }) => [name, `Bearer ${secret}`])) as Record<
        (typeof KEYS)[number],
        string
      >),
    },
  };
}

function keyRow({ secret, more }: { secret: string; more: object }, owner: string) {
  return {
    id: newId(),
    user_id: owner,
    name: 'x',
    prefix: secret.slice(0, 9),
    scope: 'write' as const,
    digest: createHash('sha256').update(secret).digest('base64url'),
    project_id: null,
    revoked_at: null,
    expires_at: null,
    ...more,
  };
}

async function signIn(deps: Deps, user: { id: string; sessionId: string }): Promise<string> {
  const signing = { keys: deps.keys, type: 'access', now: deps.now() } as const;
  return `Bearer ${await signToken(signing, { userId: user.id, sessionId: user.sessionId, generation: 0 })}`;
}

/** The request of a row. With `missing`, every id is one that nothing has. */
export function requestOf(name: string, row: Row, { ids }: MatrixWorld, missing = false): InjectOptions {
  const id = (part: string) => (missing ? 'missing' : ids[part as keyof typeof ids]);
  const fill = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value ?? null).replace(/PROJECT|SESSION|MEMBER|INVITATION|OTHER/g, (part) => id(part)),
    ) ?? undefined;
  const [method = '', path = ''] = name.split(' ');
  const url = path
    .replace(':sha', 'abcdef0')
    .replace('*', 'README.md')
    .replace(':user', id('MEMBER'))
    .replace(':invitation', id('INVITATION'))
    .replace(':id', id(row.id ?? 'PROJECT'));
  return {
    method: method as 'GET',
    url: `/api${url}`,
    query: fill(row.query),
    payload: fill(row.payload),
  };
}
