import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RED_SQUARE } from '#assistant/models/probe.ts';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { accountRoutes } from '#contract/account.ts';
import { chatRoutes } from '#contract/chat.ts';
import { connectRoutes } from '#contract/connect.ts';
import { egressRoutes } from '#contract/egress.ts';
import { modelRoutes } from '#contract/models.ts';
import { type OwnModelPolicy, ownModelRoutes } from '#contract/own-models.ts';
import { projectRoutes } from '#contract/projects.ts';
import { type GitServer, serveRepositories } from '#git/testing.ts';
import { buildShop, type ShopHistory } from '#investigate/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const KEY = 'sk-only-its-owner-may-see-this-key-4711';

let shop: ShopHistory;
let gitServer: GitServer;
let provider: TestModel;
let app: TestApp;
let ada: TestUser;
let bob: TestUser;
let id: string;
let host: string;

beforeAll(async () => {
  [shop, provider] = await Promise.all([buildShop(), startTestModel()]);
  gitServer = await serveRepositories(shop.repository.folder);
  host = new URL(provider.baseUrl).host;
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const body = { name: 'Shop', git_url: `${gitServer.url}/${shop.repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  const status = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body.status;
  await vi.waitFor(async () => expect(await status()).toBe('ready'), { timeout: 60_000 });
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: bob.id, role: 'viewer' })
    .execute();
});
afterAll(async () => {
  await app.close();
  await Promise.all([provider.close(), gitServer.close(), shop.repository.remove()]);
});
beforeEach(async () => {
  provider.calls.length = 0;
  provider.behave({ say: 'Hello' });
  await app.call(ownModelRoutes.removeOwn, {}, ada);
  await app.call(ownModelRoutes.removeOwn, {}, bob);
  await app.call(ownModelRoutes.removeProject, { params: { id } }, ada);
});

const allow = (policy: OwnModelPolicy) => app.call(ownModelRoutes.setPolicy, { body: policy }, ada);
const own = (more: object = {}) => ({
  ...{ provider: 'openai-compatible' as const, name: 'small', base_url: provider.baseUrl, api_key: KEY },
  ...more,
});
const setOwn = (body: object, as = bob) => app.call(ownModelRoutes.setOwn, { body: body as never }, as);
const ask = (message: string, as = bob, more: object = {}) =>
  app.call(chatRoutes.send, { params: { id }, body: { message, ...more } }, as);
const answering = async (as: TestUser) =>
  (await app.call(ownModelRoutes.answering, { params: { id } }, as)).body.model;

test('an administrator decides which hosts a model may have; private ones must be allowed as such', async () => {
  expect((await app.call(ownModelRoutes.own, {}, bob)).body).toEqual({
    model: null,
    policy: {
      mode: 'listed',
      hosts: ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com'],
    },
  });
  expect((await setOwn(own())).error?.reason).toBe('host_not_allowed');
  await allow({ mode: 'off', hosts: [] });
  expect((await setOwn(own())).error?.reason).toBe('own_models_off');
  await allow({ mode: 'public', hosts: [] });
  const refused = [
    [provider.baseUrl, 'https_required'],
    ['https://127.0.0.1/v1', 'private_address'],
    ['https://[::1]/v1', 'private_address'],
    ['https://0x7f.1/v1', 'private_address'],
    ['https://169.254.169.254/latest', 'private_address'],
    ['https://metadata.google.internal/v1', 'private_address'],
    ['https://user:pass@93.184.216.34/v1', 'base_url_invalid'],
    ['https://93.184.216.34/v1?to=x', 'base_url_invalid'],
    ['https://93.184.216.34:8443/v1', 'port_not_allowed'],
  ];
  for (const [base_url, reason] of refused) {
    const { error } = await setOwn(own({ base_url }));
    expect([base_url, error?.reason]).toEqual([base_url, reason]);
    expect(error?.fields?.base_url).toBeDefined();
  }
  expect((await setOwn(own({ base_url: 'javascript:alert(1)' }))).status).toBe(422);
  await app.call(connectRoutes.allowHost, { body: { host } }, ada);
  expect((await setOwn(own())).status).toBe(200);
  expect(provider.calls).toEqual([]);
});

test('a key is sealed for its URL and provider, never returned, and erased with either', async () => {
  const saved = await setOwn(own());
  expect(saved.body.model).toMatchObject({ name: 'small', has_api_key: true, state: 'usable', tested: null });
  const stored = await app.deps.db.selectFrom('user_models').selectAll().execute();
  const events = await app.deps.db.selectFrom('audit_events').selectAll().execute();
  expect(JSON.stringify([saved.body, stored, events])).not.toContain(KEY);
  expect((await setOwn(own({ name: 'large', api_key: null }))).body.model?.has_api_key).toBe(true);
  const { sealed_key } = stored[0]!;
  const moved = own({ base_url: `${provider.baseUrl}/else`, api_key: null });
  expect((await setOwn(moved)).body.model?.has_api_key).toBe(false);
  // A sealed key that is put beside another URL does not open.
  await app.deps.db.updateTable('user_models').set({ sealed_key }).execute();
  expect((await app.call(ownModelRoutes.testOwn, {}, bob)).error?.reason).toBe('decryption_failed');
  await setOwn(own());
  expect((await setOwn(own({ provider: 'openai', api_key: null }))).error?.reason).toBe('api_key_required');
});

test('a test reports the answer and the capabilities, or the error in words', async () => {
  await setOwn(own());
  provider.behave({ say: 'ready' }, { say: 'red' });
  const { body } = await app.call(ownModelRoutes.testOwn, {}, bob);
  expect(body).toMatchObject({ reply: 'ready', images: true, context_window: 32_000, error: null });
  expect(await answering(bob)).toMatchObject({ source: 'own', images: true, is_tested: true, host });
  const failures = [
    [
      { status: 401, body: `{"error":{"message":"Bad key ${KEY}"}}` },
      /refused the key of this model/,
      'Bad key [redacted]',
    ],
    [
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      /redirects to another URL/,
      'scripted',
    ],
    [{ status: 404 }, /no model of this name/, 'scripted'],
    [{ raw: 'x'.repeat(9 * 2 ** 20) }, /failed to respond/, null],
  ] as const;
  for (const [behaviour, message, words] of failures) {
    provider.behave(behaviour);
    const failed = (await app.call(ownModelRoutes.testOwn, {}, bob)).body;
    expect(failed.error).toMatch(message);
    expect(failed.provider_message).toBe(words);
  }
});

test('the project’s model comes first, then one’s own; neither uses the server’s budget', async () => {
  await setOwn(own());
  expect(await answering(ada)).toBeNull();
  provider.behave({ use: [{ name: 'search_code', input: { query: 'cart' } }] }, { say: 'It is the cart.' });
  const { body } = await ask('What is it?');
  expect(body).toMatchObject({
    response: 'It is the cart.',
    model: 'openai-compatible:small',
    model_source: 'own',
  });
  expect(provider.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(body.steps.map(({ tool }) => tool)).toEqual(['search_index', 'search_code']);
  expect(body.steps.every(({ results }) => results !== null)).toBe(true);
  expect(body.context).toMatchObject({ tokens: 18, is_estimate: false, window: null });
  const page = (await app.call(chatRoutes.messages, { params: { id }, query: {} }, bob)).body;
  expect(page.messages.at(-1)).toMatchObject({
    steps: body.steps,
    context: body.context,
    model_source: 'own',
  });
  expect((await app.call(modelRoutes.usage, {}, bob)).body.month.tokens).toBe(0);
  const calls = (await app.call(egressRoutes.project, { params: { id }, query: {} }, ada)).body.entries;
  expect(calls.find(({ purpose }) => purpose === 'chat')).toMatchObject({ host, user: 'bob' });

  const params = { id };
  expect((await app.call(ownModelRoutes.setProject, { params, body: own() }, bob)).status).toBe(409);
  await app.call(ownModelRoutes.setProject, { params, body: own({ name: 'team' }) }, ada);
  expect([(await answering(ada))?.source, (await answering(bob))?.source]).toEqual(['project', 'project']);
  // The key of a former owner is not used.
  await app.deps.db.updateTable('project_models').set({ created_by: bob.id }).execute();
  expect(await answering(bob)).toMatchObject({ source: 'project', unusable: 'other_owner' });
});

test('a model that is no longer allowed receives nothing, and the answer says so', async () => {
  await setOwn(own());
  await allow({ mode: 'listed', hosts: ['api.example.org'] });
  const { body } = await ask('What does the cart do?');
  expect(body.response).toContain('was not used because an administrator does not allow it');
  expect(body.model).toBeNull();
  expect(provider.calls).toEqual([]);
  await allow({ mode: 'listed', hosts: [host] });
  expect((await ask('And now?')).body.model_source).toBe('own');
});

test('the export lists a model without its key; images need a model that has seen one', async () => {
  await setOwn(own());
  const png = RED_SQUARE.data;
  const upload = { params: { id }, body: { name: 'shot.png', data: png } };
  const image = (await app.call(chatRoutes.upload, upload, bob)).body;
  expect((await ask('What is it?', bob, { attachments: [image.id] })).error?.reason).toBe(
    'images_not_supported',
  );
  provider.behave({ say: 'ready' }, { say: 'red' });
  await app.call(ownModelRoutes.testOwn, {}, bob);
  provider.calls.length = 0;
  expect((await ask('What is it?', bob, { attachments: [image.id] })).status).toBe(200);
  expect(JSON.stringify(provider.calls[0]?.body.messages?.at(-1))).toContain(`data:image/png;base64,${png}`);

  const link = await app.call(accountRoutes.requestExport, { body: {} }, bob);
  const files = unzipSync(new Uint8Array((await app.inject({ url: link.body.url })).rawPayload));
  const models = new TextDecoder().decode(files['models.json']);
  expect(JSON.parse(models)).toMatchObject([{ name: 'small', base_url: provider.baseUrl }]);
  expect(models).not.toContain('sealed');
  expect(Object.keys(files).find((name) => name.startsWith('attachments/'))).toMatch(/shot\.png$/);
});
