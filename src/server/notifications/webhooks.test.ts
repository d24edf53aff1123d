import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { egressRoutes } from '#contract/egress.ts';
import { createSentence } from '#contract/sentence.ts';
import { type WebhookKind, webhookRoutes } from '#contract/webhooks.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import type { NewNotification } from './queries.ts';
import { queueWebhooks } from './queue-webhooks.ts';
import { renderWebhookBody } from './webhook-body.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let receiver: Server;
let url: string;
let received: Received[] = [];
/** Statuses that the receiver answers in turn, the last one from then on. */
let answers: number[] = [200];
let app: TestApp;
let ada: TestUser;
let project: string;

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    reply.writeHead(answers.length > 1 ? answers.shift()! : answers[0]!).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  url = `http://${host}/hook/secret-path`;
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [host] } } });
  ada = await app.signUp('ada');
  project = await insertTestProject(app.deps, [[ada, 'owner']]);
});
beforeEach(async () => {
  received = [];
  answers = [200];
  await app.deps.db.deleteFrom('webhooks').execute();
});
afterAll(async () => {
  await app.close();
  receiver.close();
});

const create = async (values: {
  kind?: WebhookKind;
  url?: string;
  events?: ('error.new' | 'project.failed')[];
}) =>
  await app.call(
    webhookRoutes.create,
    { params: { id: project }, body: { kind: 'standard', url, events: ['error.new'], ...values } },
    ada,
  );

const newError = (key: string, title = 'TypeError: no total'): NewNotification => ({
  userIds: [ada.id],
  projectId: project,
  key,
  type: 'warning',
  title: createSentence('notifications.event.error_new.title', { project: 'Words' }),
  message: createSentence('notifications.event.error_new.message', { error: title }),
  actionUrl: `/projects/${project}/errors/e-1`,
});

const deliveries = async (webhook: string) => {
  const { body } = await app.call(
    webhookRoutes.deliveries,
    { params: { id: project, webhook }, query: {} },
    ada,
  );
  return body.deliveries;
};

test('an event is sent once, signed as Standard Webhooks, and logged', async () => {
  const { status, body } = await create({});
  expect([status, body.host]).toEqual([201, '127.0.0.1']);
  expect(JSON.stringify(body)).not.toContain('secret-path');
  await queueWebhooks(app.deps, newError('k1'), 'https://hindsight.example');
  // Every process of the server sees the event.
  await queueWebhooks(app.deps, newError('k1'), 'https://hindsight.example');
  await expect
    .poll(() => deliveries(body.id))
    .toMatchObject([{ state: 'delivered', status: 200, attempts: 1 }]);
  expect(received).toHaveLength(1);
  const [{ headers, body: sent }] = received as [Received];
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  const key = Buffer.from(body.secret!.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(id)}.${String(at)}.${sent}`)
    .digest('base64');
  expect(signature).toBe(`v1,${expected}`);
  expect(JSON.parse(sent)).toMatchObject({
    type: 'error.new',
    data: {
      project_id: project,
      error_id: 'e-1',
      url: `https://hindsight.example/projects/${project}/errors/e-1`,
      message: '`TypeError: no total` occurred for the first time.',
    },
  });
  const log = await app.call(egressRoutes.project, { params: { id: project }, query: {} }, ada);
  expect(log.body.entries[0]).toMatchObject({ purpose: 'webhook', status: 200 });
});

test('only subscribed events of enabled webhooks are sent', async () => {
  const { body } = await create({ events: ['project.failed'] });
  await queueWebhooks(app.deps, newError('k2'), 'https://hindsight.example');
  expect(await deliveries(body.id)).toEqual([]);
});

test('a failure is retried later with the same id; the owner sends it again at once', async () => {
  answers = [503, 200];
  const { body } = await create({});
  await queueWebhooks(app.deps, newError('k3'), 'https://hindsight.example');
  await expect.poll(() => deliveries(body.id)).toMatchObject([{ state: 'queued', status: 503, attempts: 1 }]);
  await expect.poll(() => deliveries(body.id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  const [first, second] = received.map(({ headers }) => headers['webhook-id']);
  expect(first).toBe(second);
  const [delivery] = await deliveries(body.id);
  const params = { id: project, webhook: body.id, delivery: delivery!.id };
  expect((await app.call(webhookRoutes.redeliver, { params }, ada)).status).toBe(202);
  await expect.poll(() => received.length).toBe(3);
});

test('410 Gone disables the webhook, without further attempts', async () => {
  answers = [410];
  const { body } = await create({});
  const params = { id: project, webhook: body.id };
  expect((await app.call(webhookRoutes.test, { params }, ada)).status).toBe(202);
  await expect
    .poll(() => deliveries(body.id))
    .toMatchObject([{ event: 'test', state: 'failed', status: 410 }]);
  const { body: list } = await app.call(webhookRoutes.list, { params: { id: project } }, ada);
  expect(list.webhooks).toMatchObject([{ enabled: false, last_delivery: { ok: false, status: 410 } }]);
});

test.each([
  ['a private host', { url: 'http://10.0.0.7/hook' }, 400],
  ['a metadata address', { url: 'http://169.254.169.254/x' }, 400],
  ['a password', { url: 'https://user:pass@hooks.example/x' }, 422],
  ['another scheme', { url: 'file:///etc/passwd' }, 422],
  ['no events', { events: [] }, 422],
])('%s is refused', async (_case, values, status) => {
  expect((await create(values as never)).status).toBe(status);
});

test('a project has at most twenty webhooks, also created at once', async () => {
  const replies = await Promise.all(Array.from({ length: 23 }, () => create({})));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), 409, 409, 409]);
});

test('texts of errors cannot mention, link or command in a chat', () => {
  const hostile = 'x <!channel> @everyone [a](http://evil) ](x) *b*';
  const { title, message } = newError('k', hostile);
  const content = {
    title,
    message: { ...message, code: 'unknown', text: hostile },
    url: 'https://h.example/',
    data: {},
  };
  const render = (kind: WebhookKind) =>
    renderWebhookBody(kind, { event: 'error.new', createdAt: new Date(0), content, language: 'en' });
  expect(render('slack')).toContain('&lt;!channel&gt;');
  expect(JSON.parse(render('discord'))).toMatchObject({ allowed_mentions: { parse: [] } });
  expect(JSON.parse(render('discord')).content).toContain('\\[a\\]\\(http://evil\\)');
  expect(JSON.stringify(JSON.parse(render('teams')).attachments[0].content.body)).toContain('\\\\[a\\\\]');
});
