import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { MAX_FAILURE_TEXT, type ProjectTest, type TestRun } from '#contract/test-runs.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { StoredTestVerdict } from '#db/test-run-tables.ts';
import type { TestState } from '#test-reports/classify-test.ts';
import type { TestCase } from '#test-reports/parse-junit.ts';

type Db = Kysely<Database>;

/** Runs that are kept of a suite, and results of them all. */
const MAX_RUNS = 300;
const MAX_RESULTS = 1_500_000;
/** Tests that no run had for so long are forgotten. */
const FORGET_AFTER_DAYS = 180;
/** Tests that are classified after a run. */
const MAX_CLASSIFIED = 2_000;
/** Failures whose text is stored of one run. */
const MAX_STORED_FAILURES = 500;

interface NewRun {
  project_id: string;
  commit: string;
  branch: string | null;
  suite: string;
  created_by: string;
}

/** Stores a run with its results, and removes the oldest runs of its suite. */
export async function insertTestRun(db: Db, run: NewRun, cases: readonly TestCase[]): Promise<TestRun> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`test-runs:${run.project_id}`}, 0))`.execute(
      trx,
    );
    const byKey = new Map(cases.map((test) => [testKey(run.suite, test), test]));
    const ids = await findOrCreateTests(trx, run, byKey);
    const withOutcome = (outcome: TestCase['outcome']) =>
      [...byKey].filter(([, test]) => test.outcome === outcome).map(([key]) => ids.get(key)!);
    const row = await trx
      .insertInto('test_runs')
      .values({
        ...run,
        id: newId(),
        passed: withOutcome('passed'),
        failed: withOutcome('failed'),
        flaky: withOutcome('flaky'),
        skipped: withOutcome('skipped'),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await saveFailures(trx, run, byKey, ids);
    await removeOldRuns(trx, run, byKey.size);
    return presentRun({
      ...row,
      passed: row.passed.length,
      failed: row.failed.length,
      flaky: row.flaky.length,
      skipped: row.skipped.length,
    });
  });
}

function testKey(suite: string, { suite: inner, scope, name }: TestCase): string {
  return createHash('sha256').update([suite, inner, scope, name].join('\0')).digest('hex').slice(0, 40);
}

async function findOrCreateTests(
  db: Db,
  { project_id, suite }: NewRun,
  byKey: ReadonlyMap<string, TestCase>,
): Promise<Map<string, number>> {
  const tests = [...byKey].map(([key, { scope, name, file }]) => ({ key, scope, name, file }));
  const { rows } = await sql<{ key: string; id: number }>`
    insert into project_tests (project_id, key, suite, scope, name, file)
      select ${project_id}, key, ${suite}, scope, name, file
        from jsonb_to_recordset(${JSON.stringify(tests)}::jsonb) as t (key text, scope text, name text, file text)
        order by key
      on conflict (project_id, key) do nothing
      returning key, id
  `.execute(db);
  const keys = [...byKey.keys()];
  const known = await sql<{ key: string; id: number }>`
    select key, id from project_tests where project_id = ${project_id} and key = any(${keys})
  `.execute(db);
  await sql`
    update project_tests set last_seen = now()
      where project_id = ${project_id} and key = any(${keys}) and last_seen < now() - interval '1 day'
  `.execute(db);
  return new Map([...known.rows, ...rows].map(({ key, id }) => [key, id]));
}

async function saveFailures(
  db: Db,
  { project_id, commit }: NewRun,
  byKey: ReadonlyMap<string, TestCase>,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const failures = [...byKey]
    .filter(([, { outcome }]) => outcome === 'failed' || outcome === 'flaky')
    .slice(0, MAX_STORED_FAILURES)
    .map(([key, { text }]) => ({ id: ids.get(key)!, text: toStorable(text).slice(0, MAX_FAILURE_TEXT) }));
  if (failures.length === 0) return;
  await sql`
    update project_tests set failed_at = now(), failed_commit = ${commit}, failure = f.text
      from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) as f (id integer, text text)
      where project_tests.project_id = ${project_id} and project_tests.id = f.id
  `.execute(db);
}

/** PostgreSQL stores neither U+0000 nor halves of surrogate pairs. */
function toStorable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

async function removeOldRuns(db: Db, { project_id, suite }: NewRun, size: number): Promise<void> {
  const kept = Math.max(20, Math.min(MAX_RUNS, Math.floor(MAX_RESULTS / Math.max(1, size))));
  await sql`
    delete from test_runs where project_id = ${project_id} and id in (
      select id from test_runs where project_id = ${project_id} and suite = ${suite}
        order by created_at desc, id desc offset ${kept})
  `.execute(db);
  await sql`
    delete from project_tests
      where project_id = ${project_id} and last_seen < now() - ${FORGET_AFTER_DAYS} * interval '1 day'
  `.execute(db);
}

/** Results of some tests in one run. */
interface SuiteRun {
  commit: string;
  branch: string | null;
  /** Tests of the run, and those of them that failed. */
  total: number;
  failed_total: number;
  passed: number[];
  failed: number[];
  flaky: number[];
}

/** Loads the kept runs of a suite, oldest first, with the results of the given tests. */
export async function loadSuiteRuns(
  db: Db,
  projectId: string,
  suite: string,
  ids: readonly number[],
): Promise<SuiteRun[]> {
  const only = (column: string) =>
    sql`array(select unnest(${sql.ref(column)}) intersect select unnest(${ids}::integer[]))`;
  const { rows } = await sql<SuiteRun>`
    select commit, branch, cardinality(passed) + cardinality(failed) + cardinality(flaky) as total,
        cardinality(failed) as failed_total,
        ${only('passed')} as passed, ${only('failed')} as failed, ${only('flaky')} as flaky
      from test_runs where project_id = ${projectId} and suite = ${suite} order by created_at, id
  `.execute(db);
  return rows;
}

/** Lists the tests of a suite that have failed, the most recent failure first; an older commit may be run again at any time. */
export async function listTestsToClassify(db: Db, projectId: string, suite: string): Promise<number[]> {
  const rows = await db
    .selectFrom('project_tests')
    .select('id')
    .where('project_id', '=', projectId)
    .where('suite', '=', suite)
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .limit(MAX_CLASSIFIED)
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists the suites with tests that do not pass. */
export async function listFailingSuites(db: Db, projectId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_tests')
    .select('suite')
    .distinct()
    .where('project_id', '=', projectId)
    .where('state', '<>', 'passing')
    .limit(100)
    .execute();
  return rows.map(({ suite }) => suite);
}

/** Stores the verdicts of tests. */
export async function saveVerdicts(
  db: Db,
  projectId: string,
  verdicts: readonly { id: number; state: TestState; verdict: StoredTestVerdict }[],
): Promise<void> {
  await sql`
    update project_tests set state = v.state, verdict = v.verdict
      from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as v (id integer, state text, verdict jsonb)
      where project_tests.project_id = ${projectId} and project_tests.id = v.id
  `.execute(db);
}

interface Page {
  skip: number;
  limit: number;
}

/** Lists test runs, newest first, with their number. */
export async function listTestRuns(db: Db, projectId: string, { skip, limit }: Page) {
  const size = (column: 'passed' | 'failed' | 'flaky' | 'skipped') =>
    sql<number>`cardinality(${sql.ref(column)})`.as(column);
  const [rows, total] = await Promise.all([
    db
      .selectFrom('test_runs')
      .select(['id', 'commit', 'branch', 'suite', 'created_at'])
      .select([size('passed'), size('failed'), size('flaky'), size('skipped')])
      .where('project_id', '=', projectId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(skip)
      .limit(limit)
      .execute(),
    countTestRuns(db, projectId),
  ]);
  return { runs: rows.map(presentRun), total };
}

async function countTestRuns(db: Db, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('test_runs')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists tests by state, the most recent failure first, with their number. */
export async function listProjectTests(
  db: Db,
  projectId: string,
  { skip, limit, state }: Page & { state: TestState | 'failing' },
) {
  const matching = db
    .selectFrom('project_tests')
    .where('project_id', '=', projectId)
    .where('state', state === 'failing' ? '<>' : '=', state === 'failing' ? 'passing' : state);
  const [rows, { count }, runs] = await Promise.all([
    matching
      .selectAll()
      .orderBy(sql`failed_at desc nulls last`)
      .orderBy('id')
      .offset(skip)
      .limit(limit)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as('count')).executeTakeFirstOrThrow(),
    countTestRuns(db, projectId),
  ]);
  const tests = rows.map(({ id, suite, scope, name, file, state: own, verdict, ...row }): ProjectTest => {
    const { failed_at, failed_commit, failure } = row;
    const last_failure =
      failed_at && failed_commit
        ? { commit: failed_commit, at: failed_at.toISOString(), text: failure ?? '' }
        : null;
    return { id, suite, scope, name, file, state: own, ...(verdict ?? NO_VERDICT), last_failure };
  });
  return { tests, total: Number(count), runs };
}

const NO_VERDICT: StoredTestVerdict = {
  ...{ branch: null, good: null, bad: null },
  ...{ candidates: 0, mixed: [], failures: 0, runs: 0 },
};

function presentRun({ created_at, ...run }: Omit<TestRun, 'created_at'> & { created_at: Date }): TestRun {
  const { id, commit, branch, suite, passed, failed, flaky, skipped } = run;
  return { id, commit, branch, suite, passed, failed, flaky, skipped, created_at: created_at.toISOString() };
}

/** Deletes all runs and tests of a project. */
export async function deleteTestRuns(db: Db, projectId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('test_runs').where('project_id', '=', projectId).execute();
    await trx.deleteFrom('project_tests').where('project_id', '=', projectId).execute();
  });
}
