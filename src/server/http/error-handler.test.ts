import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorReply } from '#contract/error-reply.ts';
import { AppError } from '#contract/errors.ts';
import { newId } from '#db/ids.ts';
import { insertKey } from '../account/key-queries.ts';
import { type TestApp, testApp } from '../testing.ts';
import { toAppError, toErrorReply } from './error-handler.ts';

let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test('an insert into a project that was deleted meanwhile is not_found instead of an internal error', async () => {
  const ada = await app.signUp('ada');
  const key = { userId: ada.id, name: 'x', scope: 'read', projectId: newId(), expiresAt: null } as const;
  const error = await app.deps.db
    .transaction()
    .execute((transaction) => insertKey(transaction, key))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '23503' });
  expect(toAppError(error)).toMatchObject({ code: 'not_found' });
});

const LANGUAGES = [
  ['en-GB', 'Sign in to continue.', 'Enter an email address'],
  ['es-MX,es;q=0.9', 'Inicia sesión para continuar.', 'Escribe una dirección de correo'],
  ['fr, en;q=0.5', 'Connectez-vous pour continuer.', 'Saisissez une adresse e-mail'],
  ['de', 'Melden Sie sich an, um fortzufahren.', 'Geben Sie eine E-Mail-Adresse ein'],
  ['*', 'Sign in to continue.', 'Enter an email address'],
] as const;

test.each(LANGUAGES)('an error for Accept-Language: %s', async (language, message, field) => {
  const headers = { 'accept-language': language };
  const refused = (await app.inject({ url: '/api/auth/me', headers })).json();
  expect(refused.error).toMatchObject({ code: 'unauthenticated', message_key: 'unauthenticated', message });
  expect(refused.detail).toBe(message);

  const body = { username: 'x'.repeat(40), email: 'nobody', password: 'short' };
  const { error } = (
    await app.inject({ method: 'POST', url: '/api/auth/register', headers, payload: body })
  ).json();
  expect(error).toMatchObject({ code: 'invalid_input', message_key: 'validation_failed', params: {} });
  expect(error.fields.email).toBe(field);
  expect(error.fields.password).toContain('8');
  expect(error.field_messages).toMatchObject({
    email: { key: 'email_format', params: {} },
    password: { key: 'too_short', params: { minimum: 8 } },
  });
});

test('the language cookie takes precedence over Accept-Language', async () => {
  const reply = await app.inject({
    url: '/api/auth/me',
    headers: { 'accept-language': 'fr', cookie: 'language=de' },
  });
  expect(reply.json().detail).toBe('Melden Sie sich an, um fortzufahren.');
});

test('an error contains its parameters besides its message, within the limits of the contract', async () => {
  const request = {
    headers: {},
    cookies: {},
    id: 'r1',
    log: { error: () => {} },
  } as unknown as FastifyRequest;
  const host = 'x'.repeat(5000);
  const error = new AppError('bad_request', 'host_not_found', { params: { host } });
  const reply = errorReply.parse(toErrorReply(error, request));
  expect(reply.error.params?.host).toHaveLength(1000);
  expect(reply.error.message).toBe(`The host ${'x'.repeat(1000)} could not be found.`);
});

test.each([
  ['POST', 'Connection terminated', 'database_lost'],
  ['DELETE', 'Query read timeout', 'database_lost'],
  ['GET', 'Connection terminated', 'database_unreachable'],
  // No query was sent.
  ['POST', 'timeout exceeded when trying to connect', 'database_unreachable'],
])('%s that ends with "%s" is %s', (method, text, messageKey) => {
  expect(toAppError(new Error(text), { method })).toMatchObject({
    ...{ code: 'unavailable', messageKey, retryAfter: 2 },
  });
});
