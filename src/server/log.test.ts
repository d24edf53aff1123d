import { expect, test } from 'vitest';
import { authRoutes } from '#contract/auth.ts';
import { createLog } from './log.ts';
import { testApp } from './testing.ts';

test('the log holds requests, and none of the secrets that travelled in them', async () => {
  let text = '';
  const log = createLog(
    { level: 'trace' },
    {
      write(line: string) {
        text += line;
      },
    },
  );
  const server = await testApp({ log });
  const user = await server.signUp();
  await server.call(authRoutes.login, { body: { username: user.email, password: 'a wrong one of mine' } });
  await server.inject({ url: `/ws/notifications?token=${user.accessToken}` });
  await server.inject({ url: '/api/auth/me' }, user);
  await server.call(authRoutes.refresh, { body: { refresh_token: user.refreshToken } });
  log.info({ password: user.password, request: { headers: { cookie: user.refreshToken } } }, 'careless');
  await server.close();

  expect(text).toContain('/api/auth/login');
  expect(text).toContain('"url":"/ws/notifications"');
  for (const secret of [user.accessToken, user.refreshToken, user.password, 'a wrong one of mine']) {
    expect(text).not.toContain(secret);
  }
});
