import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminRoutes } from '#contract/admin.ts';
import { auditRoutes } from '#contract/audit.ts';
import { authRoutes } from '#contract/auth.ts';
import { pushRoutes } from '#contract/branches.ts';
import { debugRoutes } from '#contract/debug.ts';
import { hookRoutes } from '#contract/hooks.ts';
import { ideRoutes } from '#contract/ide.ts';
import { modelRoutes } from '#contract/models.ts';
import { projectRoutes } from '#contract/projects.ts';
import { FEATURES, type FeatureName } from '#contract/route.ts';
import { openApi } from '../http/openapi.ts';
import { getModel } from '../llm/language-model.ts';
import { testApp } from '../testing.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;

beforeAll(async () => {
  served = await serveShop();
  const model = { provider: 'ollama', name: 'm', baseUrl: 'http://127.0.0.1:9/v1', apiKey: null } as const;
  app = await openShopApp(served, { model });
});
afterAll(async () => {
  await app.close();
  await served.close();
});

/** Ada is the first account, so she is the administrator. */
const turn = async (name: FeatureName, on: boolean, by = app.ada) =>
  await app.call(adminRoutes.updateFeatures, { body: { [name]: on } }, by);

test('all features are enabled by default, and only administrators can view and change them', async () => {
  const { body } = await app.call(adminRoutes.features, {}, app.ada);
  expect(body).toEqual(Object.fromEntries(FEATURES.map((name) => [name, true])));
  expect((await app.call(adminRoutes.features, {}, app.bob)).status).toBe(404);
  expect((await turn('file_saving', false, app.bob)).status).toBe(404);
});

/** A call that each switch disables, and its error. */
const CALLS: [
  FeatureName,
  () => Promise<{ status: number; reason?: string | undefined; retry?: unknown }>,
][] = [
  [
    'project_creation',
    async () => {
      const body = { name: 'x', git_url: `${served.gitServer.url}/${served.shop.repository.name}` };
      return refusal(await app.call(projectRoutes.create, { body }, app.ada));
    },
  ],
  [
    'project_creation',
    async () => {
      const body = { git_url: `${served.gitServer.url}/other` };
      return refusal(await app.call(projectRoutes.update, { params: { id: app.project.id }, body }, app.ada));
    },
  ],
  [
    'file_saving',
    async () => {
      const params = { id: app.project.id, '*': 'new.txt' };
      const body = { content: 'x', message: 'Add', base_sha: null } as never;
      return refusal(await app.call(ideRoutes.save, { params, body }, app.ada));
    },
  ],
  [
    'pushing',
    async () => {
      const body = { branch: 'none', target: 'none' };
      return refusal(await app.call(pushRoutes.create, { params: { id: app.project.id }, body }, app.ada));
    },
  ],
  ['webhooks', async () => refusal(await sendPush())],
  ['models', async () => refusal(await app.call(modelRoutes.probe, {}, app.ada))],
];

function refusal({
  status,
  error,
  raw,
}: {
  status: number;
  error?: { reason?: string };
  raw: { headers: object };
}) {
  return { status, reason: error?.reason, retry: (raw.headers as Record<string, unknown>)['retry-after'] };
}

let secret = '';
async function sendPush() {
  const params = { id: app.project.id };
  secret ||= (await app.call(hookRoutes.create, { params }, app.ada)).body.secret;
  const payload = '{}';
  const raw = await app.inject({
    method: 'POST',
    url: `/api/hooks/${app.project.id}/push`,
    payload,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
    },
  });
  return { status: raw.statusCode, error: raw.json().error, raw };
}

test.each(CALLS)(
  'what %s allows is refused while it is switched off, and works again after',
  async (name, call) => {
    expect((await call()).reason).not.toBe('feature_disabled');
    await turn(name, false);
    expect(await call()).toEqual({ status: 503, reason: 'feature_disabled', retry: '600' });
    await turn(name, true);
    expect((await call()).reason).not.toBe('feature_disabled');
  },
);

test('disabled sign-up is closed, also for invitations', async () => {
  const invited = await app.call(adminRoutes.invite, { body: {} }, app.ada);
  await turn('signup', false);
  const body = {
    username: 'newcomer',
    email: 'newcomer@example.org',
    password: 'a quiet harbour at dawn',
    invitation: invited.body.link.split('#')[1],
  };
  const refused = await app.call(authRoutes.register, { body });
  expect([refused.status, refused.error?.reason]).toEqual([400, 'signup_closed']);
  expect((await app.call(authRoutes.setup, {})).body.signup).toBe('closed');
  expect((await app.signIn(app.bob)).accessToken).toBeTruthy();
  await turn('signup', true);
  expect((await app.call(authRoutes.setup, {})).body.signup).toBe('open');
  expect((await app.call(authRoutes.register, { body })).status).toBe(201);
});

test('with models disabled answers are composed without one', async () => {
  expect(await getModel(app.deps)).not.toBeNull();
  await turn('models', false);
  expect(await getModel(app.deps)).toBeNull();
  const body = {
    error_message: 'TypeError: Cannot read properties of undefined',
    project_id: app.project.id,
  };
  const answered = await app.call(debugRoutes.debug, { body }, app.bob);
  expect(answered.status).toBe(200);
  await turn('models', true);
});

test('a switch takes effect on all replicas, and the change is in the audit log', async () => {
  const { db, config } = app.deps;
  const before = await getModel({ db, config: { ...config }, keys: app.deps.keys });
  expect(before).not.toBeNull();
  await turn('models', false);
  // Another process shares the database and nothing else.
  expect(await getModel({ db, config: { ...config }, keys: app.deps.keys })).toBeNull();
  await turn('models', true);
  await turn('models', true);
  const { events } = (await app.call(auditRoutes.mine, { query: { limit: '2' } }, app.ada)).body;
  expect(events.map(({ event, detail }) => [event, detail.name])).toEqual([
    ['feature_enabled', 'models'],
    ['feature_disabled', 'models'],
  ]);
});

test('the OpenAPI description shows which routes can be disabled', () => {
  const text = JSON.stringify((openApi() as { paths: Record<string, unknown> }).paths['/api/projects']);
  expect(text).toContain('feature_disabled');
});

test('two concurrent changes are both applied', async () => {
  const other = await testApp();
  const admin = await other.signUp();
  const bodies = FEATURES.map((name) => ({ [name]: false }));
  await Promise.all(bodies.map((body) => other.call(adminRoutes.updateFeatures, { body }, admin)));
  const { body } = await other.call(adminRoutes.features, {}, admin);
  expect(Object.values(body)).toEqual(FEATURES.map(() => false));
  await other.close();
});
