import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#db/ids.ts';
import { type TestApp, testApp } from '../testing.ts';
import { retentionJob } from './retention-tasks.ts';

let app: TestApp;
beforeAll(async () => {
  const retentionDays = { sessions: 30, notifications: 365, audit: 730, outgoing: 180 };
  app = await testApp({ config: { retentionDays } });
});
afterAll(() => app.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('rows are deleted after their retention, unread notifications never', async () => {
  const { db } = app.deps;
  const user = await app.signUp();
  await app.signIn(user);
  await db
    .updateTable('sessions')
    .set({ revoked_at: daysAgo(31) })
    .where('user_id', '=', user.id)
    .execute();
  await app.signIn(user);
  for (const [event, days] of [
    ['release_created', 729],
    ['release_deleted', 731],
  ] as const) {
    const row = { id: newId(), user_id: user.id, event, created_at: daysAgo(days) };
    await db.insertInto('audit_events').values(row).execute();
  }
  for (const [key, days, read] of [
    ['old', 400, true],
    ['unread', 400, false],
    ['new', 300, true],
  ] as const) {
    const text = JSON.stringify({ code: 'x', params: {}, text: 'x' });
    const row = { user_id: user.id, id: newId(), event_key: key, type: 'info', title: text, message: text };
    const times = { created_at: daysAgo(days), read_at: read ? daysAgo(days) : null };
    await db
      .insertInto('notifications')
      .values({ ...row, ...times } as never)
      .execute();
  }
  await retentionJob(app.deps)!.run({}, { signal: new AbortController().signal } as never);

  const sessions = await db
    .selectFrom('sessions')
    .select('revoked_at')
    .where('user_id', '=', user.id)
    .execute();
  expect(sessions).toEqual([{ revoked_at: null }]);
  const events = await db
    .selectFrom('audit_events')
    .select('event')
    .where('user_id', '=', user.id)
    .where('event', 'in', ['release_created', 'release_deleted'])
    .execute();
  expect(events).toEqual([{ event: 'release_created' }]);
  const kept = await db.selectFrom('notifications').select('event_key').orderBy('event_key').execute();
  expect(kept.map(({ event_key }) => event_key)).toEqual(expect.arrayContaining(['new', 'unread']));
  expect(kept.map(({ event_key }) => event_key)).not.toContain('old');
});
