import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type InferResult, type Kysely, type Selectable, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { prepareQuery } from '#db/prepared-query.ts';
import type { ProjectMembersTable, ProjectsTable } from '#db/project-tables.ts';
import type { BranchesTable, Database } from '#db/schema.ts';
import { WORKING_BRANCH_PREFIX } from '#git/branch-names.ts';
import type { Deps } from '../deps.ts';
import type { ApiKeyGrant } from './api-key-scope.ts';
import { isBeyondPlan, projectReadOnlyByPlan } from './plan-access.ts';
import { POLICY_SETTING } from './sign-in-policy.ts';
import { type TokenClaims, verifyToken } from './signed-tokens.ts';

/** The authenticated caller of a request, from the current row of its session or API key. */
export interface Caller {
  userId: string;
  /** Id of the session; for an API key, a value that no session has. */
  sessionId: string;
  role: 'admin' | 'user';
  /** Set when an API key was used instead of a session. */
  key?: ApiKeyGrant;
  /** Set while the server requires a second factor that the user has not set up. */
  lacksSecondFactor?: true;
  /** A project of the caller that the query of their session has read, for the first `readAccess` of the request. */
  sessionProject?: ReadableProject;
}

/** Prefix of API keys, by which secret scanners recognize them. */
export const API_KEY_PREFIX = 'hs_';

export type MemberRole = ProjectMembersTable['role'];

/** A project with the caller's role in it. */
export type AccessibleProject = Selectable<ProjectsTable> & {
  role: MemberRole;
  /** True while the plan of its owner allows no changes. */
  read_only_by_plan: boolean;
  /** The caller's working branch, null before their first save; absent where it was not asked for. */
  working_branch?: Pick<Selectable<BranchesTable>, 'name' | 'head'> | null;
};

/** The columns of a project that an answer about it needs. */
type ReadableProject = Required<Pick<AccessibleProject, 'id' | 'shard_generation' | 'working_branch'>>;

type AuthDeps = Pick<Deps, 'db' | 'keys' | 'now'>;

/**
 * Returns the caller of a request by its bearer token. Throws `unauthenticated` for every invalid one, or `deactivated`. With
 * `projectId`, the query of a session also reads the caller's access to that project.
 */
export async function authenticate(
  request: FastifyRequest,
  deps: AuthDeps,
  projectId?: string,
): Promise<Caller> {
  const secret = bearerToken(request);
  if (secret.startsWith(API_KEY_PREFIX)) return await authenticateApiKey(deps, secret);
  const claims = await verifyToken({ keys: deps.keys, type: 'access', now: deps.now() }, secret);
  if (projectId === undefined || claims === null) return await authenticateSession(deps, claims);
  return await authenticateWithProject(deps, claims, projectId);
}

/** Minimum time between updates of `last_used_at`. */
const LAST_USED_INTERVAL_S = 60;

/** Returns the owner of an API key with its permissions; a key never has the role of an administrator. */
async function authenticateApiKey(deps: AuthDeps, secret: string): Promise<Caller> {
  const row = await deps.db
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .select(['k.id', 'k.user_id', 'k.scope', 'k.project_id', 'k.expires_at', 'u.is_active', 'u.deletion_at'])
    .select(lacksSecondFactor('u.totp_secret').as('lacks_second_factor'))
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
  return {
    userId: row.user_id,
    sessionId: `key:${row.id}`,
    role: 'user',
    key,
    ...(row.lacks_second_factor && { lacksSecondFactor: true }),
  };
}

/** True when the policy of the server requires a second factor and the column of its secret is null. */
function lacksSecondFactor(column: string) {
  return sql<boolean>`(${sql.ref(column)} is null and exists (
    select 1 from settings where key = ${POLICY_SETTING} and value -> 'second_factor_required' = 'true'::jsonb))`;
}

type SessionKey = Pick<TokenClaims, 'sessionId' | 'userId'>;

/** The session and its user; not their ids, which are given. */
function selectSession(db: Kysely<Database>, { sessionId, userId }: SessionKey) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.role', 'users.is_active', 'sessions.counter', 'sessions.last_seen'])
    .select(['sessions.rotated_at', 'sessions.expires_at', 'sessions.revoked_at'])
    .select(lacksSecondFactor('users.totp_secret').as('lacks_second_factor'))
    .where('sessions.id', '=', sessionId)
    .where('sessions.user_id', '=', userId);
}

type SessionRow = InferResult<ReturnType<typeof selectSession>>[number];

const querySession = prepareQuery(selectSession);

/**
 * Returns the caller of verified claims while the session is active, so that sign-out, deactivation and refresh token reuse
 * take effect before the access token expires.
 */
export async function authenticateSession(deps: AuthDeps, claims: TokenClaims | null): Promise<Caller> {
  if (!claims) throw unauthenticated();
  const { sessionId, userId } = claims;
  const [row] = await querySession(deps.db, { sessionId, userId });
  return await callerOfSession(deps, claims, row);
}

/** Returns the caller as `authenticateSession` does, with their access to a project: one query instead of two. */
async function authenticateWithProject(
  deps: AuthDeps,
  claims: TokenClaims,
  projectId: string,
): Promise<Caller> {
  const { sessionId, userId } = claims;
  const [row] = await querySessionProject(deps.db, { sessionId, userId, projectId });
  const caller = await callerOfSession(deps, claims, row);
  const { id, shard_generation, working_branch } = row!;
  return id === null ? caller : { ...caller, sessionProject: { id, shard_generation, working_branch } };
}

