import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#db/testing.ts';
import { storeIssues } from './import-tasks.ts';
import type { ParsedIssue } from './parse-issue.ts';
import { MAX_STORED, measureIssues } from './queries.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
  await database.db
    .insertInto('projects')
    .values({ id: 'p', name: 'Words', git_url: 'https://example.org/a.git', status: 'ready' })
    .execute();
});
afterAll(() => database?.close());

function issue(number: number, body: string, year = 2024): ParsedIssue {
  const time = new Date(Date.UTC(year, 0, 1)).toISOString();
  const times = { created_at: time, updated_at: time, closed_at: null };
  const unknown = { author: null, branch: null, merge_commit: null, comment_count: null };
  const lists = { labels: [], comments: [] };
  return { kind: 'issue', number, title: 'Title', body, state: 'open', ...unknown, ...times, ...lists };
}

test('what a project stores is followed from page to page, as it would be counted', async () => {
  const { db } = database;
  let stored = await measureIssues(db, 'p');
  const pages = [
    [issue(1, 'a'), issue(2, 'é')],
    // The same issue twice, one that grew, and one that is older than the stored one.
    [issue(3, 'a'), issue(3, 'abc'), issue(1, 'a'.repeat(100), 2025), issue(2, 'older'.repeat(9), 2023)],
    [],
  ];
  for (const issues of pages) {
    stored = await storeIssues(db, 'p', { issues, stored });
    expect(stored).toEqual(await measureIssues(db, 'p'));
  }
  expect(stored).toEqual({ issues: 3, bytes: 3 * 'Title'.length + 100 + 2 + 3 });
});

test('issues beyond the limit are refused, and a stored one may change', async () => {
  const { db } = database;
  const stored = { ...(await measureIssues(db, 'p')), issues: MAX_STORED.issues };
  const changed = { issues: [issue(1, 'b', 2026)], stored };
  expect((await storeIssues(db, 'p', changed)).issues).toBe(MAX_STORED.issues);
  const added = { issues: [issue(4, 'b')], stored };
  await expect(storeIssues(db, 'p', added)).rejects.toMatchObject({ reason: 'issues_limit_reached' });
});
