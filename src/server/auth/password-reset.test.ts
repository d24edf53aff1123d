import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp({
    work: true,
    config: { publicUrl: 'https://hindsight.example', allowedHosts: ['evil.example'] },
  });
});
afterAll(() => server.close());

const NEW_PASSWORD = 'another harbour at dusk';

let ipCount = 0;
/** Uses a new IP per call to avoid rate limits. */
const send = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  ipCount += 1;
  return await server.inject({
    method: 'POST',
    url: `/api/auth/${path}`,
    payload,
    headers,
    remoteAddress: `10.20.${ipCount >> 8}.${ipCount & 255}`,
  });
};
const requestReset = async (email: string, headers?: Record<string, string>) =>
  await send('forgot-password', { email }, headers);
const reset = async (token: string, new_password = NEW_PASSWORD) =>
  await send('reset-password', { token, new_password });
const login = async (user: TestUser, password: string) =>
  (await server.call(authRoutes.login, { body: { username: user.email, password } })).status;

async function mailsTo(email: string): Promise<string[]> {
  const folder = join(server.deps.config.dataDir, 'mail');
  const files = (await readdir(folder).catch(() => [])).sort();
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return mails.filter((mail) => mail.includes(`\nTo: ${email}\n`));
}

/** Waits for this many mails and returns the token of the last one. */
async function waitForToken(email: string, count = 1): Promise<string> {
  const mails = await vi.waitFor(
    async () => {
      const found = await mailsTo(email);
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 60_000, interval: 100 },
  );
  return /https:\/\/hindsight\.example\/reset-password#([\w-]{43})\n/.exec(mails.at(-1)!)![1]!;
}

test('a reset sets the new password and revokes the old one and all sessions', async () => {
  const user = await server.signUp('ada');
  expect((await requestReset('ADA@example.org')).statusCode).toBe(200);
  const secret = await waitForToken(user.email);
  expect((await reset(secret)).json()).toEqual({ ok: true });
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(401);
  expect((await server.call(authRoutes.refresh, { body: { refresh_token: user.refreshToken } })).status).toBe(
    401,
  );
  expect(await login(user, user.password)).toBe(401);
  expect(await login(user, NEW_PASSWORD)).toBe(200);

  const again = await reset(secret, 'a third harbour at noon');
  expect([again.statusCode, again.json().error.reason]).toEqual([400, 'link_expired']);
  expect(await login(user, NEW_PASSWORD)).toBe(200);
});

test('concurrent uses of one reset link succeed once', async () => {
  const user = await server.signUp('bob');
  await requestReset(user.email);
  const secret = await waitForToken(user.email);
  const passwords = ['one harbour at dawn', 'two harbours at dusk', 'three harbours at noon'];
  const replies = await Promise.all(passwords.map((password) => reset(secret, password)));
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 400, 400]);
  const winner = passwords[replies.findIndex((reply) => reply.statusCode === 200)]!;
  expect(await login(user, winner)).toBe(200);
});

test('reset links expire after thirty minutes and when another one is used', async () => {
  const user = await server.signUp('carol');
  await requestReset(user.email);
  const expiredToken = await waitForToken(user.email);
  server.advance(30 * 60 + 1);
  expect((await reset(expiredToken)).statusCode).toBe(400);

  await requestReset(user.email);
  const first = await waitForToken(user.email, 2);
  await requestReset(user.email);
  const second = await waitForToken(user.email, 3);
  expect((await reset(second)).statusCode).toBe(200);
  expect((await reset(first)).statusCode).toBe(400);
});

test('a rejected password does not consume the link, up to five attempts', async () => {
  const user = await server.signUp('dave');
  await requestReset(user.email);
  const secret = await waitForToken(user.email);
  const common = await reset(secret, 'dave@example.org');
  expect([common.statusCode, Object.keys(common.json().error.fields)]).toEqual([422, ['new_password']]);
  for (let round = 0; round < 4; round += 1) await reset(secret, 'password123');
  expect((await reset(secret)).statusCode).toBe(429);
  expect(await login(user, user.password)).toBe(200);
});

test('only the hash of a reset token is stored', async () => {
  const user = await server.signUp('erin');
  await requestReset(user.email);
  const secret = await waitForToken(user.email);
  const rows = await server.deps.db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('user_id', '=', user.id)
    .execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect((await reset(rows[0]!.digest)).statusCode).toBe(400);
});

test('an unknown email gets the same reply, also over the limit, and no mail is sent', async () => {
  const user = await server.signUp('frank');
  const bodies = async (email: string) => {
    const replies = [];
    for (let round = 0; round < 5; round += 1) replies.push(await requestReset(email));
    return replies.map(({ statusCode, body }) => [statusCode, body]);
  };
  expect(await bodies('nobody@example.org')).toEqual(await bodies(user.email));
  await waitForToken(user.email, 3);
  expect(await mailsTo('nobody@example.org')).toEqual([]);
});

test('a deactivated account receives no mail, and its links are invalid', async () => {
  const user = await server.signUp('gina');
  await requestReset(user.email);
  const secret = await waitForToken(user.email);
  await server.deps.db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
  await requestReset(user.email);
  const other = await server.signUp('hank');
  await requestReset(other.email);
  await waitForToken(other.email);
  expect(await mailsTo(user.email)).toHaveLength(1);
  expect((await reset(secret)).statusCode).toBe(400);
});

test('the link uses the configured URL and the account’s language, never a header', async () => {
  const user = await server.signUp('ines');
  const body = { preferences: { language: 'es' as const } };
  await server.call(accountRoutes.updateProfile, { body }, user);
  await requestReset(user.email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  await waitForToken(user.email);
  const [mail = ''] = await mailsTo(user.email);
  expect(mail).toContain('Hola, ines:');
  expect(mail).not.toContain('evil.example');
});

test('one IP can request ten resets per hour', async () => {
  const requestFrom = async (index: number) =>
    await server.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { email: `stranger${index}@example.org` },
      remoteAddress: '10.77.0.1',
    });
  const statuses = [];
  for (let index = 0; index < 11; index += 1) statuses.push((await requestFrom(index)).statusCode);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('cross-site requests are rejected', async () => {
  const headers = { origin: 'https://evil.example' };
  expect((await requestReset('ada@example.org', headers)).statusCode).toBe(400);
  const body = { token: 'x', new_password: NEW_PASSWORD };
  expect((await send('reset-password', body, headers)).json().error.reason).toBe('origin_not_allowed');
});

test('without PUBLIC_URL the link uses the listening address', async () => {
  const local = await testApp({ work: true, config: { allowedHosts: ['evil.example'] } });
  await local.app.listen({ host: '127.0.0.1', port: 0 });
  const user = await local.signUp();
  await local.inject({
    method: 'POST',
    url: '/api/auth/forgot-password',
    payload: { email: user.email },
    headers: { host: 'evil.example' },
  });
  const folder = join(local.deps.config.dataDir, 'mail');
  const [file = ''] = await vi.waitFor(
    async () => {
      const files = await readdir(folder);
      expect(files).toHaveLength(1);
      return files;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(await readFile(join(folder, file), 'utf8')).toContain(
    `${local.app.listeningOrigin}/reset-password#`,
  );
  await local.close();
});
