import { type Kysely, sql } from 'kysely';
import type { Sentence } from '#contract/common.ts';
import type { IngestDetails, IngestReason, IngestRunEntry } from '#contract/project-settings.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';

/** Inserts a run record and closes those left open by a killed process. Returns the run id. */
export async function startIngestRun(
  db: Kysely<Database>,
  project: { id: string; shard_generation: string | null },
  reason: IngestReason,
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
      details: JSON.stringify({ reason } satisfies IngestDetails),
    })
    .execute();
  return runId;
}

/** Closes a run record with phase durations in milliseconds and details, or with the failure. */
export async function finishIngestRun(
  db: Kysely<Database>,
  projectId: string,
  runId: string,
  result: { phases: Record<string, number>; details: IngestDetails } | { failure: Sentence },
): Promise<void> {
  await db
    .updateTable('ingest_runs')
    .set({
      finished_at: sql<Date>`now()`,
      ...('phases' in result
        ? {
            state: 'done',
            phases: JSON.stringify(result.phases),
            details: JSON.stringify(result.details),
          }
        : { state: 'failed', failure: JSON.stringify(result.failure) }),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', runId)
    .execute();
}

/** Lists runs of a project, newest first. */
export async function listIngestRuns(
  db: Kysely<Database>,
  projectId: string,
  { skip, limit }: { skip: number; limit: number },
): Promise<{ runs: IngestRunEntry[]; total: number; has_more: boolean }> {
  const ofProject = db.selectFrom('ingest_runs').where('project_id', '=', projectId);
  const { total } = await ofProject
    .select((eb) => eb.fn.countAll<string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ofProject.selectAll().orderBy('id', 'desc').offset(skip).limit(limit).execute();
  const runs = rows.map(({ started_at, finished_at, project_id: _, ...run }) => ({
    ...run,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }));
  return { runs, total: Number(total), has_more: skip + rows.length < Number(total) };
}
