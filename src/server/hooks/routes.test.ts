import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debugRoutes } from '#contract/debug.ts';
import { hookRoutes } from '#contract/hooks.ts';
import { projectRoutes } from '#contract/projects.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '../testing-shop.ts';

let served: ServedShop;
let app: ShopApp;
let secret: string;

beforeAll(async () => {
  served = await serveShop();
  app = await openShopApp(served);
  const { body } = await app.call(hookRoutes.create, { params: { id: app.project.id } }, app.ada);
  secret = body.secret;
});
afterAll(async () => {
  await app.close();
  await served.close();
});

const sign = (body: string, key = secret) => createHmac('sha256', key).update(body).digest('hex');
const deliver = async (
  kind: 'push' | 'errors',
  body: string,
  headers: Record<string, string>,
  id = app.project.id,
) =>
  await app.inject({
    method: 'POST',
    url: `/api/hooks/${id}/${kind}`,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const waitFor = async (is: () => Promise<boolean>) => {
  for (let round = 0; round < 500 && !(await is()); round++) await sleep(100);
  expect(await is()).toBe(true);
};

const PUSH = JSON.stringify({ ref: 'refs/heads/main' });

test.each([
  ['GitHub', () => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${sign(PUSH)}` })],
  ['Gitea', () => ({ 'x-gitea-event': 'push', 'x-gitea-signature': sign(PUSH) })],
  ['GitLab', () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret })],
])('a push event of %s refreshes the project', async (_name, headers) => {
  const head = await served.shop.repository.commit({
    message: 'More',
    files: { 'more.txt': `${Math.random()}` },
  });
  const reply = await deliver('push', PUSH, headers());
  expect({ status: reply.statusCode, body: reply.json() }).toEqual({
    status: 202,
    body: { outcome: 'refresh_queued' },
  });
  await waitFor(async () => {
    const { body } = await app.call(projectRoutes.get, { params: { id: app.project.id } }, app.ada);
    return body.indexed_commit === head;
  });
});

test('a webhook without a valid signature is not found', async () => {
  const wrong: Record<string, string>[] = [
    {},
    { 'x-hub-signature-256': `sha256=${sign(PUSH, 'guess')}` },
    { 'x-hub-signature-256': `sha256=${sign(`${PUSH} `)}` },
    { 'x-hub-signature-256': '' },
    { 'x-gitlab-token': `${secret}x` },
    { authorization: 'Bearer ' },
  ];
  for (const headers of wrong) {
    expect((await deliver('push', PUSH, headers)).statusCode).toBe(404);
    expect((await deliver('errors', PUSH, headers)).statusCode).toBe(404);
  }
  expect((await deliver('push', PUSH, { 'x-gitlab-token': secret }, 'no-such-project')).statusCode).toBe(404);
});

test('other code host events are recorded and ignored', async () => {
  const reply = await deliver('push', '{"zen":"."}', {
    'x-github-event': 'ping',
    'x-hub-signature-256': `sha256=${sign('{"zen":"."}')}`,
  });
  expect(reply.json()).toEqual({ outcome: 'ignored' });
  const { body } = await app.call(hookRoutes.get, { params: { id: app.project.id } }, app.ada);
  expect(body.last_delivery).toMatchObject({ event: 'ping', outcome: 'ignored' });
  expect(JSON.stringify(body)).not.toContain(secret);
});

const SENTRY = {
  action: 'created',
  data: {
    event: {
      platform: 'node',
      release: 'shop@2.0.1',
      web_url: 'https://sentry.example/1',
      exception: {
        values: [
          {
            type: 'TypeError',
            value: "Cannot read properties of undefined (reading 'percent')",
            stacktrace: {
              frames: [
                { filename: '/srv/app/src/server.js', function: 'handle', lineno: 9, colno: 20 },
                {
                  filename: '/srv/app/src/checkout/total.js',
                  function: 'applyDiscount',
                  lineno: 13,
                  colno: 48,
                },
              ],
            },
          },
        ],
      },
    },
  },
};

test('a Sentry error is investigated, and a recurrence is deduplicated', async () => {
  const body = JSON.stringify(SENTRY);
  const headers = { 'sentry-hook-resource': 'event_alert', 'sentry-hook-signature': sign(body) };
  expect((await deliver('errors', body, headers)).json()).toEqual({ outcome: 'debug_queued' });
  const listSessions = async () => {
    const query = { project_id: app.project.id };
    return (await app.call(debugRoutes.sessions, { query }, app.ada)).body.sessions;
  };
  await waitFor(async () => (await listSessions()).length === 1);
  const [session] = await listSessions();
  expect(session?.title).toContain('Cannot read properties of undefined');
  const { body: whole } = await app.call(debugRoutes.session, { params: { id: session!.id } }, app.ada);
  expect(whole.request.error_message).toContain(
    'at applyDiscount (/srv/app/src/checkout/total.js:13:48)\n    at handle',
  );
  expect(whole.answer.places[0]?.path).toBe('src/checkout/total.js');

  await deliver('errors', body, headers);
  const group = () =>
    app.deps.db
      .selectFrom('debug_groups')
      .select('count')
      .where('project_id', '=', app.project.id)
      .executeTakeFirstOrThrow();
  await waitFor(async () => (await group()).count === 2);
  expect(await listSessions()).toHaveLength(1);
}, 120_000);

test('plain JSON is accepted, and a body without an error is ignored', async () => {
  const send = async (value: unknown) =>
    (await deliver('errors', JSON.stringify(value), { authorization: `Bearer ${secret}` })).json();
  expect(await send({ message: 'Unknown region mars', type: 'Error' })).toEqual({ outcome: 'debug_queued' });
  for (const value of [
    null,
    [],
    'x',
    {},
    { message: 5 },
    { data: { event: {} } },
    { data: { event: { exception: { values: [] } } } },
  ]) {
    expect(await send(value)).toEqual({ outcome: 'ignored' });
  }
});

test('only the owner manages the secret, and without one webhooks are rejected', async () => {
  const params = { id: app.project.id };
  expect((await app.call(hookRoutes.create, { params }, app.bob)).error?.code).toBe('read_only');
  expect((await app.call(hookRoutes.get, { params }, await app.signUp())).status).toBe(404);
  await app.call(hookRoutes.remove, { params }, app.ada);
  expect((await deliver('push', PUSH, { 'x-gitlab-token': secret })).statusCode).toBe(404);
});
