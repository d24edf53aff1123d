import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { egressRoutes } from '#contract/egress.ts';
import { modelRoutes } from '#contract/models.ts';
import { getModel } from '../llm/language-model.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let app: TestApp;
let admin: TestUser;
let provider: TestModel;
const KEY = 'a key that nobody may see';

beforeAll(async () => {
  app = await testApp();
  admin = await app.signUp();
  provider = await startTestModel();
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(async () => {
  provider.calls.length = 0;
  await app.call(modelRoutes.remove, {}, admin);
});

const configureModel = (body: object) => app.call(modelRoutes.set, { body: body as never }, admin);
const own = () => ({
  provider: 'openai-compatible',
  name: 'small',
  base_url: provider.baseUrl,
  api_key: KEY,
});

test('an admin configures a model, whose key is stored encrypted and never returned', async () => {
  const { body } = await configureModel(own());
  expect(body).toEqual({
    source: 'admin',
    provider: 'openai-compatible',
    name: 'small',
    base_url: provider.baseUrl,
    has_api_key: true,
  });
  const stored = await app.deps.db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', 'model')
    .execute();
  expect(JSON.stringify([stored, body])).not.toContain(KEY);
  const model = await getModel(app.deps);
  provider.behave({ say: 'Hello' });
  for await (const _ of model!.write({ system: '', turns: [{ role: 'user', content: 'Hi' }] }));
  expect(provider.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(await getModel(app.deps)).toBe(model);
});

test('a stored key is bound to its base URL', async () => {
  await configureModel(own());
  await configureModel({ ...own(), name: 'large', api_key: null });
  expect((await app.call(modelRoutes.state, {}, admin)).body).toMatchObject({
    name: 'large',
    has_api_key: true,
  });
  await configureModel({ ...own(), base_url: 'https://elsewhere.example/v1', api_key: null });
  expect((await app.call(modelRoutes.state, {}, admin)).body).toMatchObject({ has_api_key: false });
});

test('missing fields are reported', async () => {
  expect((await configureModel({ provider: 'openai-compatible', name: 'x' })).error).toMatchObject({
    code: 'bad_request',
    reason: 'base_url_required',
  });
  expect((await configureModel({ provider: 'anthropic', name: 'x' })).error).toMatchObject({
    code: 'bad_request',
    reason: 'api_key_required',
  });
  expect((await configureModel({ provider: 'nobody', name: 'x' })).error?.code).toBe('invalid_input');
  expect((await app.call(modelRoutes.probe, {}, admin)).error).toMatchObject({
    reason: 'model_not_configured',
  });
  expect(await getModel(app.deps)).toBeNull();
});

test('environment variables take precedence over the admin', async () => {
  const model = {
    provider: 'ollama' as const,
    name: 'qwen3',
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: null,
  };
  const other = await testApp({ config: { model } });
  const admin = await other.signUp();
  expect((await other.call(modelRoutes.state, {}, admin)).body).toMatchObject({
    source: 'environment',
    name: 'qwen3',
  });
  const { error } = await other.call(modelRoutes.set, { body: own() as never }, admin);
  expect(error?.code).toBe('conflict');
  const { body } = await other.call(modelRoutes.probe, {}, admin);
  expect(body).toMatchObject({ streaming: false, error: 'The language model could not be reached.' });
  await other.close();
});

test('a probe reports capabilities and is logged', async () => {
  await configureModel(own());
  // The probes are sent in this order: plain text, a tool, JSON, and the model list; each reply suits the first three.
  provider.behave({ say: 'ready' }, { use: [{ name: 'report_ready', input: { ready: true } }] });
  const { body } = await app.call(modelRoutes.probe, {}, admin);
  expect(body).toMatchObject({
    streaming: true,
    tools: true,
    structured_output: true,
    context_window: 32_000,
    error: null,
  });
  const { body: log } = await app.call(egressRoutes.all, { query: {} }, admin);
  expect(log.entries[0]).toMatchObject({ purpose: 'probe', host: new URL(provider.baseUrl).host });

  provider.behave({ say: 'no' });
  expect((await app.call(modelRoutes.probe, {}, admin)).body).toMatchObject({
    streaming: true,
    tools: false,
    structured_output: false,
  });
  provider.behave({ status: 401 });
  expect((await app.call(modelRoutes.probe, {}, admin)).body.error).toContain('refused');
});

test('only an admin reads or changes the model', async () => {
  const user = await app.signUp();
  for (const route of [modelRoutes.state, modelRoutes.remove, modelRoutes.probe]) {
    expect((await app.call(route, {} as never, user)).status).toBe(404);
  }
});
