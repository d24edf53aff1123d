import { sql } from 'kysely';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Deps } from '../deps.ts';
import { requestProof } from './proof-tasks.ts';

const EVERY_MS = 60_000;
/** Days for which the outputs of runs are kept, and results that save a run. */
export const LOG_RETENTION_DAYS = 90;
const RESULT_RETENTION_DAYS = 30;
const MAX_DELETED = 1_000;
const MAX_REQUESTED = 100;

/** Returns the job that deletes old outputs and results, and enqueues proofs whose request was lost. */
export function proofUpkeepJob(deps: Deps): JobDefinition {
  const { db } = deps;
  return {
    name: 'proof-upkeep',
    concurrency: 1,
    retryLimit: 1,
    everyMs: EVERY_MS,
    singletonKey: () => 'all',
    async run() {
      await sql`
        update proof_runs set log = null where ctid in (
          select ctid from proof_runs
          where log is not null and created_at < now() - make_interval(days => ${LOG_RETENTION_DAYS}) limit ${MAX_DELETED}
        )`.execute(db);
      await sql`
        delete from proof_results where ctid in (
          select ctid from proof_results
          where created_at < now() - make_interval(days => ${RESULT_RETENTION_DAYS}) limit ${MAX_DELETED}
        )`.execute(db);
      const lost = await db
        .selectFrom('proofs')
        .select(['id', 'user_id'])
        .where('state', 'in', ['queued', 'running'])
        .where('created_at', '<', sql<Date>`now() - interval '1 minute'`)
        .orderBy('created_at')
        .limit(MAX_REQUESTED)
        .execute();
      for (const { id, user_id } of lost) await requestProof(deps, id, user_id ?? id);
    },
  };
}
