import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkModelText } from '#assistant/answer/model-text.ts';
import { branchRoutes } from '#contract/branches.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { lineRoutes } from '#contract/lines.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import { createCitableIndex } from '../llm/citable-index.ts';
import { requireIndex } from '../project-data/storage.ts';
import type { TestUser } from '../testing.ts';
import { createPushFixture, type PushFixture } from './testing.ts';

/** Answers of two members, one of whom has saved a change on a branch of her own. */

let fixture: PushFixture;
let params: { id: string };
let head: string;

const OWN = { name: 'hindsight/ada', changes: 2 };
const CODE = 'export function zephyrQuotient(limit) {\n  throw new Error("zephyr exhausted");\n}\n';
const ERROR = 'Error: zephyr exhausted\n    at zephyrQuotient (src/zephyr.js:2:9)';

beforeAll(async () => {
  fixture = await createPushFixture();
  params = { id: fixture.projectId };
  await fixture.save('src/zephyr.js', CODE);
  head = await fixture.save('a.txt', 'one changed\ntwo\nthree\n');
}, 60_000);
afterAll(() => fixture.close());

type Flag = boolean | undefined;
const flag = (working_branch: Flag) =>
  working_branch === undefined ? {} : { working_branch: String(working_branch) as 'true' | 'false' };
const search = async (as: TestUser, wish?: Flag) =>
  (
    await fixture.app.call(
      searchRoutes.search,
      { query: { q: 'zephyrQuotient', project_id: params.id, ...flag(wish) } },
      as,
    )
  ).body;
const findLines = async (q: string, as: TestUser, wish?: Flag) =>
  (await fixture.app.call(lineRoutes.find, { query: { q, project_id: params.id, ...flag(wish) } }, as)).body;
const ask = async (as: TestUser, body: { working_branch?: boolean; thread_id?: string } = {}) =>
  await fixture.app.call(
    chatRoutes.send,
    { params, body: { message: 'Where is zephyrQuotient defined?', ...body } },
    as,
  );
const debug = async (as: TestUser, working_branch?: boolean) =>
  (
    await fixture.app.call(
      debugRoutes.debug,
      { body: { project_id: params.id, error_message: ERROR, working_branch } },
      as,
    )
  ).body;

test('search, lines, chat and debug include what the author has saved, for no one else', async () => {
  const { ada, bea } = fixture;
  const found = await search(ada);
  expect(found).toMatchObject({ commit: head, own_branch: OWN });
  expect(found.passages[0]?.path).toBe('src/zephyr.js');
  expect((await search(ada, false)).passages.map(({ path }) => path)).not.toContain('src/zephyr.js');
  expect(await findLines('zephyrQuotient', ada)).toMatchObject({
    own_branch: OWN,
    lines: [{ path: 'src/zephyr.js', line: 1 }],
  });
  // The former text of a changed file is gone, the others stay.
  expect((await findLines('one', ada)).lines).toEqual([{ path: 'a.txt', line: 1, text: 'one changed' }]);
  expect((await findLines('b', ada)).lines).toContainEqual({ path: 'b.txt', line: 1, text: 'b' });
  expect((await findLines('one', ada, false)).lines[0]?.text).toBe('one');
  const asked = await ask(ada);
  expect(asked.error).toBeUndefined();
  const answer = asked.body;
  expect(answer.response).toContain(`src/zephyr.js:1-3 @ ${head.slice(0, 7)}`);
  expect(answer.freshness.own_branch).toEqual(OWN);
  expect((await debug(ada)).places[0]?.path).toBe('src/zephyr.js');
  const others = [
    await search(bea),
    await search(bea, true),
    await findLines('zephyrQuotient', bea, true),
    (await ask(bea, { working_branch: true })).body,
    await debug(bea, true),
  ];
  expect(JSON.stringify(others)).not.toMatch(new RegExp(`hindsight/ada|${head.slice(0, 7)}|zephyr\\.js:1`));
  const working = async (as: TestUser) => (await fixture.app.call(branchRoutes.working, { params }, as)).body;
  expect(await working(ada)).toEqual({ branch: { ...OWN, behind: 0 }, upstream: 'main' });
  expect(await working(bea)).toEqual({ branch: null, upstream: 'main' });
});

