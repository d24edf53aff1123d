import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing.ts';

let server: TestApp;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

async function preferencesAfterSignUp(
  name: string,
  how: { headers?: Record<string, string>; cookies?: Record<string, string> },
) {
  const payload = { username: name, email: `${name}@example.org`, password: 'a quiet harbour at dawn' };
  const reply = await server.inject({ method: 'POST', url: '/api/auth/register', payload, ...how });
  expect(reply.statusCode).toBe(201);
  return reply.json().user.preferences;
}

test('a new account has the defaults of the specification', async () => {
  expect(await preferencesAfterSignUp('plain', {})).toMatchObject({ theme: 'light', language: 'en' });
});

test('a new account has the preferences of the visitor or their browser', async () => {
  const chosen = { cookies: { theme: 'dark', language: 'de' }, headers: { 'accept-language': 'fr' } };
  expect(await preferencesAfterSignUp('chosen', chosen)).toMatchObject({ theme: 'dark', language: 'de' });
  const request = { headers: { 'accept-language': 'es-MX,es;q=0.9,en;q=0.1' } };
  expect(await preferencesAfterSignUp('asked', request)).toMatchObject({ theme: 'light', language: 'es' });
});
