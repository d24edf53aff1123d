import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  // A configured SMTP server enables verification; the test transport writes mails to a folder.
  server = await testApp({
    work: true,
    config: {
      publicUrl: 'https://hindsight.example',
      mail: { smtpUrl: 'smtp://mail.example', from: 'a@mail.example' },
    },
  });
});
afterAll(() => server.close());

async function waitForMail(email: string, index = 0): Promise<string> {
  const folder = join(server.deps.config.dataDir, 'mail');
  return await vi.waitFor(
    async () => {
      const files = (await readdir(folder)).sort();
      const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      const found = mails.filter((mail) => mail.includes(`\nTo: ${email}\n`))[index];
      expect(found).toBeDefined();
      return found!;
    },
    { timeout: 60_000, interval: 100 },
  );
}
const tokenIn = (mail: string) =>
  /https:\/\/hindsight\.example\/verify-email#([\w-]{43})\n/.exec(mail)?.[1] ?? '';

let ipCount = 0;
/** Uses a new IP per call to avoid rate limits. */
const verify = async (token: string) => {
  ipCount += 1;
  const remoteAddress = `10.30.0.${ipCount}`;
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

test('a new account receives a single-use verification link', async () => {
  const user = await server.signUp('ada');
  expect((await me(user)).email_verification).toBe('pending');
  const secret = tokenIn(await waitForMail(user.email));
  expect((await verify(secret)).json()).toEqual({ email: user.email });
  expect((await me(user)).email_verification).toBe('verified');
  const again = await verify(secret);
  expect([again.statusCode, again.json().error.reason]).toEqual([400, 'link_expired']);
});

test('a verification link expires after a day, and three more can be requested per hour', async () => {
  const user = await server.signUp('bob');
  const expiredToken = tokenIn(await waitForMail(user.email));
  server.advance(24 * 3600 + 1);
  expect((await verify(expiredToken)).statusCode).toBe(400);
  const again = await server.signIn(user);
  const requestVerification = async () =>
    (await server.call(authRoutes.resendVerification, {}, again)).status;
  expect([
    await requestVerification(),
    await requestVerification(),
    await requestVerification(),
    await requestVerification(),
  ]).toEqual([200, 200, 200, 429]);
  expect((await verify(tokenIn(await waitForMail(user.email, 1)))).statusCode).toBe(200);
  expect(await requestVerification()).toBe(409);
});

test('an email change applies once verified, and the previous email is notified', async () => {
  const user = await server.signUp('carol');
  const first = tokenIn(await waitForMail(user.email));
  const changed = await changeEmail(user, 'carol@new.example');
  expect(changed.body).toMatchObject({ email: user.email, pending_email: 'carol@new.example' });
  // The link for the previous email is invalid.
  expect((await verify(first)).statusCode).toBe(400);
  expect((await verify(tokenIn(await waitForMail('carol@new.example')))).statusCode).toBe(200);
  expect(await me(user)).toMatchObject({
    email: 'carol@new.example',
    pending_email: null,
    email_verification: 'verified',
  });
  expect(await waitForMail(user.email, 1)).toContain('was changed');
});

test('submitting the current email cancels a pending change', async () => {
  const user = await server.signUp('dave');
  await changeEmail(user, 'dave@new.example');
  const secret = tokenIn(await waitForMail('dave@new.example'));
  expect((await changeEmail(user, user.email)).body.pending_email).toBeNull();
  expect((await verify(secret)).statusCode).toBe(400);
  expect((await me(user)).email).toBe(user.email);
});

test('ten minutes after the sign-in an email change requires the password', async () => {
  const user = await server.signUp('erin');
  server.advance(11 * 60);
  const withoutPassword = await changeEmail(user, 'erin@new.example');
  expect([withoutPassword.status, withoutPassword.error?.reason]).toEqual([422, 'current_password']);
  expect((await changeEmail(user, 'erin@new.example', user.password)).status).toBe(200);
});

test('a taken email is rejected, also when it is taken before the verification', async () => {
  const [user, other] = [await server.signUp('frank'), await server.signUp('grace')];
  expect((await changeEmail(user, other.email.toUpperCase())).status).toBe(409);
  await changeEmail(user, 'wanted@new.example');
  const secret = tokenIn(await waitForMail('wanted@new.example'));
  await server.deps.db
    .updateTable('users')
    .set({ email: 'wanted@new.example' })
    .where('id', '=', other.id)
    .execute();
  expect((await verify(secret)).statusCode).toBe(409);
  expect((await me(user)).email).toBe(user.email);
});

test('the email is in the language of the account', async () => {
  const payload = { username: 'ines', email: 'ines@example.org', password: 'a quiet harbour at dawn' };
  const headers = { 'accept-language': 'fr' };
  await server.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload,
    headers,
    remoteAddress: '10.31.0.1',
  });
  expect(await waitForMail('ines@example.org')).toContain('Confirmez que cette adresse');
});

test('without a mail server an email change applies immediately', async () => {
  const local = await testApp();
  const user = await local.signUp();
  expect((await local.call(accountRoutes.me, {}, user)).body.email_verification).toBe('unavailable');
  const changed = await local.call(accountRoutes.updateProfile, { body: { email: 'new@example.org' } }, user);
  expect(changed.body).toMatchObject({ email: 'new@example.org', pending_email: null });
  expect((await local.call(authRoutes.resendVerification, {}, user)).status).toBe(409);
  await local.close();
});
