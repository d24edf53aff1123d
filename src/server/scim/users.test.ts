import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountRoutes } from '#contract/account.ts';
import { authRoutes } from '#contract/auth.ts';
import { scimTokenRoutes } from '#contract/scim.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { patchOp, type ScimCall, scimClient } from './testing-scim.ts';

let server: TestApp;
let admin: TestUser;
let scim: ScimCall;

beforeAll(async () => {
  server = await testApp();
  admin = await server.signUp('root');
  scim = await scimClient(server, admin);
});
afterAll(() => server.close());

const ada = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: '00u1',
  userName: 'Ada.Lovelace@example.org',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'ada@example.org', type: 'work', primary: true }],
  preferredLanguage: 'fr-CA',
  active: true,
};

test('a user is created, read, found, replaced and removed', async () => {
  const created = await scim('POST', '/Users', ada);
  expect(created.status).toBe(201);
  expect(created.headers.location).toBe(created.body.meta.location);
  expect(created.headers['content-type']).toContain('application/scim+json');
  expect(created.body).toMatchObject({
    externalId: '00u1',
    userName: 'Ada.Lovelace@example.org',
    displayName: 'Ada Lovelace',
    emails: [{ value: 'ada@example.org', primary: true }],
    preferredLanguage: 'fr',
    active: true,
  });
  const path = `/Users/${created.body.id}`;
  expect((await scim('GET', path)).body).toEqual(created.body);
  for (const filter of [
    'userName eq "ada.lovelace@EXAMPLE.org"',
    'externalId eq "00u1"',
    'emails.value eq "ada@example.org" and active eq true',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada.lovelace@example.org"',
  ]) {
    const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([created.body.id]);
  }
  const replaced = await scim('PUT', path, { ...ada, displayName: 'X', name: undefined, active: false });
  expect(replaced.body).toMatchObject({ displayName: 'X', active: false });
  expect((await scim('DELETE', path)).status).toBe(204);
  expect((await scim('GET', path)).status).toBe(404);
  expect((await scim('DELETE', path)).status).toBe(404);
  const again = await scim('POST', '/Users', ada);
  expect(again.body).toMatchObject({ id: created.body.id, active: true, displayName: 'Ada Lovelace' });
  expect((await scim('POST', '/Users', ada)).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
});

test('an account of before is found by its email, and taken over', async () => {
  const user = await server.signUp('grace');
  const { body } = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${user.email}"`)}`);
  expect(body.Resources).toMatchObject([{ id: user.id, userName: 'grace' }]);
  const update = { ...ada, externalId: '00u2', userName: user.email, emails: [{ value: user.email }] };
  const replaced = await scim('PUT', `/Users/${user.id}`, update);
  expect(replaced.body).toMatchObject({ userName: user.email, externalId: '00u2' });
});

test.each([
  ['replace with a path', patchOp({ op: 'replace', path: 'active', value: false })],
  ['replace without a path', patchOp({ op: 'Replace', value: { active: false } })],
  ['a boolean as text', patchOp({ op: 'replace', path: 'active', value: 'False' })],
])('deactivation by %s ends all sessions at once', async (what, body) => {
  const user = await server.signUp(`leaver-${what.length}`);
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(200);
  const patched = await scim('PATCH', `/Users/${user.id}`, body);
  expect(patched.body.active).toBe(false);
  expect((await server.call(accountRoutes.me, {}, user)).status).toBe(401);
  const login = { username: user.email, password: user.password };
  expect((await server.call(authRoutes.login, { body: login })).status).toBe(403);
  await scim('PATCH', `/Users/${user.id}`, patchOp({ op: 'replace', path: 'active', value: true }));
  expect((await server.call(authRoutes.login, { body: login })).status).toBe(200);
});

test('a patch changes names, emails and ids', async () => {
  const user = await server.signUp('heidi');
  const { body } = await scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOp(
      { op: 'add', path: 'externalId', value: '00u9' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'heidi@new.example' },
      { op: 'replace', path: 'name.givenName', value: 'Heidi' },
      { op: 'replace', path: 'name.familyName', value: 'Klum' },
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'X',
      },
    ),
  );
  expect(body).toMatchObject({
    externalId: '00u9',
    displayName: 'Heidi Klum',
    emails: [{ value: 'heidi@new.example' }],
  });
  const { body: cleared } = await scim(
    'PATCH',
    `/Users/${user.id}`,
    patchOp({ op: 'remove', path: 'externalId' }),
  );
  expect(cleared).not.toHaveProperty('externalId');
});

