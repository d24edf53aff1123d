import { type Kysely, type Selectable, sql } from 'kysely';
import type { Feedback, FixingCommit } from '#contract/debug.ts';
import type { ErrorState } from '#contract/error-groups.ts';
import { AppError } from '#contract/errors.ts';
import type { DebugSessionsTable, FeedbackTable } from '#db/debug-tables.ts';
import type { Database } from '#db/schema.ts';
import type { PastSession } from '#investigate/fixes/similar-sessions.ts';

/** Newest sessions of a project that a new error is compared with. */
const MAX_PAST_SESSIONS = 200;

/** Selects debug sessions (`s`) of all projects that the user is a member of, except those about the drafts of others. */
export function visibleSessions(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('debug_sessions as s')
    .innerJoin('project_members as m', 'm.project_id', 's.project_id')
    .where('m.user_id', '=', userId)
    .where((eb) => eb.or([eb('s.draft', '=', false), eb('s.user_id', '=', userId)]));
}

/**
 * Finds a session by id, or by its number among the caller's own, which clients of the specification send. Sessions are visible
 * to all members of their project, those about a draft to their author only. Throws `not_found`.
 */
export async function findSession(
  db: Kysely<Database>,
  userId: string,
  idOrNumber: string | number,
): Promise<Selectable<DebugSessionsTable>> {
  const text = String(idOrNumber);
  const visible = visibleSessions(db, userId).selectAll('s');
  const row = await (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647
    ? visible.where('s.user_id', '=', userId).where('s.number', '=', Number(text))
    : visible.where('s.id', '=', text)
  ).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'debug_session_not_found');
  return row;
}

/**
 * Lists earlier sessions of a project, newest first, as evidence for a new one, with the feedback of all members. Excludes
 * sessions about drafts, which others may not see.
 */
export async function listPastSessions(db: Kysely<Database>, projectId: string): Promise<PastSession[]> {
  const rows = await db
    .selectFrom('debug_sessions as s')
    .leftJoin('debug_resolutions as r', (join) =>
      join
        .onRef('r.project_id', '=', 's.project_id')
        .onRef('r.session_id', '=', 's.id')
        .on('r.state', '=', 'confirmed'),
    )
    // Decompresses each stored answer once for its three fields.
    .innerJoinLateral(
      sql<{ cause: string | null; solution: string; hash: string | null }>`(
        select fields.root_cause->>'text' as cause, fields.solution, fields.suspect_commits->0->>'hash' as hash
        from jsonb_to_record(s.answer) as fields(root_cause jsonb, solution text, suspect_commits jsonb)
      )`.as('a'),
      (join) => join.onTrue(),
    )
    .where('s.project_id', '=', projectId)
    .where('s.draft', '=', false)
    .select(['s.id', 's.title', 's.created_at', 'r.fixing_commit as fix'])
    .select((eb) =>
      eb
        .selectFrom('feedback as f')
        .whereRef('f.session_id', '=', 's.id')
        .select(sql<boolean | null>`bool_or(f.helpful)`.as('helpful'))
        .as('helpful'),
    )
    .select(sql<string>`s.request->>'error_message'`.as('error'))
    .select(['a.cause', 'a.solution', 'a.hash'])
    .orderBy('s.id', 'desc')
    .limit(MAX_PAST_SESSIONS)
    .execute();
  return rows.map(({ created_at, hash, ...row }) => ({
    ...row,
    hash: hash ?? undefined,
    seenAt: created_at.toISOString(),
  }));
}

/** Changes the state of the error of a session; nothing when it has that state already. */
export async function setErrorState(
  db: Kysely<Database>,
  { project_id, fingerprint }: { project_id: string; fingerprint: string },
  { state, userId }: { state: ErrorState; userId: string | null },
): Promise<void> {
  await db
    .updateTable('debug_groups')
    .set({ state, state_changed_at: sql<Date>`now()`, state_changed_by: userId })
    .where('project_id', '=', project_id)
    .where('fingerprint', '=', fingerprint)
    .where('state', '<>', state)
    .execute();
}

/** A merged pull request that fixes the error of a session. */
interface Merge {
  projectId: string;
  sessionId: string;
  /** User who opened the request; null after the account was deleted. */
  userId: string | null;
  /** Null where the commit is not here yet. */
  fix: FixingCommit | null;
}

/** Marks the error of a session as solved by a merged pull request, with its commit as the confirmed resolution. */
export async function resolveByMerge(
  db: Kysely<Database>,
  { projectId, sessionId, userId, fix }: Merge,
): Promise<void> {
  const session = await db
    .selectFrom('debug_sessions')
    .select('fingerprint')
    .where('project_id', '=', projectId)
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (!session) return;
  if (fix) {
    const decision = { state: 'confirmed' as const, decided_at: sql<Date>`now()`, decided_by: userId };
    await db
      .insertInto('debug_resolutions')
      .values({
        ...{ project_id: projectId, session_id: sessionId, commit: fix.hash },
        fixing_commit: JSON.stringify(fix),
        ...decision,
      })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'session_id', 'commit']).doUpdateSet(decision),
      )
      .execute();
  }
  const group = { project_id: projectId, fingerprint: session.fingerprint };
  await setErrorState(db, group, { state: 'solved', userId });
}

/** Presents a row of feedback. */
export function presentFeedback(row: Selectable<FeedbackTable>): Feedback {
  return {
    id: row.id,
    helpful: row.helpful,
    comments: row.comments,
    created_at: row.created_at.toISOString(),
  };
}
