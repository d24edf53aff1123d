import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { newId } from '#db/ids.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { titleAndMessage } from './build-notification.ts';
import { requestDelivery } from './delivery.ts';
import type { NotificationName } from './notification-scope.ts';
import { insertNotifications } from './queries.ts';

let app: TestApp;
let ada: TestUser;
let project: string;

beforeAll(async () => {
  app = await testApp({
    work: true,
    config: {
      publicUrl: 'https://hindsight.example',
      mail: { smtpUrl: 'smtp://mail.example', from: 'Hindsight <news@hindsight.example>' },
    },
  });
  ada = await app.signUp('ada');
  project = await insertTestProject(app.deps, [[ada, 'owner']], { name: 'Visit https://evil.example/!' });
  await app.deps.db.updateTable('users').set({ email_verified_at: new Date() }).execute();
  const preferences = { email_frequency: 'daily' as const, language: 'de' as const };
  await app.call(accountRoutes.updateProfile, { body: { preferences } }, ada);
});
afterAll(async () => {
  await app.close();
});

async function notify(name: NotificationName, actionUrl: string): Promise<void> {
  const text = titleAndMessage(name, { project: 'x', count: 1, error: 'x' });
  const [row] = await insertNotifications(app.deps.db, {
    ...{ userIds: [ada.id], key: newId(), type: 'info', actionUrl, ...text },
  });
  const delivery = { userId: ada.id, id: row!.id, titleCode: text.title.code };
  await requestDelivery(app.deps, { ...delivery, origin: 'https://hindsight.example' });
}

async function dailyEmails(): Promise<string[]> {
  const folder = join(app.deps.config.dataDir, 'mail');
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.filter((text) => text.includes('Tageszusammenfassung'));
}

async function countJobs(state: 'waiting' | 'unfinished'): Promise<number> {
  const states = state === 'waiting' ? ['created'] : ['created', 'retry', 'active'];
  const { rows } = await sql<{ count: string }>`
    select count(*) from pgboss.job where name = 'daily-digest' and state::text = any(${states}::text[])`.execute(
    app.deps.db,
  );
  return Number(rows[0]!.count);
}

test('a day with notifications is one email, grouped by project; one without is none', {
  timeout: 120_000,
}, async () => {
  await notify('error_regressed', `/projects/${project}`);
  await notify('project_ready', `/projects/${project}`);
  await notify('error_assigned', `/projects/${project}`);
  await notify('trial_ending', '/subscription');
  expect(await countJobs('waiting')).toBe(1);
  // Created at the end of the period before, too late for its email.
  await sql`update notifications set created_at = now() - interval '24 hours'
    where title ->> 'code' like '%project_ready%'`.execute(app.deps.db);
  // It is due tomorrow; make it due, and its period end now.
  const until = JSON.stringify(new Date(Date.now() + 60_000));
  await sql`update pgboss.job set start_after = now(), data = jsonb_set(data, '{until}', ${until}::jsonb)
    where name = 'daily-digest'`.execute(app.deps.db);
  await expect.poll(dailyEmails, { timeout: 110_000 }).toHaveLength(1);
  await expect.poll(() => countJobs('unfinished'), { timeout: 110_000 }).toBe(0);
  const [email] = await dailyEmails();
  expect(email).toContain('Visit https evil example: 2 zu Fehlern, 1 zu neuen Commits');
  expect(email).toContain('Ihr Konto: 1 zu Ihrem Tarif');
  expect(email).not.toContain('evil.example');
  expect(email).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');

  // Again, as by another server or after a crash, and for a day on which nothing happened.
  const again = { userId: ada.id, origin: 'https://hindsight.example' };
  for (const until of [new Date(), new Date(Date.now() + 3_600_000)]) {
    await app.deps.jobs.send('daily-digest', { ...again, until: until.toISOString() });
  }
  await expect.poll(() => countJobs('unfinished'), { timeout: 110_000 }).toBe(0);
  expect(await dailyEmails()).toHaveLength(1);
});
