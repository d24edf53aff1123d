import { type Kysely, sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';

/** Opens the record of a run; what a killed process left open is closed as failed. Returns the run's id. */
export async function startIngestRun(
  db: Kysely<Database>,
  project: { id: string; shard_generation: string | null },
): Promise<string> {
  await db
    .updateTable('ingest_runs')
    .set({ state: 'failed', finished_at: sql<Date>`now()` })
    .where('project_id', '=', project.id)
    .where('state', '=', 'running')
    .execute();
  const run = newId();
  await db
    .insertInto('ingest_runs')
    .values({
      project_id: project.id,
      id: run,
      kind: project.shard_generation === null ? 'import' : 'refresh',
      state: 'running',
    })
    .execute();
  return run;
}

/** Closes the record: with the milliseconds of each phase, or with why it failed. */
export async function finishIngestRun(
  db: Kysely<Database>,
  projectId: string,
  run: string,
  result: { phases: Record<string, number> } | { failure: Sentence },
): Promise<void> {
  await db
    .updateTable('ingest_runs')
    .set({
      finished_at: sql<Date>`now()`,
      ...('phases' in result
        ? { state: 'done', phases: JSON.stringify(result.phases) }
        : { state: 'failed', failure: JSON.stringify(result.failure) }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', run)
    .execute();
}
