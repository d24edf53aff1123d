import { type Kysely, sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';

/** Inserts a run record and closes those left open by a killed process. Returns the run id. */
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
  const runId = newId();
  await db
    .insertInto('ingest_runs')
    .values({
      project_id: project.id,
      id: runId,
      kind: project.shard_generation === null ? 'import' : 'refresh',
      state: 'running',
    })
    .execute();
  return runId;
}

/** Closes a run record with phase durations in milliseconds, or with the failure. */
export async function finishIngestRun(
  db: Kysely<Database>,
  projectId: string,
  runId: string,
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
    .where('id', '=', runId)
    .execute();
}
