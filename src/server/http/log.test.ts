import { expect, test } from 'vitest';
import { apiRoutes } from '#contract/api.ts';
import { authRoutes } from '#contract/auth.ts';
import type { Route } from '#contract/route.ts';
import { testApp } from '../testing.ts';
import { createLogger, redactUrl } from './log.ts';

test('the log contains requests without their secrets', async () => {
  let text = '';
  const log = createLogger(
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
  expect(text).toContain('"url":"/ws/notifications?token=[redacted]"');
  for (const secret of [user.accessToken, user.refreshToken, user.password, 'a wrong one of mine']) {
    expect(text).not.toContain(secret);
  }
});

/** Fields of requests that hold what must stay secret, wherever they stand. */
const SECRETS = /password|token|key|code|secret|signature|invitation|challenge|credential/;

test('no call with secrets in all of its parts leaves one in the log', async () => {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  const server = await testApp({ log: createLogger({ level: 'trace' }, { write }) });
  const user = await server.signUp();
  const routes = Object.values(apiRoutes).flatMap((feature) => Object.values<Route>(feature));
  let sent = 0;
  for (const route of routes) {
    const { shape = {} } = (route.body ?? {}) as { shape?: object };
    const fields = Object.keys(shape).filter((field) => SECRETS.test(field));
    const payload = Object.fromEntries(
      [...fields, 'password', 'token'].map((field) => [field, 'SENTINEL-body']),
    );
    const request = {
      method: route.method,
      url: `/api${route.path.replace(/:\w+|\*/g, 'x')}?token=SENTINEL-query&code=SENTINEL-code&state=SENTINEL-state`,
      headers: { cookie: 'hindsight_refresh_x=SENTINEL-cookie', 'x-api-key': 'SENTINEL-header' },
      ...(route.method !== 'GET' && { payload }),
    };
    for (const authorization of [`Bearer ${user.accessToken}`, 'Bearer hs_SENTINEL-key', 'Basic SENTINEL']) {
      await server.app.inject({ ...request, headers: { ...request.headers, authorization } });
      sent += 1;
    }
  }
  await server.close();
  expect(sent).toBeGreaterThan(200);
  expect(text.split('\n').length).toBeGreaterThan(sent);
  expect(text).not.toMatch(/SENTINEL/);
  expect(text).not.toContain(user.accessToken);
});

test.each([
  ['/api/x?token=abc&skip=1', '/api/x?token=[redacted]&skip=1'],
  [
    '/api/auth/social/github/callback?code=a&state=b#c',
    '/api/auth/social/github/callback?code=[redacted]&state=[redacted]#c',
  ],
  ['/from/https://ada:secret@host/a', '/from/https://host/a'],
  ['/api/search?q=token', '/api/search?q=token'],
  [`/api/me?who=hs_${'a'.repeat(43)}&x=1`, '/api/me?who=[redacted]&x=1'],
  ['/eyJhbGciOiJI.eyJ0eXAiOiJh.c2ln-_bmF0/x', '/[redacted]/x'],
])('%s is logged as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

test('error codes are logged, secret codes are redacted', () => {
  let text = '';
  const write = (line: string) => {
    text += line;
  };
  const log = createLogger({ level: 'info' }, { write });
  const failure = (code: string) => Object.assign(new Error('failed'), { code });
  for (const code of ['23505', '57P01', 'ENOSPC', 'ERR_STREAM_PREMATURE_CLOSE', 'unavailable']) {
    text = '';
    log.error({ err: failure(code) }, 'failed');
    expect(JSON.parse(text).err.code).toBe(code);
  }
  for (const entry of [
    { err: failure('4/0AanRRrtT-x') },
    { err: failure('123456') },
    { body: { code: '23505' } },
    { code: 'ENOSPC' },
    { query: { code: 'ABCDE' } },
  ]) {
    text = '';
    log.error(entry, 'failed');
    expect(text).toContain('"code":"[redacted]"');
  }
});
