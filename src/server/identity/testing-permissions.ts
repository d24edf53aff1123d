import { createHash } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { newId } from '#db/ids.ts';
import type { TestApp } from '../testing.ts';
import { API_KEY_PREFIX } from './access.ts';
import { signToken, TOKEN_LIFETIME_S } from './signed-tokens.ts';

/**
 * Who may make a call: anybody; whoever signed in; a member of the project with at least this role; an administrator; or
 * (`own`) whoever signed in, about things of their own.
 */
type PermissionLevel = 'visitor' | 'user' | 'own' | 'viewer' | 'editor' | 'owner' | 'admin';

/** A row of the matrix. PROJECT, MEMBER, SESSION and INVITATION stand for ids. */
export interface Row {
  who: PermissionLevel;
  /** The least scope of an API key that opens it. */
  keys: 'none' | 'read' | 'write';
  query?: Record<string, string>;
  payload?: object;
  /** What stands for `:id`; the project when absent. */
  id?: 'SESSION' | 'OTHER';
  /** Names something of the project that is not there: those who may ask are told so. */
  nothing?: true;
  /** Does not name its project, so that a key of one project does not open it. */
  nameless?: true;
}

const body = (payload: object) => ({ payload });
const query = (values: Record<string, string>) => ({ query: values });
const project = { project_id: 'PROJECT' };

