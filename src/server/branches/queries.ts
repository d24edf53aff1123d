import type { Kysely, Selectable } from 'kysely';
import type { PullRequest, Push } from '#contract/branches.ts';
import { AppError } from '#contract/errors.ts';
import type { Database, PullRequestsTable, PushesTable } from '#db/schema.ts';
import { type BranchOwner, type BranchRow, findBranch } from '../project-data/branches.ts';

export type PushRow = Selectable<PushesTable>;
export type PullRequestRow = Selectable<PullRequestsTable>;

/** Finds one of the caller's branches. Throws `not_found`, also for branches of others. */
export async function requireBranch(
  db: Kysely<Database>,
  owner: BranchOwner,
  name: string,
): Promise<BranchRow> {
  const row = await findBranch(db, owner, name);
  if (row === null) throw new AppError('not_found', 'branch_not_found');
  return row;
}

/** Lists the caller's branches, the newest first; of one debug session where it is given. */
export async function listBranchRows(
  db: Kysely<Database>,
  { projectId, userId }: BranchOwner,
  sessionId?: string,
): Promise<BranchRow[]> {
  return await db
    .selectFrom('branches')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .$if(sessionId !== undefined, (query) => query.where('session_id', '=', sessionId!))
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute();
}

const MAX_LISTED = 200;

/** Lists the newest successful push of each of the caller's branches. */
export async function listLatestPushes(
  db: Kysely<Database>,
  { projectId, userId }: BranchOwner,
): Promise<Map<string, PushRow>> {
  const rows = await db
    .selectFrom('pushes')
    .distinctOn('branch')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .where('state', '=', 'done')
    .orderBy('branch')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.branch, row]));
}

/** Formats a push for its user. */
export function presentPush(row: PushRow): Push {
  return {
    id: row.id,
    branch: row.branch,
    target: row.target,
    head: row.head,
    commits: row.commits,
    state: row.state,
    outcome: row.outcome,
    failure: row.failure,
    message: row.message,
    url: row.url,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Lists pull requests of a project, newest first. */
export async function listPullRequestRows(
  db: Kysely<Database>,
  { projectId, userId, sessionId }: BranchOwner & { sessionId?: string },
): Promise<PullRequest[]> {
  const rows = await db
    .selectFrom('pull_requests as p')
    .leftJoin('debug_sessions as s', (join) =>
      join
        .onRef('s.id', '=', 'p.session_id')
        .onRef('s.project_id', '=', 'p.project_id')
        .on((eb) => eb.or([eb('s.draft', '=', false), eb('s.user_id', '=', userId)])),
    )
    .selectAll('p')
    .select('s.id as visible_session')
    .where('p.project_id', '=', projectId)
    .$if(sessionId !== undefined, (query) => query.where('s.id', '=', sessionId!))
    .orderBy('p.id', 'desc')
    .limit(500)
    .execute();
  return rows.map(({ visible_session, ...row }) =>
    presentPullRequest({ ...row, session_id: visible_session }),
  );
}

/** Formats a pull request. */
export function presentPullRequest(row: PullRequestRow): PullRequest {
  const { id, number, url, branch, target, title, state, checks, merge_commit, session_id, failure } = row;
  return {
    ...{ id, number, url, branch, target, title, state, checks, merge_commit, session_id, failure },
    created_at: row.created_at.toISOString(),
    checked_at: row.checked_at.toISOString(),
  };
}
