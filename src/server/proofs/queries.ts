import { type Kysely, type Selectable, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { MAX_PROOF_RUNS, MAX_SESSION_PROOFS, type ProofSummary } from '#contract/proofs.ts';
import { newId } from '#db/ids.ts';
import type { ProofRunsTable, ProofsTable, StoredProofRequest } from '#db/proof-tables.ts';
import type { Database } from '#db/schema.ts';
import { visibleSessions } from '../project-data/debug-sessions.ts';

export type ProofRow = Selectable<ProofsTable>;
type ProofRunRow = Omit<Selectable<ProofRunsTable>, 'log'> & { has_log: boolean };

/** Queued and running proofs of one user, and of one project. */
const MAX_UNFINISHED = { perUser: 3, perProject: 10 };

/** Selects proofs (`p`) of the sessions that a user may see, without those about the drafts of others. */
function visibleProofs(db: Kysely<Database>, userId: string) {
  return visibleSessions(db, userId)
    .innerJoin('proofs as p', (join) =>
      join.onRef('p.project_id', '=', 's.project_id').onRef('p.session_id', '=', 's.id'),
    )
    .where((eb) => eb.or([eb('p.draft', '=', false), eb('p.user_id', '=', userId)]));
}

/** Finds a proof that a user may see. Throws `not_found`. */
export async function findProof(db: Kysely<Database>, userId: string, id: string): Promise<ProofRow> {
  const row = await visibleProofs(db, userId).selectAll('p').where('p.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('not_found', 'proof_not_found');
  return row;
}

/** Lists the newest proofs of a session. */
export async function listSessionProofs(
  db: Kysely<Database>,
  userId: string,
  sessionId: string,
): Promise<ProofSummary[]> {
  const rows = await visibleProofs(db, userId)
    .leftJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'p.session_id', 'p.project_id', 'p.kind', 'p.state', 'p.ending', 'p.first_bad'])
    .select(['p.created_at', 'u.username as author'])
    .where('p.session_id', '=', sessionId)
    .orderBy('p.id', 'desc')
    .limit(MAX_SESSION_PROOFS)
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Runs of a proof in their order, without their logs. */
export async function listProofRuns(
  db: Kysely<Database>,
  { project_id, id }: Pick<ProofRow, 'project_id' | 'id'>,
): Promise<ProofRunRow[]> {
  return await db
    .selectFrom('proof_runs')
    .select([
      'project_id',
      'proof_id',
      'number',
      'commit',
      'message',
      'purpose',
      'outcome',
      'skip_reason',
      'ms',
    ])
    .select(['log_truncated', 'created_at', sql<boolean>`log is not null`.as('has_log')])
    .where('project_id', '=', project_id)
    .where('proof_id', '=', id)
    .orderBy('number')
    .limit(MAX_PROOF_RUNS)
    .execute();
}

/** Output of one run; null when there is no such run. */
export async function findRunLog(
  db: Kysely<Database>,
  { project_id, id }: Pick<ProofRow, 'project_id' | 'id'>,
  number: number,
): Promise<{ log: string | null; log_truncated: boolean } | null> {
  const row = await db
    .selectFrom('proof_runs')
    .select(['log', 'log_truncated'])
    .where('project_id', '=', project_id)
    .where('proof_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  return row ?? null;
}

/** Counts the unfinished proofs that were started before a queued one. */
export async function countAhead(db: Kysely<Database>, { state, id }: ProofRow): Promise<number> {
  if (state !== 'queued') return 0;
  const { count } = await db
    .selectFrom('proofs')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', 'in', ['queued', 'running'])
    .where('id', '<', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

type NewProof = Pick<ProofRow, 'project_id' | 'session_id' | 'kind' | 'draft'> & {
  user_id: string;
  request: StoredProofRequest;
};

/** Inserts a queued proof. Throws `conflict` when too many of the user or of the project have not ended. */
export async function insertProof(db: Kysely<Database>, values: NewProof): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    // Concurrent starts in a project are counted one after the other.
    await trx.selectFrom('projects').select('id').where('id', '=', values.project_id).forUpdate().execute();
    const unfinished = () =>
      trx
        .selectFrom('proofs')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('state', 'in', ['queued', 'running']);
    const [ofUser, ofProject] = await Promise.all([
      unfinished().where('user_id', '=', values.user_id).executeTakeFirstOrThrow(),
      unfinished().where('project_id', '=', values.project_id).executeTakeFirstOrThrow(),
    ]);
    const limit =
      Number(ofUser.count) >= MAX_UNFINISHED.perUser
        ? MAX_UNFINISHED.perUser
        : Number(ofProject.count) >= MAX_UNFINISHED.perProject
          ? MAX_UNFINISHED.perProject
          : null;
    if (limit !== null) {
      throw new AppError('conflict', 'proof_limit_reached', { params: { limit }, reason: 'too_many_proofs' });
    }
    const id = newId();
    await trx
      .insertInto('proofs')
      .values({ ...values, id, request: JSON.stringify(values.request) })
      .execute();
    return id;
  });
}

type ProofUpdate = {
  started?: true;
  ending?: ProofRow['ending'];
  first_bad?: string | null;
  verified_tree?: string | null;
  result?: ProofRow['result'];
  failure?: ProofRow['failure'];
  state?: 'running' | 'done' | 'failed' | 'cancelled';
};

/** Updates a proof that has not ended; false when it has, or was deleted. */
export async function updateProof(
  db: Kysely<Database>,
  { project_id, id }: Pick<ProofRow, 'project_id' | 'id'>,
  { started, result, failure, ...columns }: ProofUpdate,
): Promise<boolean> {
  const hasEnded = columns.state !== undefined && columns.state !== 'running';
  const { numUpdatedRows } = await db
    .updateTable('proofs')
    .set({
      ...columns,
      ...(result !== undefined && { result: result && JSON.stringify(result) }),
      ...(failure !== undefined && { failure: failure && JSON.stringify(failure) }),
      ...(started && { started_at: sql<Date>`coalesce(started_at, now())` }),
      ...(hasEnded && { finished_at: sql<Date>`now()` }),
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Finds an unfinished proof for its job. */
export async function findUnfinishedProof(db: Kysely<Database>, id: string): Promise<ProofRow | null> {
  const row = await db
    .selectFrom('proofs')
    .selectAll()
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row ?? null;
}
