import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;

beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

type Changes = Parameters<typeof server.call<typeof accountRoutes.updateProfile>>[1]['body'];
const updateProfile = async (user: TestUser, body: Changes) =>
  await server.call(accountRoutes.updateProfile, { body }, user);
const me = async (user: TestUser) => (await server.call(accountRoutes.me, {}, user)).body;

test('a new account has the specified defaults', async () => {
  const user = await server.signUp('fresh');
  expect(await me(user)).toMatchObject({
    full_name: null,
    subscription_plan: 'free',
    is_active: true,
    preferences: { email_notifications: true, push_notifications: true, theme: 'light', language: 'en' },
  });
});

test('a profile update saves exactly the given fields', async () => {
  const user = await server.signUp('ada');
  const fields = {
    full_name: 'Ada Lovelace',
    username: 'ada_l',
    bio: 'Notes on engines.\nLine two.',
    location: 'London',
    website: 'https://example.org/~ada',
  };
  expect((await updateProfile(user, fields)).body).toMatchObject({ ...fields, email: user.email });
  expect((await updateProfile(user, { location: 'Paris' })).body).toMatchObject({
    ...fields,
    location: 'Paris',
  });
  const preferences = { push_notifications: false, language: 'de' as const };
  expect((await updateProfile(user, { preferences })).body.preferences).toEqual({
    email_notifications: true,
    push_notifications: false,
    notification_scope: 'participating',
    email_frequency: 'immediate',
    local_editor: null,
    theme: 'light',
    language: 'de',
  });
  expect(await me(user)).toMatchObject({ ...fields, location: 'Paris' });
});

test('a complete profile round-trips, and empty fields become null', async () => {
  const user = await server.signUp('bea');
  await updateProfile(user, { full_name: 'Bea', bio: 'x' });
  const profile = await me(user);
  expect((await updateProfile(user, profile)).body).toEqual(profile);
  const emptied = await updateProfile(user, { full_name: '  ', bio: '', website: '' });
  expect(emptied.body).toMatchObject({ full_name: null, bio: null, website: null });
});

test('unknown fields are not assigned', async () => {
  const user = await server.signUp('mallory');
  const before = await me(user);
  const unknownFields = {
    id: 'chosen',
    role: 'admin',
    subscription_plan: 'enterprise',
    is_active: false,
    password_hash: 'x',
    created_at: '2000-01-01T00:00:00Z',
    email_notifications: false,
    preferences: { role: 'admin' },
  };
  expect((await updateProfile(user, unknownFields as never)).body).toEqual(before);
  expect(await me(user)).toEqual(before);
});

test.each([
  ['username', 'with a blank', 'a b'],
  ['username', 'empty', ''],
  ['email', 'without an @', 'nobody'],
  ['full_name', 'too long', 'x'.repeat(101)],
  ['bio', 'too long', 'x'.repeat(1001)],
  ['location', 'a number', 7],
  ['website', 'a script', 'javascript:alert(1)'],
  ['website', 'data', 'data:text/html,x'],
  ['website', 'without a scheme', 'example.org'],
  ['website', 'too long', `https://example.org/${'x'.repeat(500)}`],
])('%s must not be %s', async (field, _kind, value) => {
  const user = await server.signUp();
  const reply = await updateProfile(user, { [field]: value } as never);
  expect([reply.status, Object.keys(reply.error?.fields ?? {})]).toEqual([422, [field]]);
});

test.each([
  ['username', 'GRACE'],
  ['email', 'Grace@example.org'],
])('a duplicate %s is a field conflict and changes nothing', async (field, value) => {
  if (field === 'username') await server.signUp('grace');
  const user = await server.signUp();
  const before = await me(user);
  const reply = await updateProfile(user, { bio: 'changed', [field]: value });
  expect([reply.status, Object.keys(reply.error?.fields ?? {})]).toEqual([409, [field]]);
  expect(await me(user)).toEqual(before);
});

test('an email change requires a recent sign-in or the password', async () => {
  const user = await server.signUp('ivan');
  expect((await updateProfile(user, { email: 'ivan@new.example' })).status).toBe(200);
  server.advance(10 * 60);
  expect((await updateProfile(user, { email: 'ivan@new.example', bio: 'still me' })).status).toBe(200);

  const email = 'ivan@newer.example';
  for (const current_password of [undefined, 'not this one']) {
    const refused = await updateProfile(user, { email, current_password });
    expect([refused.status, refused.error?.reason]).toEqual([422, 'current_password']);
    expect(refused.error?.fields).toHaveProperty('current_password');
  }
  expect((await me(user)).email).toBe('ivan@new.example');
  const confirmed = await updateProfile(user, { email, current_password: user.password });
  expect(confirmed.body.email).toBe(email);
});
