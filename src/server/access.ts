import type { FastifyRequest } from 'fastify';
import type { Selectable } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { ProjectMembersTable, ProjectsTable } from '#db/schema.ts';
import type { Deps } from './deps.ts';
import { type Claims, verify } from './signed.ts';

/** Who calls, as the session row says right now. */
export interface Caller {
  userId: string;
  sessionId: string;
  role: 'admin' | 'user';
}

export type MemberRole = ProjectMembersTable['role'];

/** A project with what the caller is in it. */
export type ProjectRow = Selectable<ProjectsTable> & { role: MemberRole };

type Needs = Pick<Deps, 'db' | 'keys' | 'now'>;

/** The caller of a request by its bearer header. Throws `unauthenticated`, always in the same words, or `deactivated`. */
export async function authenticate(request: FastifyRequest, deps: Needs): Promise<Caller> {
  const claims = await verify({ keys: deps.keys, type: 'access', now: deps.now() }, bearer(request));
  return await openSession(deps, claims);
}

/**
 * The caller whom checked claims name, if the session still stands: sign-out, deactivation and reuse of a
 * refresh token act at once, not when the access token ends.
 */
export async function openSession(deps: Needs, claims: Claims | null): Promise<Caller> {
  if (!claims) throw signedOut();
  const row = await deps.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.role', 'users.is_active', 'sessions.counter', 'sessions.last_seen'])
    .select(['sessions.rotated_at', 'sessions.expires_at', 'sessions.revoked_at'])
    .where('sessions.id', '=', claims.sessionId)
    .where('sessions.user_id', '=', claims.userId)
    .executeTakeFirst();
  if (!row || row.revoked_at || row.expires_at <= deps.now()) throw signedOut();
  if (!row.is_active) throw deactivated();
  if (claims.generation === row.counter && row.last_seen <= row.rotated_at) {
    await markSeen(deps, claims.sessionId);
  }
  return { userId: row.id, sessionId: claims.sessionId, role: row.role };
}

/** The 401 of every missing, broken, ended or foreign sign-in. */
export function signedOut(): AppError {
  return new AppError('unauthenticated', 'Sign in to continue.');
}

/** The one 403. */
export function deactivated(): AppError {
  return new AppError('deactivated', 'This account has been deactivated.');
}

const RANK: Record<MemberRole, number> = { viewer: 0, editor: 1, owner: 2 };

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
  const row = await deps.db
    .selectFrom('projects')
    .innerJoin('project_members', 'project_members.project_id', 'projects.id')
    .selectAll('projects')
    .select('project_members.role')
    .where('projects.id', '=', projectId)
    .where('project_members.user_id', '=', caller.userId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'Project not found.');
  if (RANK[row.role] < RANK[minimum]) {
    throw new AppError('read_only', 'Your role in this project does not allow this.');
  }
  return row;
}

/** Marks that a token of the current generation was used: from now on its parent is a stolen one (see refresh). */
async function markSeen(deps: Needs, sessionId: string): Promise<void> {
  await deps.db.updateTable('sessions').set({ last_seen: deps.now() }).where('id', '=', sessionId).execute();
}

/** A request with two authorization headers is one that somebody tampered with. */
function bearer(request: FastifyRequest): string {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return '';
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
