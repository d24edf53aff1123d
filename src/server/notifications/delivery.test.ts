import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { notificationRoutes } from '#contract/notifications.ts';
import { createSentence } from '#contract/sentence.ts';
import { newId } from '#db/ids.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { requestDelivery } from './delivery.ts';
import type { NotificationName } from './notification-scope.ts';

/** Fake push service that records messages, and a browser that can decrypt them. */
interface ReceivedPush {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let service: Server;
let address: string;
let pushes: ReceivedPush[] = [];
let answer = 201;
let app: TestApp;
let ada: TestUser;

const browser = createECDH('prime256v1');
browser.generateKeys();
const auth = randomBytes(16);

beforeAll(async () => {
  service = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    pushes.push({ path: request.url!, headers: request.headers, body });
    reply.writeHead(answer).end();
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
  address = `http://${host}`;
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({
    work: true,
    config: {
      publicUrl: 'https://hindsight.example',
      mail: { smtpUrl: 'smtp://mail.example', from: 'Hindsight <news@hindsight.example>' },
      git: { ...git, allowedPrivateHosts: [host] },
    },
  });
  ada = await app.signUp('ada');
});
beforeEach(() => {
  pushes = [];
  answer = 201;
});
afterAll(async () => {
  await app.close();
  service.close();
});

const subscription = (path: string) => ({
  endpoint: `${address}${path}`,
  keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
});
const subscribe = async (path: string, as = ada) =>
  await app.call(notificationRoutes.subscribe, { body: subscription(path) }, as);
const setPreferences = async (preferences: object) =>
  await app.call(accountRoutes.updateProfile, { body: { preferences } }, ada);

async function notify(name: NotificationName, params: Record<string, string | number> = {}): Promise<string> {
  const id = newId();
  const [title, message] = [
    createSentence(`notifications.event.${name}.title`, params),
    createSentence(`notifications.event.${name}.message`, params),
  ];
  await app.deps.db
    .insertInto('notifications')
    .values({
      user_id: ada.id,
      id,
      event_key: id,
      type: 'info',
      title: JSON.stringify(title),
      message: JSON.stringify(message),
      action_url: '/projects/p1',
    })
    .execute();
  const origin = 'https://hindsight.example';
  await requestDelivery(app.deps, { userId: ada.id, id, titleCode: title.code, origin });
  return id;
}

async function waitFor(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 1_800; round++) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error('it did not come to that');
}

/** Waits until no push job is pending. */
async function waitForDelivery(): Promise<void> {
  const waiting = sql<{ count: string }>`select count(*) from pgboss.job
    where (name = 'push' or name = 'digest' and start_after <= now()) and state in ('created', 'retry', 'active')`;
  await waitFor(async () => (await waiting.execute(app.deps.db)).rows[0]!.count === '0');
}

