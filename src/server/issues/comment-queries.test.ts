import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '#db/testing.ts';
import { saveComments } from './comment-queries.ts';
import type { ParsedComment } from './parse-comment.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
  await database.db
    .insertInto('projects')
    .values({ id: 'p', name: 'Words', git_url: 'https://example.org/a.git', status: 'ready' })
    .execute();
});
beforeEach(() => database.db.deleteFrom('issue_comments').execute());
afterAll(() => database?.close());

test('newer comments of an export do not displace those of the host that replace them', async () => {
  const { db } = database;
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

test('the bytes of a project are added page by page, and measured again when they exceed the limit', async () => {
  const { db } = database;
  await db.insertInto('issue_imports').values({ project_id: 'p' }).execute();
  const comment = (number: number): ParsedComment => {
    const time = new Date(Date.UTC(2024, 0, number)).toISOString();
    const body = `${number} ${'é'.repeat(100)}`;
    return { kind: 'issue', number, id: '1', author: 'bea', body, created_at: time, updated_at: time };
  };
  const imports = db.selectFrom('issue_imports').select('comment_bytes');
  await saveComments(db, 'p', [comment(1), comment(2)]);
  expect((await imports.executeTakeFirstOrThrow()).comment_bytes).toBe(404);
  await saveComments(db, 'p', [comment(2)]);
  expect((await imports.executeTakeFirstOrThrow()).comment_bytes).toBe(606);

  await db
    .updateTable('issue_imports')
    .set({ comment_bytes: 64 * 2 ** 20 })
    .execute();
  await saveComments(db, 'p', [comment(3)]);
  expect((await imports.executeTakeFirstOrThrow()).comment_bytes).toBe(606);
});
