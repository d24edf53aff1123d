import type { Kysely } from 'kysely';
import type { Resolution } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { citedLines, findFixingCommit } from '#investigate/fixes/fixing-commit.ts';
import type { Deps } from '../deps.ts';
import type { ServerJob } from '../events.ts';
import { setErrorState } from '../project-data/debug-sessions.ts';
import { projectJobOptions } from '../project-data/project-owner.ts';

const QUEUE = 'resolutions';
const RETRY_LIMIT = 2;
/** Newest sessions that new commits are checked against. */
const MAX_SESSIONS = 100;

interface ResolutionsJob {
  project_id: string;
}

/**
 * Returns the job that checks new commits against the unsolved sessions of a project. A lost request is covered by the
 * next refresh, since sessions are checked against all commits since their answer.
 */
export function resolutionsJob(deps: Deps): ServerJob<ResolutionsJob> {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    ...projectJobOptions(deps),
    afterIndexing: ({ projectId, previous }) => (previous === null ? null : { project_id: projectId }),
    run: ({ project_id }, { signal }) =>
      suggestResolutions(deps, project_id, deps.projectCancellation.signalFor(project_id, signal)),
  };
}

async function suggestResolutions(deps: Deps, projectId: string, signal: AbortSignal): Promise<void> {
  const { db, events } = deps;
  const repo = await deps.projectFiles.repositories.open(projectId);
  const emitted = new Set<string>();
  for (const { id, answer, head, groupKey } of await listUnsolvedSessions(db, projectId)) {
    const span = { repo, base: answer.indexed_commit, head, signal };
    const found = await findFixingCommit(citedLines(answer), span).catch((error) => {
      // A rewritten history may not contain the commit of the answer.
      if (signal.aborted || !(error instanceof AppError)) throw error;
      return null;
    });
    if (!found) continue;
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('debug_resolutions')
      .values({
        project_id: projectId,
        session_id: id,
        commit: found.hash,
        fixing_commit: JSON.stringify(found),
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'session_id', 'commit']).doNothing())
      .executeTakeFirst();
    const eventKey = `${groupKey} ${found.hash}`;
    if (!numInsertedOrUpdatedRows || emitted.has(eventKey)) continue;
    emitted.add(eventKey);
    events.emit({ type: 'fix-suggested', sessionId: id, commit: found.hash });
  }
}

/** Unsolved sessions that were answered at an older head than the project has now. */
async function listUnsolvedSessions(db: Kysely<Database>, projectId: string) {
  const rows = await db
    .selectFrom('debug_sessions as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('debug_groups as g', (join) =>
      join.onRef('g.project_id', '=', 's.project_id').onRef('g.fingerprint', '=', 's.fingerprint'),
    )
    .where('s.project_id', '=', projectId)
    .where('g.state', '!=', 'solved')
    .where('p.indexed_commit', 'is not', null)
    .select(['s.id', 's.answer', 's.user_id', 's.fingerprint', 'p.indexed_commit'])
    .orderBy('s.id', 'desc')
    .limit(MAX_SESSIONS)
    .execute();
  return rows.flatMap(({ id, answer, user_id, fingerprint, indexed_commit: head }) =>
    head !== null && !answer.abstained && answer.indexed_commit !== head
      ? [{ id, answer, head, groupKey: `${user_id} ${fingerprint}` }]
      : [],
  );
}

/** The confirmed resolution of a session, else the newest suggestion; null without one. */
export async function findSessionResolution(
  db: Kysely<Database>,
  session: { project_id: string; id: string },
): Promise<Resolution | null> {
  const row = await db
    .selectFrom('debug_resolutions')
    .select(['fixing_commit', 'state'])
    .where('project_id', '=', session.project_id)
    .where('session_id', '=', session.id)
    .where('state', '!=', 'rejected')
    .orderBy('state')
    .orderBy('suggested_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row.fixing_commit, state: row.state } : null;
}

/** Confirms or rejects a suggested commit, for all sessions with the same fingerprint. Throws `not_found`. */
export async function decideResolution(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  session: { project_id: string; id: string; fingerprint: string },
  { commit, resolved, userId }: { commit: string; resolved: boolean; userId: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('debug_resolutions')
      .set({ state: resolved ? 'confirmed' : 'rejected', decided_at: now(), decided_by: userId })
      .where('project_id', '=', session.project_id)
      .where('commit', '=', commit)
      .where('session_id', 'in', (eb) =>
        eb
          .selectFrom('debug_sessions')
          .select('id')
          .where('project_id', '=', session.project_id)
          .where('fingerprint', '=', session.fingerprint),
      )
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new AppError('not_found', 'suggestion_not_found');
    if (!resolved) return;
    await setErrorState(trx, session, { state: 'solved', userId });
  });
}
