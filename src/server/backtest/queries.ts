import { type Kysely, type Selectable, sql } from 'kysely';
import type { Backtest, BacktestCase, BacktestMetrics } from '#contract/backtest.ts';
import type { Sentence } from '#contract/common.ts';
import { newId } from '#db/ids.ts';
import type { BacktestsTable, Database } from '#db/schema.ts';

type Row = Selectable<BacktestsTable>;

/** Formats a back-test for the API. */
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

export async function findLatestBacktest(db: Kysely<Database>, projectId: string): Promise<Row | null> {
  const row = await db
    .selectFrom('backtests')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

/** Inserts a running back-test; null when one is running already, enforced by a unique index. */
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

export interface BacktestUpdate {
  total?: number;
  cases?: BacktestCase[];
  result?: { metrics: BacktestMetrics } | { failure: Sentence };
}

/** Updates a running back-test; false when it was deleted or has finished. */
export async function updateBacktest(
  db: Kysely<Database>,
  key: { project_id: string; id: string },
  { total, cases, result }: BacktestUpdate,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('backtests')
    .set({
      ...(total !== undefined && { total }),
      ...(cases && { cases: JSON.stringify(cases) }),
      ...(result && {
        finished_at: sql<Date>`now()`,
        ...('metrics' in result
          ? { state: 'done' as const, metrics: JSON.stringify(result.metrics) }
          : { state: 'failed' as const, failure: JSON.stringify(result.failure) }),
      }),
    })
    .where('project_id', '=', key.project_id)
    .where('id', '=', key.id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
