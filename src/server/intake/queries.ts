import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { INTAKE_OUTCOMES, type IntakeOutcome } from '#contract/intake.ts';
import type { Database } from '#db/schema.ts';

const KEY_BYTES = 16;
const COUNTED_DAYS = 7;

/** Finds the intake of a project; undefined where it was never set up. */
export async function findIntake(db: Kysely<Database>, projectId: string) {
  return await db
    .selectFrom('project_intakes')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst();
}

/** Sets up the intake of a project, or enables the one that it has. */
export async function createIntake(db: Kysely<Database>, projectId: string, userId: string): Promise<void> {
  await db
    .insertInto('project_intakes')
    .values({ project_id: projectId, key: createKey(), created_by: userId })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ enabled: true }))
    .execute();
}

/** Replaces the key; false where the intake was never set up. */
export async function rotateKey(db: Kysely<Database>, projectId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_intakes')
    .set({ key: createKey(), key_created_at: now })
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface IntakeChanges {
  enabled?: boolean | undefined;
  retention_days?: number | undefined;
  scrub_defaults?: boolean | undefined;
  scrub_fields?: string[] | undefined;
}

/** Changes settings; false where the intake was never set up. */
export async function updateIntake(
  db: Kysely<Database>,
  projectId: string,
  { scrub_fields: fields, ...changes }: IntakeChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('project_intakes')
    .set({ ...changes, ...(fields && { scrub_fields: JSON.stringify(fields) }), project_id: projectId })
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts the events of the last seven days by outcome, and finds the time of the last one that was stored. */
export async function loadIntakeActivity(db: Kysely<Database>, projectId: string) {
  const [counts, last] = await Promise.all([
    db
      .selectFrom('intake_counts')
      .select(['outcome', sql<string>`sum(count)`.as('count')])
      .where('project_id', '=', projectId)
      .where('day', '>', sql<Date>`(now() at time zone 'utc')::date - ${COUNTED_DAYS}::int`)
      .groupBy('outcome')
      .orderBy('count', 'desc')
      .execute(),
    db
      .selectFrom('error_events')
      .select('received_at')
      .where('project_id', '=', projectId)
      .orderBy('received_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  return {
    lastEventAt: last?.received_at ?? null,
    counts: counts
      .filter((row): row is typeof row & { outcome: IntakeOutcome } =>
        INTAKE_OUTCOMES.includes(row.outcome as never),
      )
      .map(({ outcome, count }) => ({ outcome, count: Number(count) })),
  };
}

function createKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
}
