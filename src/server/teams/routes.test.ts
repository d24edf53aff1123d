import { afterAll, beforeAll, expect, test } from 'vitest';
import { memberRoutes } from '#contract/members.ts';
import { projectRoutes } from '#contract/projects.ts';
import { type TeamProjectRole, teamRoutes } from '#contract/teams.ts';
import { insertTestProject, type TestApp, type TestUser, testApp } from '../testing.ts';

let server: TestApp;
let admin: TestUser;
let owner: TestUser;
let member: TestUser;
let other: TestUser;

beforeAll(async () => {
  server = await testApp();
  admin = await server.signUp('root');
  owner = await server.signUp('olga');
  member = await server.signUp('mia');
  other = await server.signUp('otto');
});
afterAll(() => server.close());

let count = 0;
/** A team of `owner` and `member`, made by the administrator. */
async function createTeam(): Promise<string> {
  count += 1;
  const { body } = await server.call(teamRoutes.create, { body: { name: `Team ${count}` } }, admin);
  const params = { id: body.id };
  for (const [user, role] of [
    [owner, 'owner'],
    [member, 'member'],
  ] as const) {
    const added = { identifier: user.username, role };
    expect((await server.call(teamRoutes.addMember, { params, body: added }, admin)).status).toBe(201);
  }
  return body.id;
}

async function createProject(): Promise<string> {
  return await insertTestProject(server.deps, [[owner, 'owner']]);
}

async function give(team: string, project: string, role: TeamProjectRole): Promise<void> {
  const params = { id: team, project };
  const reply = await server.call(teamRoutes.saveProject, { params, body: { role } }, owner);
  expect(reply.status).toBe(200);
}

const read = async (project: string, user: TestUser) =>
  (await server.call(projectRoutes.get, { params: { id: project } }, user)).status;
const listed = async (project: string, user: TestUser) =>
  (await server.call(projectRoutes.list, {}, user)).body.find(({ id }) => id === project);

test('a team gives its members access to a project, in calls and in lists', async () => {
  const [team, project] = [await createTeam(), await createProject()];
  expect(await read(project, member)).toBe(404);
  await give(team, project, 'viewer');
  expect(await read(project, member)).toBe(200);
  expect((await listed(project, member))?.role).toBe('viewer');
  expect(await read(project, other)).toBe(404);
});

test('the highest role of several teams counts, and owners keep their own', async () => {
  const [first, second, project] = [await createTeam(), await createTeam(), await createProject()];
  await give(first, project, 'editor');
  await give(second, project, 'viewer');
  expect((await listed(project, member))?.role).toBe('editor');
  expect((await listed(project, owner))?.role).toBe('owner');
  await server.call(teamRoutes.removeProject, { params: { id: first, project } }, owner);
  expect((await listed(project, member))?.role).toBe('viewer');
});

test('access ends at once when a member leaves, the team loses the project, or the team is deleted', async () => {
  const endings: ((team: string, project: string) => Promise<{ status: number }>)[] = [
    (id) => server.call(teamRoutes.removeMember, { params: { id, user: member.id } }, member),
    (id) => server.call(teamRoutes.removeMember, { params: { id, user: member.id } }, owner),
    (id, project) => server.call(teamRoutes.removeProject, { params: { id, project } }, owner),
    (id) => server.call(teamRoutes.remove, { params: { id } }, owner),
  ];
  for (const end of endings) {
    const [team, project] = [await createTeam(), await createProject()];
    await give(team, project, 'owner');
    expect((await listed(project, member))?.role).toBe('owner');
    expect((await end(team, project)).status).toBe(200);
    expect(await read(project, member)).toBe(404);
    expect(await read(project, owner)).toBe(200);
  }
});

test('a direct role and that of a team are independent', async () => {
  const [team, project] = [await createTeam(), await createProject()];
  const params = { id: project };
  const added = await server.call(
    memberRoutes.add,
    { params, body: { identifier: member.username, role: 'editor' } },
    owner,
  );
  expect(added.body).toMatchObject({ role: 'editor', direct_role: 'editor', teams: [] });
  await give(team, project, 'viewer');
  const { body } = await server.call(memberRoutes.list, { params }, owner);
  expect(body.teams).toMatchObject([{ team_id: team, role: 'viewer', member_count: 3 }]);
  expect(body.members.find(({ user_id }) => user_id === member.id)).toMatchObject({
    role: 'editor',
    direct_role: 'editor',
    teams: [expect.stringContaining('Team')],
  });
  const membership = { id: project, user: member.id };
  expect((await server.call(memberRoutes.remove, { params: membership }, owner)).status).toBe(200);
  expect((await listed(project, member))?.role).toBe('viewer');
  const again = await server.call(memberRoutes.remove, { params: membership }, owner);
  expect([again.status, again.error?.reason]).toEqual([409, 'team_member']);
});

test('a project keeps its one owner while a team owns it too', async () => {
  const [team, project] = [await createTeam(), await createProject()];
  await give(team, project, 'owner');
  const transfer = { params: { id: project }, body: { user_id: other.id } };
  expect((await server.call(memberRoutes.transfer, transfer, member)).error?.reason).toBe('not_owner');
  const rows = await server.deps.db
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', project)
    .where('direct_role', '=', 'owner')
    .execute();
  expect(rows).toEqual([{ user_id: owner.id }]);
});

test('only owners of a project give it to a team, and only to a team of theirs', async () => {
  const [team, project] = [await createTeam(), await createProject()];
  const params = { id: team, project };
  const body = { role: 'owner' as const };
  expect((await server.call(teamRoutes.saveProject, { params, body }, member)).status).toBe(404);
  expect((await server.call(teamRoutes.saveProject, { params, body }, admin)).status).toBe(404);
  const foreign = await server.call(teamRoutes.create, { body: { name: 'Foreign' } }, admin);
  const elsewhere = { id: foreign.body.id, project };
  expect((await server.call(teamRoutes.saveProject, { params: elsewhere, body }, owner)).status).toBe(404);
});

test('members see a team but do not change it, and others do not see it', async () => {
  const team = await createTeam();
  const params = { id: team };
  expect((await server.call(teamRoutes.get, { params }, member)).body.role).toBe('member');
  expect((await server.call(teamRoutes.rename, { params, body: { name: 'X' } }, member)).status).toBe(409);
  expect((await server.call(teamRoutes.get, { params }, other)).status).toBe(404);
  const { body } = await server.call(teamRoutes.list, {}, other);
  expect(body).toEqual({ teams: [], may_create: false });
  const refused = await server.call(teamRoutes.create, { body: { name: 'Mine' } }, other);
  expect(refused.error?.reason).toBe('not_allowed');
});

test('a team keeps an owner', async () => {
  const { body } = await server.call(teamRoutes.create, { body: { name: 'Solo' } }, admin);
  const params = { id: body.id, user: admin.id };
  const left = await server.call(teamRoutes.removeMember, { params }, admin);
  expect(left.error?.reason).toBe('last_owner');
  const demoted = await server.call(teamRoutes.updateMember, { params, body: { role: 'member' } }, admin);
  expect(demoted.error?.reason).toBe('last_owner');
});

test('concurrent changes end the access of a team that a member has left', async () => {
  const [first, second, project] = [await createTeam(), await createTeam(), await createProject()];
  await give(first, project, 'viewer');
  await give(second, project, 'viewer');
  await Promise.all(
    [first, second].map((id) =>
      server.call(teamRoutes.removeMember, { params: { id, user: member.id } }, owner),
    ),
  );
  expect(await read(project, member)).toBe(404);
});
