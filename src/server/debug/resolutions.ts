import type { Kysely } from 'kysely';
import type { Resolution } from '#contract/debug.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { citedLines, findResolution } from '#investigate/history/fixing-commit.ts';
import type { Deps } from '../deps.ts';
import { byProject } from '../project-data/project-owner.ts';
import { projectStorage } from '../project-data/storage.ts';

const JOB = 'resolutions';
const RETRIES = 2;
/** Sessions that new commits are held against, the newest first. */
const MOST_SESSIONS = 100;

interface ResolutionsJob {
  project_id: string;
}

/** Registers the job that holds new commits against the open sessions of a project. */
export function defineResolutions(deps: Deps): void {
  deps.jobs.define<ResolutionsJob>(
    JOB,
    { concurrency: 1, retryLimit: RETRIES, ...byProject(deps) },
    ({ project_id }, { signal }) =>
      suggestResolutions(deps, project_id, deps.projectWork.register(project_id, signal)),
  );
  deps.events.subscribe('project-indexed', ({ projectId, previous }) => {
    // A lost request is made up for by the next refresh: sessions are held against all that came since.
    if (previous !== null) deps.jobs.send<ResolutionsJob>(JOB, { project_id: projectId }).catch(() => {});
  });
}

async function suggestResolutions(deps: Deps, projectId: string, signal: AbortSignal): Promise<void> {
  const { db, config, events } = deps;
  const { repo } = projectStorage(config.dataDir, projectId);
  const told = new Set<string>();
  for (const { id, answer, head, about } of await openSessions(db, projectId)) {
    const span = { repo, base: answer.indexed_commit, head, signal };
    const found = await findResolution(citedLines(answer), span).catch((error) => {
      // A history that was rewritten no longer has the commit of the answer.
      if (signal.aborted || !(error instanceof AppError)) throw error;
      return null;
    });
    if (!found) continue;
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('debug_resolutions')
      .values({ project_id: projectId, session_id: id, commit: found.hash, found: JSON.stringify(found) })
      .onConflict((conflict) => conflict.columns(['project_id', 'session_id', 'commit']).doNothing())
      .executeTakeFirst();
    const news = `${about} ${found.hash}`;
    if (!numInsertedOrUpdatedRows || told.has(news)) continue;
    told.add(news);
    events.emit({ type: 'fix-suggested', sessionId: id, commit: found.hash });
  }
}

/** Sessions about errors that nobody has called solved, answered at an older head than the project has now. */
async function openSessions(db: Kysely<Database>, projectId: string) {
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
    .limit(MOST_SESSIONS)
    .execute();
  return rows.flatMap(({ id, answer, user_id, fingerprint, indexed_commit: head }) =>
    head !== null && !answer.abstained && answer.indexed_commit !== head
      ? [{ id, answer, head, about: `${user_id} ${fingerprint}` }]
      : [],
  );
}

/** The commit that resolved a session, or the newest that may have; null while there is none. */
export async function findSessionResolution(
  db: Kysely<Database>,
  session: { project_id: string; id: string },
): Promise<Resolution | null> {
  const row = await db
    .selectFrom('debug_resolutions')
    .select(['found', 'state'])
    .where('project_id', '=', session.project_id)
    .where('session_id', '=', session.id)
    .where('state', '!=', 'rejected')
    .orderBy('state')
    .orderBy('found_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { ...row.found, state: row.state } : null;
}

/**
 * Keeps what somebody says of a suggested commit, that it solved the error or that it did not, for all sessions about that
 * error. Throws `not_found`.
 */
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
    if (numUpdatedRows === 0n) throw new AppError('not_found', 'There is no such suggestion.');
    if (!resolved) return;
    await trx
      .updateTable('debug_groups')
      .set({ state: 'solved' })
      .where('project_id', '=', session.project_id)
      .where('fingerprint', '=', session.fingerprint)
      .execute();
  });
}