test('a list has pages', async () => {
  const all = (await scim('GET', '/Users?count=200')).body;
  expect(all.totalResults).toBe(all.Resources.length);
  const page = (await scim('GET', '/Users?startIndex=2&count=1')).body;
  expect(page).toMatchObject({ startIndex: 2, itemsPerPage: 1, totalResults: all.totalResults });
  expect(page.Resources[0].id).toBe(all.Resources[1].id);
  expect((await scim('GET', '/Users?count=0')).body).toMatchObject({ Resources: [], itemsPerPage: 0 });
  expect((await scim('GET', '/Users?startIndex=-5')).body.startIndex).toBe(1);
});

test('the last administrator cannot be deactivated or removed', async () => {
  const off = patchOp({ op: 'replace', path: 'active', value: false });
  expect((await scim('PATCH', `/Users/${admin.id}`, off)).status).toBe(409);
  expect((await scim('DELETE', `/Users/${admin.id}`)).status).toBe(409);
});

test('discovery describes the service', async () => {
  const config = (await scim('GET', '/ServiceProviderConfig')).body;
  expect(config).toMatchObject({ patch: { supported: true }, filter: { supported: true } });
  const types = (await scim('GET', '/ResourceTypes')).body;
  expect(types.Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
  const { body } = await scim('GET', '/Schemas');
  for (const { id, meta } of body.Resources) {
    expect((await scim('GET', `/Schemas/${id}`)).body.id).toBe(id);
    expect(meta.location).toContain(`/scim/v2/Schemas/${id}`);
  }
});

test('a call without a valid token gets 401 in the form of SCIM, also after the token is revoked', async () => {
  for (const authorization of [undefined, 'Bearer x', `Bearer hscim_${'x'.repeat(43)}`, 'Basic x']) {
    const reply = await server.inject({
      url: '/scim/v2/Users',
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.statusCode).toBe(401);
    expect(reply.json()).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '401',
    });
  }
  const { body } = await server.call(scimTokenRoutes.create, { body: { name: 'Short-lived' } }, admin);
  const headers = { authorization: `Bearer ${body.token}` };
  expect((await server.inject({ url: '/scim/v2/Users', headers })).statusCode).toBe(200);
  const listed = await server.call(scimTokenRoutes.list, {}, admin);
  expect(listed.raw.body).not.toContain(body.token);
  expect((await server.call(scimTokenRoutes.revoke, { params: { id: body.id } }, admin)).status).toBe(200);
  expect((await server.inject({ url: '/scim/v2/Users', headers })).statusCode).toBe(401);
});

const filter = (text: string) => `/Users?filter=${encodeURIComponent(text)}`;

test.each([
  ['a filter without value', filter('userName eq'), 'invalidFilter'],
  ['another operator', filter('userName co "a"'), 'invalidFilter'],
  ['SQL in a filter', filter(`userName eq "x"' or '1'='1`), 'invalidFilter'],
  ['an unknown attribute', filter('password eq "x"'), 'invalidFilter'],
  ['a column that is no attribute', filter('password_hash eq "x"'), 'invalidFilter'],
  ['an unclosed string', filter('userName eq "x'), 'invalidFilter'],
  ['a filter of 2000 characters', filter(`userName eq "${'x'.repeat(2000)}"`), 'invalidFilter'],
  ['nested brackets', filter('('.repeat(500)), 'invalidFilter'],
  ['twenty terms', filter(Array(20).fill('id eq "x"').join(' and ')), 'invalidFilter'],
  ['a page that is no number', '/Users?startIndex=x', 'invalidValue'],
  ['a null byte', '/Users?filter=id%20eq%20%22%00%22', 'invalidValue'],
])('%s is refused', async (_what, path, scimType) => {
  const reply = await scim('GET', path);
  expect(reply.body).toMatchObject({ status: '400', scimType });
});

