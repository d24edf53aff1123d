import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#db/testing.ts';
import { saveComments } from './comment-queries.ts';
import type { ParsedComment } from './parse-comment.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

test('newer comments of an export do not displace those of the host that replace them', async () => {
  const { db } = database;
  await db
    .insertInto('projects')
    .values({ id: 'p', name: 'Words', git_url: 'https://example.org/a.git', status: 'ready' })
    .execute();
  const comments = (prefix: string, year: number) =>
    Array.from({ length: 50 }, (_, index): ParsedComment => {
      const time = new Date(Date.UTC(year, 0, 1, index)).toISOString();
      const text = { author: 'bea', body: 'Text', created_at: time, updated_at: time };
      return { kind: 'issue', number: 1, id: `${prefix}${index + 1}`, ...text };
    });
  await saveComments(db, 'p', comments('file-', 2025));
  await saveComments(db, 'p', comments('', 2024));
  const rows = await db.selectFrom('issue_comments').select('id').execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(
    comments('', 2024)
      .map(({ id }) => id)
      .toSorted(),
  );
});