async function callerOfSession(
  deps: AuthDeps,
  { sessionId, userId, generation }: TokenClaims,
  row: SessionRow | undefined,
): Promise<Caller> {
  if (!row || row.revoked_at || row.expires_at <= deps.now()) throw unauthenticated();
  if (!row.is_active) throw accountDeactivated();
  if (generation === row.counter && row.last_seen <= row.rotated_at) {
    await recordTokenUse(deps, sessionId);
  }
  return {
    userId,
    sessionId,
    role: row.role,
    ...(row.lacks_second_factor && { lacksSecondFactor: true }),
  };
}

/** The 401 of every missing, malformed, expired or revoked credential. */
export function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'unauthenticated');
}

/** The only 403. */
export function accountDeactivated(): AppError {
  return new AppError('deactivated', 'account_deactivated');
}

const ROLE_RANK: Record<MemberRole, number> = { viewer: 0, editor: 1, owner: 2 };

/**
 * Returns the project if the caller is a member with at least this role. Throws `not_found` for missing projects and those
 * of others alike, `read_only` for a lower role, and `plan_limit` for editors and owners of a project that its owner's plan
 * has made read-only, unless the call only reads, removes or hands over (`evenIfReadOnly`). `withBranch` reads the caller's
 * working branch in the same query.
 */
export async function projectAccess(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  caller: Caller,
  projectId: string,
  minimum: MemberRole,
  { evenIfReadOnly = false, withBranch = false }: { evenIfReadOnly?: boolean; withBranch?: boolean } = {},
): Promise<AccessibleProject> {
  const isOtherProject = caller.key?.projectId != null && caller.key.projectId !== projectId;
  if (isOtherProject) throw new AppError('not_found', 'project_not_found');
  const query = findMembershipQuery({ isLimited: deps.config.razorpay !== null, withBranch });
  const [row] = await query(deps.db, { projectId, userId: caller.userId, now: deps.now() });
  if (!row) throw new AppError('not_found', 'project_not_found');
  if (ROLE_RANK[row.role] < ROLE_RANK[minimum]) {
    throw new AppError('read_only', 'role_too_low');
  }
  if (row.read_only_by_plan && minimum !== 'viewer' && !evenIfReadOnly) throw projectReadOnlyByPlan();
  return row;
}

/**
 * Returns the project if the caller may read it, with their working branch. Throws `not_found` otherwise. What was read with the
 * session is used once, so that whatever asks later sees the access of then.
 */
export async function readAccess(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  caller: Caller,
  projectId: string,
): Promise<ReadableProject> {
  const project = caller.sessionProject;
  delete caller.sessionProject;
  if (project?.id === projectId) return project;
  const { working_branch = null, ...row } = await projectAccess(deps, caller, projectId, 'viewer', {
    withBranch: true,
  });
  return { ...row, working_branch };
}

type MembershipQuery = ReturnType<typeof prepareMembershipQuery>;

const membershipQueries = new Map<string, MembershipQuery>();

/** Finds the query of a membership, of which there is one for each combination of the options. */
function findMembershipQuery(options: MembershipOptions): MembershipQuery {
  const key = `${options.isLimited} ${options.withBranch}`;
  const query = membershipQueries.get(key) ?? prepareMembershipQuery(options);
  membershipQueries.set(key, query);
  return query;
}

interface MembershipOptions {
  /** True where plans limit projects. */
  isLimited: boolean;
  withBranch: boolean;
}

function prepareMembershipQuery({ isLimited, withBranch }: MembershipOptions) {
  return prepareQuery((db, values: { projectId: string; userId: string; now: Date }) =>
    db
      .selectFrom('projects')
      .innerJoin('project_members', 'project_members.project_id', 'projects.id')
      .selectAll('projects')
      .select('project_members.role')
      .select(
        (isLimited ? isBeyondPlan(values.now, 'projects.id') : sql<boolean>`false`).as('read_only_by_plan'),
      )
      .$if(withBranch, (query) => query.select(workingBranch.as('working_branch')))
      .where('projects.id', '=', values.projectId)
      .where('project_members.user_id', '=', values.userId),
  );
}

/** Working branch of the member that a query of `projects` and `project_members` is about, as `findBranch` finds it. */
const workingBranch = sql<NonNullable<AccessibleProject['working_branch']> | null>`(
  select json_build_object('name', b.name, 'head', b.head) from branches b
  where b.project_id = projects.id and b.user_id = project_members.user_id and b.name like ${`${WORKING_BRANCH_PREFIX}%`}
  order by b.created_at limit 1)`;

/** The session, and the project with its working branch where its user is a member; the columns of the project are null otherwise. */
const querySessionProject = prepareQuery((db, values: SessionKey & { projectId: string }) =>
  selectSession(db, values)
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'sessions.user_id')
        .on('project_members.project_id', '=', values.projectId),
    )
    .leftJoin('projects', 'projects.id', 'project_members.project_id')
    .select(['projects.id', 'projects.shard_generation'])
    .select(workingBranch.as('working_branch')),
);

/** Records use of the current token generation; a later refresh with its parent then counts as token reuse. */
async function recordTokenUse(deps: AuthDeps, sessionId: string): Promise<void> {
  await deps.db.updateTable('sessions').set({ last_seen: deps.now() }).where('id', '=', sessionId).execute();
}

/** Returns an empty token for a request with several authorization headers, which has been tampered with. */
function bearerToken(request: FastifyRequest): string {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return '';
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