test('quotes and percent signs in a value are only text', async () => {
  for (const value of ['%', '_', `' or 1=1 --`, '\\"', '"and id eq"']) {
    const text = `userName eq ${JSON.stringify(value)}`;
    expect((await scim('GET', filter(text))).body.totalResults).toBe(0);
  }
});

test.each([
  ['no operations', {}, 'invalidSyntax'],
  ['an unknown verb', patchOp({ op: 'drop', path: 'active' }), 'invalidSyntax'],
  ['a path with a slash', patchOp({ op: 'replace', path: '../active', value: true }), 'invalidPath'],
  ['a path to the prototype', patchOp({ op: 'replace', path: '__proto__.x', value: 1 }), 'invalidPath'],
  [
    'a path of a filter that is none',
    patchOp({ op: 'replace', path: 'emails[x].value', value: 'a@b.c' }),
    'invalidFilter',
  ],
  ['the id', patchOp({ op: 'replace', path: 'id', value: 'x' }), 'mutability'],
  ['the groups', patchOp({ op: 'add', path: 'groups', value: [{ value: 'x' }] }), 'mutability'],
  ['remove without a path', patchOp({ op: 'remove' }), 'noTarget'],
  ['removal of the userName', patchOp({ op: 'remove', path: 'userName' }), 'mutability'],
  ['an email that is none', patchOp({ op: 'replace', path: 'emails.value', value: 'x' }), 'invalidValue'],
  ['active as a number', patchOp({ op: 'replace', path: 'active', value: 7 }), 'invalidValue'],
  ['a null byte', patchOp({ op: 'replace', path: 'displayName', value: 'a\0b' }), 'invalidValue'],
  [
    '101 operations',
    patchOp(...Array(101).fill({ op: 'replace', path: 'active', value: true })),
    'invalidSyntax',
  ],
])('a patch with %s is refused', async (_what, body, scimType) => {
  const reply = await scim('PATCH', `/Users/${admin.id}`, body);
  expect(reply.body).toMatchObject({ status: '400', scimType });
  expect(reply.body.schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error']);
});

test.each([
  ['without userName', { emails: [{ value: 'a@b.example' }] }],
  ['without email', { userName: 'nobody' }],
  ['with a userName of 10,000 characters', { userName: 'x'.repeat(10_000) }],
  ['with 1000 emails', { userName: 'x', emails: Array(1000).fill({ value: 'a@b.example' }) }],
  ['that is a list', []],
])('a user %s is refused', async (_what, body) => {
  expect((await scim('POST', '/Users', body)).body).toMatchObject({
    status: '400',
    scimType: 'invalidValue',
  });
});

test('unknown paths and malformed bodies get errors in the form of SCIM', async () => {
  expect((await scim('GET', '/Things')).body).toMatchObject({ status: '404' });
  expect((await scim('GET', `/Users/${'x'.repeat(90)}`)).body).toMatchObject({ status: '404' });
  const { body } = await server.call(scimTokenRoutes.create, { body: { name: 'Raw' } }, admin);
  const headers = { authorization: `Bearer ${body.token}`, 'content-type': 'application/scim+json' };
  const broken = await server.inject({ method: 'POST', url: '/scim/v2/Users', headers, payload: '{' });
  expect([broken.statusCode, broken.json().scimType]).toEqual([400, 'invalidSyntax']);
  const huge = await server.inject({
    method: 'POST',
    url: '/scim/v2/Users',
    headers,
    payload: JSON.stringify({ x: 'x'.repeat(2 * 2 ** 20) }),
  });
  expect([huge.statusCode, huge.json().status]).toEqual([413, '413']);
});
