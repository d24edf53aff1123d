import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { type TestApp, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

test('the first account is the administrator, the second is not, and both can sign in by email or name', async () => {
  const before = await server.call(authRoutes.setup, {});
  expect(before.body).toEqual({ first_account: true, setup_code_required: false });
  const ada = await server.signUp('ada');
  const bob = await server.signUp('bob');
  const roles = [ada, bob].map(async (user) => (await server.call(accountRoutes.me, {}, user)).body.role);
  expect(await Promise.all(roles)).toEqual(['admin', 'user']);

  for (const username of ['bob', 'BOB@example.org']) {
    const reply = await server.call(authRoutes.login, { body: { username, password: bob.password } });
    expect(reply.status).toBe(200);
    expect(reply.body.user.id).toBe(bob.id);
  }
});