/** Every route of the contract. A new one that is missing here fails the test. */
export const MATRIX: Record<string, Row> = {
  'POST /auth/register': { who: 'visitor', keys: 'none' },
  'POST /auth/login': { who: 'visitor', keys: 'none' },
  'POST /auth/refresh': { who: 'visitor', keys: 'none' },
  'POST /auth/logout': { who: 'user', keys: 'none' },
  'POST /auth/forgot-password': { who: 'visitor', keys: 'none' },
  'POST /auth/reset-password': { who: 'visitor', keys: 'none' },
  'POST /auth/password': { who: 'user', keys: 'none' },
  'GET /auth/sessions': { who: 'user', keys: 'none' },
  'DELETE /auth/sessions': { who: 'user', keys: 'none' },
  'GET /auth/setup': { who: 'visitor', keys: 'none' },
  'POST /auth/ws-ticket': { who: 'user', keys: 'none' },
  'GET /auth/me': { who: 'user', keys: 'read' },
  'PUT /auth/me': { who: 'user', keys: 'none', ...body({}) },
  'DELETE /auth/sessions/:id': { who: 'own', keys: 'none', id: 'OTHER' },
  'POST /auth/verify-email': { who: 'visitor', keys: 'none' },
  'POST /auth/me/verify-email': { who: 'user', keys: 'none' },
  'POST /auth/invitation': { who: 'visitor', keys: 'none' },
  'GET /auth/two-factor': { who: 'user', keys: 'none' },
  'POST /auth/two-factor': { who: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/confirm': { who: 'user', keys: 'none' },
  'DELETE /auth/two-factor': { who: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/recovery-codes': { who: 'user', keys: 'none', ...body({}) },
  'POST /auth/two-factor/sign-in': { who: 'visitor', keys: 'none' },
  'POST /auth/social/:provider': { who: 'visitor', keys: 'none', id: 'OTHER' },
  'GET /auth/identities': { who: 'user', keys: 'none' },
  'POST /auth/identities/:provider': { who: 'user', keys: 'none', id: 'OTHER' },
  'DELETE /auth/identities/:provider': { who: 'user', keys: 'none', id: 'OTHER' },
  'POST /auth/me/export': { who: 'user', keys: 'none', ...body({}) },
  'GET /auth/export': { who: 'visitor', keys: 'none' },
  'POST /auth/me/delete': { who: 'user', keys: 'none', ...body({}) },
  'GET /admin/users': { who: 'admin', keys: 'none' },
  'PUT /admin/users/:id': { who: 'admin', keys: 'none', id: 'OTHER', ...body({}) },
  'GET /admin/projects': { who: 'admin', keys: 'none' },
  'GET /admin/jobs': { who: 'admin', keys: 'none' },
  'POST /admin/jobs/:queue/:id/retry': { who: 'admin', keys: 'none', id: 'OTHER' },
  'POST /admin/jobs/:queue/:id/stop': { who: 'admin', keys: 'none', id: 'OTHER' },
  'DELETE /admin/jobs/:queue/:id': { who: 'admin', keys: 'none', id: 'OTHER' },
  'GET /admin/server': { who: 'admin', keys: 'none' },
  'GET /admin/features': { who: 'admin', keys: 'none' },
  'PUT /admin/features': { who: 'admin', keys: 'none', ...body({ file_saving: true }) },
  'PUT /admin/signup': { who: 'admin', keys: 'none', ...body({ mode: 'open' }) },
  'GET /admin/invitations': { who: 'admin', keys: 'none' },
  'POST /admin/invitations': { who: 'admin', keys: 'none', ...body({}) },
  'DELETE /admin/invitations/:id': { who: 'admin', keys: 'none', id: 'OTHER' },
  'GET /auth/events': { who: 'user', keys: 'none' },
  'GET /admin/events': { who: 'admin', keys: 'none' },
  'GET /dashboard': { who: 'user', keys: 'read' },
  'GET /projects': { who: 'user', keys: 'read' },
  'POST /projects': { who: 'user', keys: 'write', ...body({ name: 'x', git_url: 'https://127.0.0.1/x' }) },
  'GET /projects/:id': { who: 'viewer', keys: 'read' },
  'PATCH /projects/:id': { who: 'owner', keys: 'none', ...body({}) },
  'DELETE /projects/:id': { who: 'owner', keys: 'write' },
  'POST /projects/:id/refresh': { who: 'editor', keys: 'write' },
  'GET /projects/:id/commits': { who: 'viewer', keys: 'read' },
  'GET /projects/:id/commits/:sha': { who: 'viewer', keys: 'read' },
  'GET /projects/:id/skipped': { who: 'viewer', keys: 'read' },
  'GET /projects/:id/files/*': { who: 'viewer', keys: 'read' },
  'POST /projects/:id/backtest': { who: 'editor', keys: 'write', ...body({}) },
  'GET /projects/:id/backtest': { who: 'viewer', keys: 'read' },
  'GET /projects/:id/credential': { who: 'owner', keys: 'none' },
  'PUT /projects/:id/credential': { who: 'owner', keys: 'none', ...body({ kind: 'token', token: 'x' }) },
  'DELETE /projects/:id/credential': { who: 'owner', keys: 'none' },
  'POST /projects/:id/credential/test': { who: 'owner', keys: 'none' },
  'GET /projects/:id/members': { who: 'viewer', keys: 'none' },
  'POST /projects/:id/members': {
    who: 'owner',
    keys: 'none',
    ...body({ identifier: 'nobody-at-all', role: 'viewer' }),
  },
  'PUT /projects/:id/members/:user': { who: 'owner', keys: 'none', ...body({ role: 'editor' }) },
  'DELETE /projects/:id/members/:user': { who: 'owner', keys: 'none' },
  'DELETE /projects/:id/membership': { who: 'viewer', keys: 'none' },
  'PUT /projects/:id/owner': { who: 'owner', keys: 'none', ...body({ user_id: 'MEMBER' }) },
  'POST /projects/:id/invitations': { who: 'owner', keys: 'none', ...body({ role: 'viewer' }) },
  'DELETE /projects/:id/invitations/:invitation': { who: 'owner', keys: 'none' },
  'POST /invitations/preview': { who: 'own', keys: 'none', ...body({ token: 'x' }) },
  'POST /invitations/accept': { who: 'own', keys: 'none', ...body({ token: 'x' }) },
  'GET /search': { who: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'GET /search/history': { who: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'GET /search/lines': { who: 'viewer', keys: 'read', ...query({ q: 'boom', ...project }) },
  'POST /debug': { who: 'viewer', keys: 'read', ...body({ error_message: 'boom', ...project }) },
  'POST /debug/rag': { who: 'viewer', keys: 'read', ...body({ error_message: 'boom', ...project }) },
  'GET /debug/sessions': { nameless: true, who: 'viewer', keys: 'read', ...query(project) },
  'GET /debug/sessions/:id': { nameless: true, who: 'viewer', keys: 'read', id: 'SESSION' },
  'POST /debug/sessions/:id/resolution': {
    nameless: true,
    nothing: true,
    who: 'viewer',
    keys: 'write',
    id: 'SESSION',
    ...body({ commit: 'a'.repeat(40), resolved: true }),
  },
  'POST /debug/sessions/:id/thread': { nameless: true, who: 'viewer', keys: 'write', id: 'SESSION' },
  'GET /chat/projects/:id/messages': { who: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/messages': {
    who: 'viewer',
    keys: 'read',
    ...body({ message: 'why', ...project }),
  },
  'DELETE /chat/projects/:id/messages': { who: 'viewer', keys: 'write' },
  'GET /chat/projects/:id/summaries': { who: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/messages/:message/regenerate': {
    who: 'viewer',
    nothing: true,
    keys: 'read',
    ...body({}),
  },
  'GET /chat/projects/:id/threads': { who: 'viewer', keys: 'read' },
  'POST /chat/projects/:id/threads': { who: 'viewer', keys: 'write' },
  'PUT /chat/projects/:id/threads/:thread': { who: 'viewer', nothing: true, keys: 'write', ...body({}) },
  'DELETE /chat/projects/:id/threads/:thread': { who: 'viewer', nothing: true, keys: 'write' },
  'GET /chat/projects/:id/threads/:thread/export': { who: 'viewer', nothing: true, keys: 'read' },
  'GET /chat/projects/:id/mentions': { who: 'viewer', keys: 'read' },
  'GET /projects/:id/hook': { who: 'owner', keys: 'none' },
  'POST /projects/:id/hook': { who: 'owner', keys: 'none' },
  'DELETE /projects/:id/hook': { who: 'owner', keys: 'none' },
  'POST /hooks/:id/push': { who: 'visitor', keys: 'none', nothing: true, ...body({}) },
  'POST /hooks/:id/errors': { who: 'visitor', keys: 'none', nothing: true, ...body({}) },
  'GET /projects/:id/egress': { who: 'viewer', keys: 'read' },
  'GET /admin/egress': { who: 'admin', keys: 'none' },
  'GET /admin/model': { who: 'admin', keys: 'none' },
  'GET /admin/model/usage': { who: 'admin', keys: 'none' },
  'GET /model/usage': { who: 'user', keys: 'none' },
  'PUT /admin/model': { who: 'admin', keys: 'none', ...body({ provider: 'ollama', name: 'x' }) },
  'DELETE /admin/model': { who: 'admin', keys: 'none' },
  'POST /admin/model/probe': { who: 'admin', keys: 'none' },
  'GET /history/commits/:id': { who: 'viewer', keys: 'read' },
  'POST /history/feedback': {
    nameless: true,
    who: 'viewer',
    keys: 'write',
    ...body({ debug_query_id: 'SESSION', helpful: true }),
  },
  'GET /history/feedback/:id': { nameless: true, who: 'viewer', keys: 'read', id: 'SESSION' },
  'GET /ide/projects/:id/files': { who: 'viewer', keys: 'read' },
  'GET /ide/projects/:id/files/*': { who: 'viewer', keys: 'read' },
  'POST /ide/projects/:id/files/*': { who: 'editor', keys: 'write', ...body({ content: 'x' }) },
  'DELETE /ide/projects/:id/files/*': { who: 'editor', keys: 'write' },
  'POST /ide/projects/:id/debug/ide': {
    who: 'viewer',
    keys: 'read',
    ...body({ code: 'x', file_path: 'x.js' }),
  },
  'GET /notifications': { who: 'user', keys: 'read' },
  'GET /notifications/unread-count': { who: 'user', keys: 'read' },
  'POST /notifications/:id/read': { who: 'own', keys: 'write', id: 'OTHER' },
  'GET /notifications/push': { who: 'user', keys: 'none' },
  'POST /notifications/push': { who: 'user', keys: 'none' },
  'POST /notifications/push/unsubscribe': { who: 'user', keys: 'none' },
  'POST /notifications/read-all': { who: 'user', keys: 'write' },
  'DELETE /notifications/:id': { who: 'own', keys: 'write', id: 'OTHER' },
  'POST /notifications/:id/restore': { who: 'own', keys: 'write', id: 'OTHER' },
  'GET /payments/plans': { who: 'visitor', keys: 'none' },
  'GET /payments/config': { who: 'visitor', keys: 'none' },
  'POST /payments/create-order': { who: 'user', keys: 'none' },
  'POST /payments/verify-payment': { who: 'user', keys: 'none' },
  'GET /payments/subscription': { who: 'user', keys: 'none' },
  'GET /payments/history': { who: 'user', keys: 'none' },
  'POST /payments/subscription/cancel': { who: 'user', keys: 'none' },
  'POST /payments/subscription/trial': { who: 'user', keys: 'none' },
  'POST /payments/refund/:id': { who: 'own', keys: 'none', id: 'OTHER' },
  'POST /auth/me/subscription': { who: 'user', keys: 'none' },
  'POST /payments/webhook': { who: 'visitor', keys: 'none' },
  'GET /keys': { who: 'user', keys: 'none' },
  'POST /keys': { who: 'viewer', keys: 'none', ...body({ name: 'x', scope: 'read', ...project }) },
  'DELETE /keys/:id': { who: 'own', keys: 'none', id: 'OTHER' },
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
  const person = async (role: 'admin' | 'user' = 'user', is_active = true) => {
    const id = newId();
    const sessionId = newId();
    const name = id.slice(-12);
    await db
      .insertInto('users')
      .values({ id, email: `${name}@example.org`, username: name, password_hash: 'x', role, is_active })
      .execute();
    const expires_at = new Date(deps.now().getTime() + TOKEN_LIFETIME_S.access * 1000);
    await db
      .insertInto('sessions')
      .values({ id: sessionId, user_id: id, remember: false, user_agent: null, expires_at })
      .execute();
    const signing = { keys: deps.keys, type: 'access', now: deps.now() } as const;
    return { id, bearer: `Bearer ${await signToken(signing, { userId: id, sessionId, generation: 0 })}` };
  };
  const project = async (members: Record<string, 'owner' | 'editor' | 'viewer'>) => {
    const id = newId();
    const row = { id, name: 'secret words', git_url: 'https://git.example/secret', status: 'ready' } as const;
    await db.insertInto('projects').values(row).execute();
    const rows = Object.entries(members).map(([user_id, role]) => ({ project_id: id, user_id, role }));
    await db.insertInto('project_members').values(rows).execute();
    return id;
  };
  const key = async (user_id: string, more: object = {}) => {
    const secret = `${API_KEY_PREFIX}${newId()}`;
    const row = { id: newId(), user_id, name: 'x', prefix: secret.slice(0, 9), scope: 'write' as const };
    const digest = createHash('sha256').update(secret).digest('base64url');
    await db
      .insertInto('api_keys')
      .values({ ...row, digest, ...more })
      .execute();
    return `Bearer ${secret}`;
  };

  const [owner, editor, viewer] = [await person(), await person(), await person()];
  const inactive = await person('user', false);
  const PROJECT = await project({
    [owner.id]: 'owner',
    [editor.id]: 'editor',
    [viewer.id]: 'viewer',
    [inactive.id]: 'viewer',
  });
  const elsewhere = await project({ [owner.id]: 'owner' });
  const SESSION = newId();
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('debug_groups').values({ project_id: PROJECT, fingerprint: 'x' }).execute();
    const words = {
      fingerprint: 'x',
      title: 'boom',
      answer: '{"solution":"x","confidence":0.1,"places":[]}',
    };
    const request = JSON.stringify({ error_message: 'boom', project_id: PROJECT });
    const row = { id: SESSION, project_id: PROJECT, user_id: owner.id, number: 1, request, ...words };
    await trx.insertInto('debug_sessions').values(row).execute();
  });
  const past = new Date(deps.now().getTime() - 1000);
  return {
    ids: { PROJECT, MEMBER: editor.id, SESSION, INVITATION: newId(), OTHER: newId() },
    bearer: {
      visitor: undefined,
      stranger: (await person()).bearer,
      admin: (await person('admin')).bearer,
      viewer: viewer.bearer,
      editor: editor.bearer,
      owner: owner.bearer,
      read: await key(owner.id, { scope: 'read' }),
      write: await key(owner.id),
      'this project': await key(owner.id, { project_id: PROJECT }),
      'other project': await key(owner.id, { project_id: elsewhere }),
      revoked: await key(owner.id, { revoked_at: past }),
      expired: await key(owner.id, { expires_at: past }),
      inactive: await key(inactive.id),
    },
  };
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
