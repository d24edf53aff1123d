import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  // Where a mail server is set letters are sent; that they lie in a folder here changes nothing else.
  server = await testApp({
    work: true,
    config: {
      publicUrl: 'https://hindsight.example',
      mail: { smtpUrl: 'smtp://mail.example', from: 'a@mail.example' },
    },
  });
});
afterAll(() => server.close());

async function letterTo(email: string, index = 0): Promise<string> {
  const folder = join(server.deps.config.dataDir, 'mail');
  return await vi.waitFor(
    async () => {
      const files = (await readdir(folder)).sort();
      const letters = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      const found = letters.filter((letter) => letter.includes(`\nTo: ${email}\n`))[index];
      expect(found).toBeDefined();
      return found!;
    },
    { timeout: 20_000, interval: 100 },
  );
}
const secretIn = (letter: string) =>
  /https:\/\/hindsight\.example\/verify-email#([\w-]{43})\n/.exec(letter)?.[1] ?? '';

let addresses = 0;
/** Each call from an address of its own, so that limits per address stay out of the way. */
const verify = async (token: string) => {
  addresses += 1;
  const remoteAddress = `10.30.0.${addresses}`;
  return await server.inject({
    method: 'POST',
    url: '/api/auth/verify-email',
    payload: { token },
    remoteAddress,
  });
};
const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).body;
const changeEmail = async (user: TestUser, email: string, current_password?: string) =>
  await server.call(accountRoutes.updateProfile, { body: { email, current_password } }, user);

test('a new account gets a letter whose link confirms its address, once', async () => {
  const user = await server.signUp('ada');
  expect((await me(user)).email_verification).toBe('pending');
  const secret = secretIn(await letterTo(user.email));
  expect((await verify(secret)).json()).toEqual({ email: user.email });
  expect((await me(user)).email_verification).toBe('verified');
  const again = await verify(secret);
  expect([again.statusCode, again.json().error.reason]).toEqual([400, 'link_over']);
});

test('a link is over after a day; a new letter can be asked for, three times an hour', async () => {
  const user = await server.signUp('bob');
  const late = secretIn(await letterTo(user.email));
  server.advance(24 * 3600 + 1);
  expect((await verify(late)).statusCode).toBe(400);
  const again = await server.signIn(user);
  const ask = async () => (await server.call(authRoutes.resendVerification, {}, again)).status;
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429]);
  expect((await verify(secretIn(await letterTo(user.email, 1)))).statusCode).toBe(200);
  expect(await ask()).toBe(409);
});

test('a changed address counts once it is confirmed, and the old one hears of it', async () => {
  const user = await server.signUp('carol');
  const first = secretIn(await letterTo(user.email));
  const changed = await changeEmail(user, 'carol@new.example');
  expect(changed.body).toMatchObject({ email: user.email, pending_email: 'carol@new.example' });
  // The letter to the old address is over: it would confirm an address that is on its way out.
  expect((await verify(first)).statusCode).toBe(400);
  expect((await verify(secretIn(await letterTo('carol@new.example')))).statusCode).toBe(200);
  expect(await me(user)).toMatchObject({
    email: 'carol@new.example',
    pending_email: null,
    email_verification: 'verified',
  });
  expect(await letterTo(user.email, 1)).toContain('was changed');
});

test('a change that waits is taken back by the address that stands', async () => {
  const user = await server.signUp('dave');
  await changeEmail(user, 'dave@new.example');
  const secret = secretIn(await letterTo('dave@new.example'));
  expect((await changeEmail(user, user.email)).body.pending_email).toBeNull();
  expect((await verify(secret)).statusCode).toBe(400);
  expect((await me(user)).email).toBe(user.email);
});

test('ten minutes after the sign-in a new address asks for the password', async () => {
  const user = await server.signUp('erin');
  server.advance(11 * 60);
  const bare = await changeEmail(user, 'erin@new.example');
  expect([bare.status, bare.error?.reason]).toEqual([422, 'current_password']);
  expect((await changeEmail(user, 'erin@new.example', user.password)).status).toBe(200);
});

test('nobody takes an address that is taken, nor one that was taken while the letter was on its way', async () => {
  const [user, other] = [await server.signUp('frank'), await server.signUp('grace')];
  expect((await changeEmail(user, other.email.toUpperCase())).status).toBe(409);
  await changeEmail(user, 'wanted@new.example');
  const secret = secretIn(await letterTo('wanted@new.example'));
  await server.deps.db
    .updateTable('users')
    .set({ email: 'wanted@new.example' })
    .where('id', '=', other.id)
    .execute();
  expect((await verify(secret)).statusCode).toBe(409);
  expect((await me(user)).email).toBe(user.email);
});

test('the letter speaks the language of the account', async () => {
  const payload = { username: 'ines', email: 'ines@example.org', password: 'a quiet harbour at dawn' };
  const headers = { 'accept-language': 'fr' };
  await server.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload,
    headers,
    remoteAddress: '10.31.0.1',
  });
  expect(await letterTo('ines@example.org')).toContain('Ce lien confirme');
});

test('without a mail server nothing is asked and a new address counts at once', async () => {
  const local = await testApp();
  const user = await local.signUp();
  expect((await local.call(accountRoutes.me, {}, user)).body.email_verification).toBe('unavailable');
  const changed = await local.call(accountRoutes.updateProfile, { body: { email: 'new@example.org' } }, user);
  expect(changed.body).toMatchObject({ email: 'new@example.org', pending_email: null });
  expect((await local.call(authRoutes.resendVerification, {}, user)).status).toBe(409);
  await local.close();
});
