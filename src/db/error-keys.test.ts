import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { isMessageKey } from '#locales/format-message.ts';
import { migrate } from './migrate.ts';
import { testDatabase } from './testing.ts';
import { OLD_ROWS, restoreOldDatabase } from './testing-restore.ts';

const database = await testDatabase();
const { db } = database;
afterAll(database.close);

const failure = (code: string) => JSON.stringify({ code, params: {}, text: 'In English.' });

test('stored failures get the key of their error message, and others keep their text', async () => {
  await restoreOldDatabase(db);
  const [project] = OLD_ROWS.projects!;
  const [user] = OLD_ROWS.users!;
  await sql`update projects set failure = ${failure('projects.ingest.not_found_or_private')}
    where id = ${project!.id}`.execute(db);
  const notify = (id: string, code: string) => sql`
    insert into notifications (user_id, id, event_key, type, title, message)
      values (${user!.id}, ${id}, ${id}, 'error', ${failure('notifications.event.project_failed.title')}, ${failure(code)})`;
  await notify('a', 'projects.ingest.key_waits').execute(db);
  await notify('b', 'projects.ingest.too_many_files').execute(db);
  await migrate(db);

  const projects = await db
    .selectFrom('projects')
    .select('failure')
    .where('id', '=', String(project!.id))
    .execute();
  expect(projects[0]?.failure?.code).toBe('errors.repository_not_found');
  expect(isMessageKey(projects[0]?.failure?.code ?? '')).toBe(true);
  const messages = await db
    .selectFrom('notifications')
    .select('message')
    .where('id', 'in', ['a', 'b'])
    .orderBy('id')
    .execute();
  expect(messages.map(({ message }) => message)).toEqual([
    { code: 'errors.ssh_key_not_added', params: {}, text: 'In English.' },
    { code: 'projects.ingest.too_many_files', params: {}, text: 'In English.' },
  ]);
});
