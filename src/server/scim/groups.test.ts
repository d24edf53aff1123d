import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoutes } from '#contract/projects.ts';
import { teamRoutes } from '#contract/teams.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';
import { patchOp, type ScimCall, scimClient } from './testing-scim.ts';

let server: TestApp;
let admin: TestUser;
let ada: TestUser;
let grace: TestUser;
let scim: ScimCall;

beforeAll(async () => {
  server = await testApp();
  admin = await server.signUp('root');
  ada = await server.signUp('ada');
  grace = await server.signUp('grace');
  scim = await scimClient(server, admin);
});
afterAll(() => server.close());

const values = (body: { members: { value: string }[] }) => body.members.map(({ value }) => value).sort();

test('a group is a team: created, found, replaced and deleted', async () => {
  const group = { displayName: 'Engineering', externalId: 'g1', members: [{ value: ada.id }] };
  const created = await scim('POST', '/Groups', group);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    displayName: 'Engineering',
    members: [{ value: ada.id, display: 'ada' }],
  });
  const path = `/Groups/${created.body.id}`;
  const team = await server.call(teamRoutes.get, { params: { id: created.body.id } }, ada);
  expect(team.body).toMatchObject({ name: 'Engineering', role: 'member', members: [{ source: 'scim' }] });
  const found = await scim('GET', `/Groups?filter=${encodeURIComponent('displayName eq "engineering"')}`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: created.body.id }] });
  const short = await scim('GET', '/Groups?excludedAttributes=members');
  expect(short.body.Resources[0]).not.toHaveProperty('members');
  expect((await scim('GET', `/Users/${ada.id}`)).body.groups).toEqual([
    { value: created.body.id, display: 'Engineering' },
  ]);
  expect((await scim('POST', '/Groups', group)).body).toMatchObject({
    status: '409',
    scimType: 'uniqueness',
  });
  const replaced = await scim('PUT', path, { displayName: 'Platform', members: [{ value: grace.id }] });
  expect(replaced.body.displayName).toBe('Platform');
  expect(values(replaced.body)).toEqual([grace.id]);
  expect((await scim('DELETE', path)).status).toBe(204);
  expect((await scim('GET', path)).status).toBe(404);
});

test('members that leave a group lose the projects of the team at once', async () => {
  const project = await insertTestProject(server.deps, [[admin, 'owner']]);
  const { body } = await scim('POST', '/Groups', { displayName: 'Web', members: [] });
  const id = body.id as string;
  const access = { params: { id, project }, body: { role: 'viewer' as const } };
  expect((await server.call(teamRoutes.saveProject, access, admin)).status).toBe(200);
  const read = async () => (await server.call(projectRoutes.get, { params: { id: project } }, ada)).status;
  const patch = async (operation: object) => (await scim('PATCH', `/Groups/${id}`, patchOp(operation))).body;
  const add = { op: 'add', path: 'members', value: [{ value: ada.id }] };

  expect(await read()).toBe(404);
  expect(values(await patch(add))).toEqual([ada.id]);
  expect(await read()).toBe(200);
  for (const removal of [
    { op: 'remove', path: `members[value eq "${ada.id}"]` },
    { op: 'remove', path: 'members', value: [{ value: ada.id }] },
    { op: 'remove', path: 'members' },
    { op: 'replace', path: 'members', value: [] },
    { op: 'replace', value: { displayName: 'Web', members: [{ value: grace.id }] } },
  ]) {
    await patch(add);
    expect(await read()).toBe(200);
    expect(values(await patch(removal))).not.toContain(ada.id);
    expect(await read()).toBe(404);
  }
});

test('a replacement keeps members that people have added', async () => {
  const { body } = await scim('POST', '/Groups', { displayName: 'Mixed', members: [{ value: ada.id }] });
  const params = { id: body.id as string };
  await server.call(teamRoutes.addMember, { params, body: { identifier: 'grace', role: 'owner' } }, admin);
  const replaced = await scim('PUT', `/Groups/${params.id}`, { displayName: 'Mixed', members: [] });
  expect(values(replaced.body)).toEqual([grace.id]);
});

test.each([
  ['without a name', { members: [] }],
  ['with a member that does not exist', { displayName: 'X', members: [{ value: 'nobody' }] }],
  ['with 6000 members', { displayName: 'X', members: Array.from({ length: 6000 }, () => ({ value: 'x' })) }],
  ['with members that are no references', { displayName: 'X', members: ['x'] }],
])('a group %s is refused', async (_what, body) => {
  expect((await scim('POST', '/Groups', body)).body).toMatchObject({
    status: '400',
    scimType: 'invalidValue',
  });
  expect((await scim('GET', '/Groups?filter=displayName%20eq%20%22X%22')).body.totalResults).toBe(0);
});
