import { type Kysely, type Selectable, sql } from 'kysely';
import type { Backtest, BacktestCase, BacktestMetrics } from '#contract/backtest.ts';
import type { Sentence } from '#contract/common.ts';
import { newId } from '#db/ids.ts';
import type { BacktestsTable, Database } from '#db/schema.ts';

type Row = Selectable<BacktestsTable>;

/** A row as the API shows it. */
export function presentBacktest(row: Row): Backtest {
  const { cases, seed, started_at, finished_at } = row;
  return {
    id: row.id,
    state: row.state,
    commit: row.commit,
    fixes: row.fixes,
    seed: seed === null ? null : Number(seed),
    done: cases.length,
    total: row.total,
    started_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    seconds: finished_at && Math.round((finished_at.getTime() - started_at.getTime()) / 1000),
    failure: row.failure,
    metrics: row.metrics,
    cases,
  };
}

/** The newest back-test of a project, or null. */
export async function findLatestBacktest(db: Kysely<Database>, projectId: string): Promise<Row | null> {
  const row = await db
    .selectFrom('backtests')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/** Begins a back-test; null when one is running already: the unique index decides between two at once. */
export async function insertBacktest(
  db: Kysely<Database>,
  values: { project_id: string; commit: string; fixes: number; seed: number | null },
): Promise<Row | null> {
  const row = await db
    .insertInto('backtests')
    .values({ ...values, id: newId(), state: 'running', seed: values.seed?.toString() ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** What changes while a back-test runs and when it ends. */
export interface BacktestUpdate {
  total?: number;
  cases?: BacktestCase[];
  result?: { metrics: BacktestMetrics } | { failure: Sentence };
}

/** Writes a change; false when the back-test, or its project, is gone or has ended. */
export async function updateBacktest(
  db: Kysely<Database>,
  key: { project_id: string; id: string },
  { total, cases, result: end }: BacktestUpdate,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backtests')
    .set({
      ...(total !== undefined && { total }),
      ...(cases && { cases: JSON.stringify(cases) }),
      ...(end && {
        finished_at: sql<Date>`now()`,
        ...('metrics' in end
          ? { state: 'done' as const, metrics: JSON.stringify(end.metrics) }
          : { state: 'failed' as const, failure: JSON.stringify(end.failure) }),
      }),
    })
    .where('project_id', '=', key.project_id)
    .where('id', '=', key.id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