test('tools of an agent include the branch, and say so', async () => {
  const findSymbol = async (as: TestUser, wish: { working_branch?: boolean } = {}) => {
    const call = { name: 'find_symbol', arguments: { name: 'zephyrQuotient', ...wish } };
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const headers = { accept: 'application/json, text/event-stream' };
    return (await fixture.app.inject({ method: 'POST', url: '/mcp', payload, headers }, as)).body;
  };
  const found = await findSymbol(fixture.ada);
  expect(found).toContain('src/zephyr.js');
  expect(found).toContain('Includes your working branch hindsight/ada');
  for (const other of [
    await findSymbol(fixture.ada, { working_branch: false }),
    await findSymbol(fixture.bea, { working_branch: true }),
  ]) {
    expect(other).toContain('"result"');
    expect(other).not.toMatch(/src\/zephyr|working branch/);
  }
});

test('a chat with the branch is not shared, exported or found by others, and a shared one does not include it', async () => {
  const { app, ada, bea } = fixture;
  const { thread_id: thread } = (await ask(ada)).body;
  const share = (id: string) =>
    app.call(chatRoutes.updateThread, { params: { ...params, thread: id }, body: { shared: true } }, ada);
  expect((await share(thread)).error?.reason).toBe('chat_has_branch');
  // Shared between the question and its answer.
  await app.deps.db.updateTable('chat_threads').set({ shared: true }).where('id', '=', thread).execute();
  const read = await app.call(chatRoutes.messages, { params, query: { thread } }, bea);
  expect(read.status).toBe(404);
  const exported = await app.call(chatRoutes.export, { params: { ...params, thread } }, bea);
  expect(exported.status).toBe(404);
  const list = async (q: string) =>
    (await app.call(chatRoutes.threads, { params, query: { q } }, bea)).body.threads.map(({ id }) => id);
  expect(await list('zephyr')).not.toContain(thread);
  expect(await list('')).not.toContain(thread);

  await app.deps.db.updateTable('chat_threads').set({ shared: false }).where('id', '=', thread).execute();
  const open = (await app.call(chatRoutes.createThread, { params }, ada)).body.id;
  await ask(ada, { thread_id: open, working_branch: false });
  expect((await share(open)).status).toBe(200);
  expect((await ask(ada, { thread_id: open, working_branch: true })).body.freshness.own_branch).toBeNull();
  expect(await list('zephyr')).toContain(open);
});

test('an error that was answered with the branch is its author’s alone, as its follow-up is', async () => {
  const { app, ada, bea } = fixture;
  const { id, freshness } = await debug(ada);
  expect(freshness?.own_branch).toEqual(OWN);
  expect((await app.call(debugRoutes.session, { params: { id } }, bea)).status).toBe(404);
  const { sessions } = (await app.call(debugRoutes.sessions, { query: {} }, bea)).body;
  expect(sessions.map((session) => session.id)).not.toContain(id);
  const thread = (await app.call(debugRoutes.followUp, { params: { id } }, ada)).body.id;
  const shared = await app.call(
    chatRoutes.updateThread,
    { params: { ...params, thread }, body: { shared: true } },
    ada,
  );
  expect(shared.error?.reason).toBe('chat_has_branch');
});

test('a model’s citations of the branch resolve in the author’s answers only', async () => {
  const { app, repo } = fixture;
  const project = (await app.call(projectRoutes.get, { params }, fixture.ada)).body;
  const { shard_generation } = await app.deps.db
    .selectFrom('projects')
    .select('shard_generation')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  const index = await requireIndex(app.deps, { id: project.id, shard_generation });
  const { signal } = new AbortController();
  const cited = `It throws in \`src/zephyr.js:2-2 @ ${head.slice(0, 7)}\`, saved by \`${head.slice(0, 7)}\`.`;
  const own = await createCitableIndex(repo, index, { revision: head, signal });
  expect(await checkModelText(cited, { repo, index: own })).toBe(cited);
  expect(await checkModelText(cited, { repo, index })).toContain('~~');
});

test('a branch that lacks commits of the repository is included on request only', async () => {
  const { ada, upstream } = fixture;
  await upstream.switch('main');
  await upstream.commit({ files: { 'later.js': 'export const boreasLimit = 1;\n' } });
  await fixture.refresh();
  expect((await search(ada)).own_branch).toBeNull();
  expect(await search(ada, true)).toMatchObject({ commit: head, own_branch: OWN });
  expect((await fixture.app.call(branchRoutes.working, { params }, ada)).body.branch).toMatchObject({
    behind: 1,
  });
  await fixture.app.call(
    branchRoutes.update,
    { params: { ...params, branch: 'hindsight/ada' }, body: { method: 'merge' } },
    ada,
  );
  const after = await search(ada);
  expect(after.own_branch).toMatchObject({ name: 'hindsight/ada', changes: 3 });
  expect((await findLines('boreasLimit', ada)).lines).toHaveLength(1);
});
