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

let addresses = 0;
/** Each call from an address of its own, so that limits per address stay out of the way. */
const send = async (path: string, payload: object, headers: Record<string, string> = {}) => {
  addresses += 1;
  return await server.inject({
    method: 'POST',
    url: `/api/auth/${path}`,
    payload,
    headers,
    remoteAddress: `10.20.${addresses >> 8}.${addresses & 255}`,
  });
};
const forgot = async (email: string, headers?: Record<string, string>) =>
  await send('forgot-password', { email }, headers);
const reset = async (token: string, new_password = NEW_PASSWORD) =>
  await send('reset-password', { token, new_password });
const login = async (user: TestUser, password: string) =>
  (await server.call(authRoutes.login, { body: { username: user.email, password } })).status;

async function lettersTo(email: string): Promise<string[]> {
  const folder = join(server.deps.config.dataDir, 'mail');
  const files = (await readdir(folder).catch(() => [])).sort();
  const letters = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return letters.filter((letter) => letter.includes(`\nTo: ${email}\n`));
}

/** Waits until this many letters have been written, and returns what the last one's link carries. */
async function secretOfLetter(email: string, count = 1): Promise<string> {
  const letters = await vi.waitFor(
    async () => {
      const found = await lettersTo(email);
      expect(found).toHaveLength(count);
      return found;
    },
    { timeout: 20_000, interval: 100 },
  );
  return /https:\/\/hindsight\.example\/reset-password#([\w-]{43})\n/.exec(letters.at(-1)!)![1]!;
}

test('a letter leads back in: the new password works, the old one and every sign-in do not', async () => {
  const user = await server.signUp('ada');
  expect((await forgot('ADA@example.org')).statusCode).toBe(200);
  const secret = await secretOfLetter(user.email);
  expect((await reset(secret)).json()).toEqual({ ok: true });
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(401);
  expect((await server.call(authRoutes.refresh, { body: { refresh_token: user.refreshToken } })).status).toBe(
    401,
  );
  expect(await login(user, user.password)).toBe(401);
  expect(await login(user, NEW_PASSWORD)).toBe(200);

  const again = await reset(secret, 'a third harbour at noon');
  expect([again.statusCode, again.json().error.reason]).toEqual([400, 'link_over']);
  expect(await login(user, NEW_PASSWORD)).toBe(200);
});

test('of two who use one link at once, one wins', async () => {
  const user = await server.signUp('bob');
  await forgot(user.email);
  const secret = await secretOfLetter(user.email);
  const passwords = ['one harbour at dawn', 'two harbours at dusk', 'three harbours at noon'];
  const replies = await Promise.all(passwords.map((password) => reset(secret, password)));
  expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 400, 400]);
  const winner = passwords[replies.findIndex((reply) => reply.statusCode === 200)]!;
  expect(await login(user, winner)).toBe(200);
});

test('a link is over after thirty minutes, and with every other link once one was used', async () => {
  const user = await server.signUp('carol');
  await forgot(user.email);
  const late = await secretOfLetter(user.email);
  server.advance(30 * 60 + 1);
  expect((await reset(late)).statusCode).toBe(400);

  await forgot(user.email);
  const first = await secretOfLetter(user.email, 2);
  await forgot(user.email);
  const second = await secretOfLetter(user.email, 3);
  expect((await reset(second)).statusCode).toBe(200);
  expect((await reset(first)).statusCode).toBe(400);
});

test('a refused password leaves the link usable, five times in all', async () => {
  const user = await server.signUp('dave');
  await forgot(user.email);
  const secret = await secretOfLetter(user.email);
  const common = await reset(secret, 'dave@example.org');
  expect([common.statusCode, Object.keys(common.json().error.fields)]).toEqual([422, ['new_password']]);
  for (let round = 0; round < 4; round += 1) await reset(secret, 'password123');
  expect((await reset(secret)).statusCode).toBe(429);
  expect(await login(user, user.password)).toBe(200);
});

test('only the digest of a link is stored', async () => {
  const user = await server.signUp('erin');
  await forgot(user.email);
  const secret = await secretOfLetter(user.email);
  const rows = await server.deps.db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('user_id', '=', user.id)
    .execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect((await reset(rows[0]!.digest)).statusCode).toBe(400);
});

test('an address without an account gets the same reply, beyond the limit too, and no letter', async () => {
  const user = await server.signUp('frank');
  const bodies = async (email: string) => {
    const replies = [];
    for (let round = 0; round < 5; round += 1) replies.push(await forgot(email));
    return replies.map(({ statusCode, body }) => [statusCode, body]);
  };
  expect(await bodies('nobody@example.org')).toEqual(await bodies(user.email));
  await secretOfLetter(user.email, 3);
  expect(await lettersTo('nobody@example.org')).toEqual([]);
});

test('a deactivated account gets no letter, and its links are over', async () => {
  const user = await server.signUp('gina');
  await forgot(user.email);
  const secret = await secretOfLetter(user.email);
  await server.deps.db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute();
  await forgot(user.email);
  const other = await server.signUp('hank');
  await forgot(other.email);
  await secretOfLetter(other.email);
  expect(await lettersTo(user.email)).toHaveLength(1);
  expect((await reset(secret)).statusCode).toBe(400);
});

test('the link follows the settings and the language of the account, never a header', async () => {
  const user = await server.signUp('ines');
  const body = { preferences: { language: 'es' as const } };
  await server.call(accountRoutes.updateProfile, { body }, user);
  await forgot(user.email, { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
  await secretOfLetter(user.email);
  const [letter = ''] = await lettersTo(user.email);
  expect(letter).toContain('Hola, ines:');
  expect(letter).not.toContain('evil.example');
});

test('one address asks for ten letters an hour', async () => {
  const ask = async (index: number) =>
    await server.inject({
      method: 'POST',
      url: '/api/auth/forgot-password',
      payload: { email: `stranger${index}@example.org` },
      remoteAddress: '10.77.0.1',
    });
  const statuses = [];
  for (let index = 0; index < 11; index += 1) statuses.push((await ask(index)).statusCode);
  expect(statuses).toEqual([...Array(10).fill(200), 429]);
});

test('a page of another site can ask for neither', async () => {
  const headers = { origin: 'https://evil.example' };
  expect((await forgot('ada@example.org', headers)).statusCode).toBe(400);
  const body = { token: 'x', new_password: NEW_PASSWORD };
  expect((await send('reset-password', body, headers)).json().error.reason).toBe('origin');
});

test('without PUBLIC_URL the link leads to where the server listens', async () => {
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
    { timeout: 20_000, interval: 100 },
  );
  expect(await readFile(join(folder, file), 'utf8')).toContain(
    `${local.app.listeningOrigin}/reset-password#`,
  );
  await local.close();
});
