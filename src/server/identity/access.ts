import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Selectable, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ProjectMembersTable, ProjectsTable } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import type { ApiKeyGrant } from './api-key-scope.ts';
import { type TokenClaims, verifyToken } from './signed-tokens.ts';

/** Who calls, as the session row says right now. */
export interface Caller {
  userId: string;
  /** The sign-in; for a program, a name that no sign-in has. */
  sessionId: string;
  role: 'admin' | 'user';
  /** The API key of a program; absent for a person who has signed in. */
  key?: ApiKeyGrant;
}

/** What every API key begins with, so that scanners for secrets know one. */
export const API_KEY_PREFIX = 'hs_';

export type MemberRole = ProjectMembersTable['role'];

/** A project with what the caller is in it. */
export type ProjectRow = Selectable<ProjectsTable> & { role: MemberRole };

type Needs = Pick<Deps, 'db' | 'keys' | 'now'>;

/** The caller of a request by its bearer header. Throws `unauthenticated`, always in the same words, or `deactivated`. */
export async function authenticate(request: FastifyRequest, deps: Needs): Promise<Caller> {
  const secret = bearerToken(request);
  if (secret.startsWith(API_KEY_PREFIX)) return await authenticateApiKey(deps, secret);
  const claims = await verifyToken({ keys: deps.keys, type: 'access', now: deps.now() }, secret);
  return await authenticateSession(deps, claims);
}

/** Uses of a key are noted once in this time. */
const LAST_USED_INTERVAL_S = 60;

/** The owner of an API key, with the key's limits. A program is no administrator, whoever its owner is. */
async function authenticateApiKey(deps: Needs, secret: string): Promise<Caller> {
  const row = await deps.db
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select(['k.id', 'k.user_id', 'k.scope', 'k.project_id', 'k.expires_at', 'u.is_active', 'u.deletion_at'])
    .where('k.digest', '=', createHash('sha256').update(secret).digest('base64url'))
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst();
  const now = deps.now();
  if (!row || (row.expires_at && row.expires_at <= now) || row.deletion_at) throw unauthenticated();
  if (!row.is_active) throw accountDeactivated();
  await deps.db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', row.id)
    .where(
      sql<boolean>`(last_used_at is null or last_used_at < ${now}::timestamptz - make_interval(secs => ${LAST_USED_INTERVAL_S}))`,
    )
    .execute();
  const key = { id: row.id, scope: row.scope, projectId: row.project_id };
  return { userId: row.user_id, sessionId: `key:${row.id}`, role: 'user', key };
}

/**
 * The caller whom checked claims name, if the session still stands: sign-out, deactivation and reuse of a
 * refresh token act at once, not when the access token ends.
 */
export async function authenticateSession(deps: Needs, claims: TokenClaims | null): Promise<Caller> {
  if (!claims) throw unauthenticated();
  const row = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'users.is_active', 'sessions.counter', 'sessions.last_seen'])
    .select(['sessions.rotated_at', 'sessions.expires_at', 'sessions.revoked_at'])
    .where('sessions.id', '=', claims.sessionId)
    .where('sessions.user_id', '=', claims.userId)
    .executeTakeFirst();
  if (!row || row.revoked_at || row.expires_at <= deps.now()) throw unauthenticated();
  if (!row.is_active) throw accountDeactivated();
  if (claims.generation === row.counter && row.last_seen <= row.rotated_at) {
    await recordTokenUse(deps, claims.sessionId);
  }
  return { userId: row.id, sessionId: claims.sessionId, role: row.role };
}

/** The 401 of every missing, broken, ended or foreign sign-in. */
export function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'unauthenticated');
}

/** The one 403. */
export function accountDeactivated(): AppError {
  return new AppError('deactivated', 'account_deactivated');
}

const ROLE_RANK: Record<MemberRole, number> = { viewer: 0, editor: 1, owner: 2 };

/**
 * The project, if the caller is a member with at least this role. A project that is not there and one of
 * somebody else are the same `not_found`; a member with too small a role gets `read_only`.
 */
export async function projectAccess(
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  projectId: string,
  minimum: MemberRole,
): Promise<ProjectRow> {
  const isOutside = caller.key?.projectId != null && caller.key.projectId !== projectId;
  if (isOutside) throw new AppError('not_found', 'project_not_found');
  const row = await deps.db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .selectAll('projects')
    .select('project_members.role')
    .where('projects.id', '=', projectId)
    .where('project_members.user_id', '=', caller.userId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'project_not_found');
  if (ROLE_RANK[row.role] < ROLE_RANK[minimum]) {
    throw new AppError('read_only', 'role_too_low');
  }
  return row;
}

/** Marks that a token of the current generation was used: from now on its parent is a stolen one (see refresh). */
async function recordTokenUse(deps: Needs, sessionId: string): Promise<void> {
  await deps.db.updateTable('sessions').set({ last_seen: deps.now() }).where('id', '=', sessionId).execute();
}

/** A request with two authorization headers is one that somebody tampered with. */
function bearerToken(request: FastifyRequest): string {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return '';
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