/** Decrypts a message (RFC 8188 and 8291): one record, with keys from both key pairs and the shared secret. */
function decrypt(body: Buffer): unknown {
  const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
  const serverKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), serverKey]);
  const shared = Buffer.from(hkdfSync('sha256', browser.computeSecret(serverKey), auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${name}\0`, length));
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  cipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString());
}

test('a push message is encrypted, localized and signed with VAPID', async () => {
  await setPreferences({ language: 'de' });
  expect((await subscribe('/one')).status).toBe(200);
  await notify('project_ready', { project: 'Ledger', count: 1200 });
  await waitFor(() => pushes.length === 1);
  const [{ path, headers, body }] = pushes as [ReceivedPush];
  expect(path).toBe('/one');
  expect(headers['content-encoding']).toBe('aes128gcm');
  expect(body.toString('latin1')).not.toContain('Ledger');
  expect(decrypt(body)).toMatchObject({
    title: expect.stringContaining('Ledger'),
    body: expect.stringContaining('1.200'),
    url: '/projects/p1',
  });
  const { public_key } = (await app.call(notificationRoutes.push, {}, ada)).body;
  expect(headers.authorization).toContain(`k=${public_key}`);
  const claims = decodeJwt(/t=([^,]+)/.exec(headers.authorization!)![1]!);
  expect(claims).toMatchObject({ aud: address, sub: 'https://hindsight.example' });
});

test('notifications outside the preferences are not delivered', async () => {
  await setPreferences({ notification_scope: 'participating' });
  await notify('project_updated', { project: 'Ledger', count: 2, hash: 'abc1234' });
  await setPreferences({ notification_scope: 'security' });
  await notify('project_ready', { project: 'Ledger', count: 1 });
  await notify('password_changed');
  await waitFor(() => pushes.length > 0);
  await setPreferences({ push_notifications: false, notification_scope: 'all' });
  await notify('password_changed');
  await waitForDelivery();
  expect(pushes.map(({ body }) => (decrypt(body) as { title: string }).title)).toEqual([
    'Ihr Passwort wurde geändert',
  ]);
  await setPreferences({ push_notifications: true, notification_scope: 'participating' });
});

test('an expired push subscription is deleted', async () => {
  answer = 410;
  await notify('password_changed');
  await waitFor(async () => {
    const rows = await app.deps.db.selectFrom('push_subscriptions').select('id').execute();
    return rows.length === 0;
  });
});

test('a failed push is retried and delivered once', async () => {
  await subscribe('/again');
  answer = 500;
  await notify('password_changed');
  await waitFor(() => pushes.length > 0);
  answer = 201;
  await waitFor(() => pushes.length > 1);
  await waitForDelivery();
  expect(pushes.length).toBe(2);
});

test('a revoked session receives no push messages', async () => {
  const startBrowser = await app.signIn(ada);
  // The sign-in itself is notified.
  await waitFor(() => pushes.length > 0);
  pushes = [];
  await subscribe('/phone', startBrowser);
  await app.call(authRoutes.logout, {}, startBrowser);
  await notify('password_changed');
  await waitFor(() => pushes.length > 0);
  await waitForDelivery();
  expect(pushes.map(({ path }) => path)).toEqual(['/again']);
  await app.call(notificationRoutes.unsubscribe, { body: { endpoint: `${address}/again` } }, ada);
});

test.each([
  'http://127.0.0.1:9/x',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/x',
  'https://[::1]/x',
  'https://user:pass@push.example/x',
  'http://push.example/x',
  'file:///etc/passwd',
  'not an address',
])('%s is rejected as a push endpoint', async (endpoint) => {
  const { keys } = subscription('/');
  const { status } = await app.call(notificationRoutes.subscribe, { body: { endpoint, keys } }, ada);
  expect([400, 422]).toContain(status);
});

test('a digest counts unread notifications once and contains no user-chosen text', async () => {
  await app.deps.db.updateTable('users').set({ email_verified_at: new Date() }).execute();
  await app.deps.db.updateTable('notifications').set({ read_at: new Date() }).execute();
  await notify('project_shared', { project: 'Visit evil.example', user: 'eve' });
  await notify('password_changed');
  // Digest emails are delayed; make them due.
  await sql`update pgboss.job set start_after = now() where name = 'digest'`.execute(app.deps.db);
  const folder = join(app.deps.config.dataDir, 'mail');
  const emails = async () => {
    const names = await readdir(folder).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.filter((text) => text.includes('/notifications'));
  };
  await waitFor(async () => (await emails()).length > 0);
  await waitForDelivery();
  const found = await emails();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('To: ada@');
  expect(found[0]).toContain('2.');
  expect(found[0]).not.toContain('evil.example');

  // One click in the mail program ends the emails, without signing in.
  const [, url] = /^List-Unsubscribe: <(.+)>$/m.exec(found[0]!)!;
  expect(found[0]).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const click = async (target: URL) =>
    await app.inject({
      method: 'POST',
      url: target.pathname + target.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
  const forged = new URL(url!);
  forged.searchParams.set('key', `${ada.id}.x`);
  expect((await click(forged)).statusCode).toBe(404);
  expect((await click(new URL(url!))).statusCode).toBe(200);
  const { body: me } = await app.call(accountRoutes.me, {}, ada);
  expect(me.preferences.email_notifications).toBe(false);
});
