import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { testDatabase } from './testing.ts';
import { OLD_ROWS, restoreOldDatabase } from './testing-restore.ts';

const database = await testDatabase();
const { db } = database;
const SESSION = String(OLD_ROWS.debug_sessions![0]!.id);
const USER = String(OLD_ROWS.users![0]!.id);

const OUTCOMES = [
  { state: 'held', days: 400 },
  { state: 'recent', days: 3 },
  { state: 'refixed', days: 20, by: 'f00' },
];
/** Text of a repository that looks like the JSON around it. */
const TRICKY = '"held": {"by": "x"}, \\"solved\\": "kind": "born"';

beforeAll(async () => {
  await restoreOldDatabase(db);
  const errors = OUTCOMES.map((held) => ({ content: TRICKY, similarity: 1, held }));
  const written_by = { model: 'm', input_tokens: 1, output_tokens: 1, failure: null, patch: 'refused' };
  await sql`
    update debug_sessions set answer = jsonb_set(answer, '{context,similar_errors}', ${JSON.stringify(errors)})
      || jsonb_build_object('written_by', ${JSON.stringify(written_by)}::jsonb) where id = ${SESSION}`.execute(
    db,
  );
  const add = (id: string, event: string, detail: object) =>
    sql`insert into audit_events (id, user_id, event, detail) values (${id}, ${USER}, ${event}, ${JSON.stringify(detail)})`;
  await add('a', 'identity_linked', { service: 'github', name: 'ada' }).execute(db);
  await add('b', 'project_moved', { project: 'shop', address: 'https://git.example.org/a.git' }).execute(db);
  await add('c', 'sign_in_copied', {}).execute(db);
  await sql`update project_hooks set last_at = now(), last_kind = 'push', last_outcome = 'refreshing'`.execute(
    db,
  );
  await sql`update projects set coverage = coverage || '{"reasons": {"bad_name": 1, "over_cap": 2}}'`.execute(
    db,
  );
  await sql`insert into settings (key, value) values ('switches', '{"saving": false, "models": true}')`.execute(
    db,
  );
  await migrate(db);
});
afterAll(database.close);

test('fix outcomes say whether the fix is still in place, and text stays as it was', async () => {
  const { answer } = await db
    .selectFrom('debug_sessions')
    .select('answer')
    .where('id', '=', SESSION)
    .executeTakeFirstOrThrow();
  expect(answer.context.similar_errors).toEqual([
    { content: TRICKY, similarity: 1, still_in_place: true, outcome: { state: 'in_place', days: 400 } },
    { content: TRICKY, similarity: 1, still_in_place: true, outcome: { state: 'too_recent', days: 3 } },
    {
      content: TRICKY,
      similarity: 1,
      still_in_place: false,
      outcome: { state: 'fixed_again', days: 20, undone_by: 'f00' },
    },
  ]);
  expect(answer.model_run?.patch).toBe('rejected');
  expect(answer).not.toHaveProperty('written_by');
});

test('answers of every age have the new keys only', async () => {
  const { rows } = await sql<{ text: string }>`select answer::text as text from debug_sessions`.execute(db);
  expect(rows).toHaveLength(4);
  for (const { text } of rows) {
    expect(text.replaceAll(JSON.stringify(TRICKY), '')).not.toMatch(
      /"(?:held|standing|trust|written_by|solved|shift|outcomes)": |"(?:birth|born)"/,
    );
  }
});

test('security events have their standard codes and details', async () => {
  const events = await db
    .selectFrom('audit_events')
    .select(['event', 'detail'])
    .where('id', 'in', ['a', 'b', 'c'])
    .orderBy('id')
    .execute();
  expect(events).toEqual([
    { event: 'identity_linked', detail: { provider: 'github', name: 'ada' } },
    { event: 'project_url_changed', detail: { project: 'shop', git_url: 'https://git.example.org/a.git' } },
    { event: 'refresh_token_reused', detail: {} },
  ]);
});

test('webhooks, coverage, features, scopes and tokens have their standard codes', async () => {
  const hook = await db.selectFrom('project_hooks').selectAll().executeTakeFirstOrThrow();
  expect(hook).toMatchObject({ last_event: 'push', last_outcome: 'refresh_queued' });
  expect(hook.last_delivery_at).toBeInstanceOf(Date);
  const { coverage } = await db.selectFrom('projects').select('coverage').executeTakeFirstOrThrow();
  expect(coverage?.reasons).toEqual({ invalid_path: 1, over_limit: 2 });
  const setting = db.selectFrom('settings').select('value').where('key', '=', 'feature_flags');
  expect(await setting.executeTakeFirst()).toEqual({ value: { file_saving: false, models: true } });
  const users = await db.selectFrom('users').select('notification_scope').orderBy('username').execute();
  expect(users.map((user) => user.notification_scope)).toEqual(['all', 'participating']);
  const tokens = await db.selectFrom('one_time_tokens').select('purpose').orderBy('purpose').execute();
  expect(tokens.map(({ purpose }) => purpose)).toEqual(['data_export', 'password_reset']);
});
