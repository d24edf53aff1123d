import { afterAll, expect, test } from 'vitest';
import { chatRoutes } from '#contract/chat.ts';
import { projectRoutes } from '#contract/projects.ts';
import { newId } from '#db/ids.ts';
import { insertTestProject, testApp } from '../testing.ts';
import { ROW_LIMITS, requireRowCapacity } from './row-limits.ts';

const HOST = '127.0.0.1:9';
const app = await testApp({
  work: true,
  config: {
    git: {
      ...{ allowedPrivateHosts: [HOST], localRoots: [], maxRepoMb: 1, maxEntries: 10 },
      ...{ timeoutS: 5, maxFileBytes: 1024 },
    },
  },
});
afterAll(() => app.close());

test('the number of owned projects is limited, also with concurrent requests', async () => {
  const ada = await app.signUp('ada');
  const rows = Array.from({ length: ROW_LIMITS.projects - 2 }, (_, index) => ({
    ...{ id: newId(), name: `p${index}`, git_url: 'https://example.org/a.git', description: null },
    status: 'queued' as const,
  }));
  await app.deps.db.insertInto('projects').values(rows).execute();
  const members = rows.map(({ id }) => ({ project_id: id, user_id: ada.id, role: 'owner' as const }));
  await app.deps.db.insertInto('project_members').values(members).execute();
  const connect = () =>
    app.call(projectRoutes.create, { body: { name: 'x', git_url: `http://${HOST}/a/b` } }, ada);
  const replies = await Promise.all(Array.from({ length: 6 }, connect));
  const statuses = replies.map(({ status }) => (status < 300 ? 'made' : status)).sort();
  expect(statuses).toEqual([413, 413, 413, 413, 'made', 'made']);
  expect(replies.find(({ status }) => status === 413)?.error).toMatchObject({
    reason: 'project_limit_reached',
  });
});

test('concurrently started new chats are one', async () => {
  const bea = await app.signUp('bea');
  const id = await insertTestProject(app.deps, [[bea, 'owner']], { status: 'queued' });
  const begin = () => app.call(chatRoutes.createThread, { params: { id }, body: {} } as never, bea);
  const replies = await Promise.all(Array.from({ length: 12 }, begin));
  expect(new Set(replies.map(({ body }) => (body as { id: string }).id)).size).toBe(1);
});

test.each(Object.keys(ROW_LIMITS) as (keyof typeof ROW_LIMITS)[])(
  '%s: the limit is reported as too_large',
  (kind) => {
    expect(() => requireRowCapacity(kind, ROW_LIMITS[kind] - 1)).not.toThrow();
    expect(() => requireRowCapacity(kind, ROW_LIMITS[kind])).toThrow(ROW_LIMITS[kind].toLocaleString('en'));
  },
);
