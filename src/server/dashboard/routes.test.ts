import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Dashboard, dashboardRoutes } from '#contract/dashboard.ts';
import { newId } from '#db/ids.ts';
import { buildRepository } from '#git/testing.ts';
import { projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const DAY_MS = 24 * 3600 * 1000;
const LONG_AGO = new Date(Date.now() - 200 * DAY_MS);

let app: TestApp;
let ada: TestUser;

beforeAll(async () => {
  app = await testApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.close());

async function dashboard(user: TestUser): Promise<Dashboard> {
  const { status, body } = await app.call(dashboardRoutes.get, {}, user);
  expect(status).toBe(200);
  return body;
}

interface ProjectOptions {
  commits: number;
  /** Creates a repository whose newest commit has this time. */
  newestCommit?: Date;
  connected?: Date;
}

async function connect(name: string, owner: TestUser, wanted: ProjectOptions): Promise<string> {
  const id = newId();
  const head = wanted.newestCommit && (await createRepository(id, wanted.newestCommit));
  const empty = { files: 0, indexed: 0, skipped: 0, reasons: {}, passages: 0 };
  await app.deps.db
    .insertInto('projects')
    .values({
      id,
      name,
      git_url: `https://git.example/${name}`,
      status: 'ready',
      indexed_commit: head,
      coverage: JSON.stringify({ ...empty, commits: wanted.commits }),
      created_at: wanted.connected ?? LONG_AGO,
    })
    .execute();
  await app.deps.db
    .insertInto('project_members')
    .values({ project_id: id, user_id: owner.id, role: 'owner' })
    .execute();
  return id;
}

async function createRepository(projectId: string, date: Date): Promise<string> {
  let head = '';
  const repository = await buildRepository(async (repo) => {
    head = await repo.commit({
      message: 'Begin',
      date: date.toISOString().replace(/\.\d+/, ''),
      files: { a: 'a\n' },
    });
  });
  const { repo } = projectStorage(app.deps.config.dataDir, projectId);
  await mkdir(dirname(repo), { recursive: true });
  await rename(repository.path, repo);
  await repository.remove();
  return head;
}

async function ask(
  projectId: string,
  fingerprint: string,
  on: { at?: Date; helpful?: boolean; state?: 'solved' },
) {
  const { db } = app.deps;
  const id = newId();
  await db
    .insertInto('debug_groups')
    .values({ project_id: projectId, fingerprint, state: on.state })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { count } = await db
    .selectFrom('debug_sessions')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  const own = { project_id: projectId, user_id: ada.id };
  await db
    .insertInto('debug_sessions')
    .values({
      ...own,
      id,
      number: Number(count) + 1,
      fingerprint,
      title: 'Error',
      request: '{}',
      answer: '{}',
      created_at: on.at ?? LONG_AGO,
    })
    .execute();
  if (on.helpful === undefined) return;
  await db
    .insertInto('feedback')
    .values({ ...own, id: newId(), session_id: id, helpful: on.helpful })
    .execute();
}

test('a new account has zero counts', async () => {
  expect(await dashboard(await app.signUp())).toEqual({
    total_projects: 0,
    total_commits: 0,
    solved_errors: 0,
    solved_weeks: Array(12).fill(0),
    active_projects: 0,
    recent_projects: [],
  });
});

test('counts cover the caller’s projects, with the three newest listed', async () => {
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) await connect(name, ada, { commits: 10 });
  await connect('foreign', await app.signUp(), { commits: 1000 });
  const readDashboard = await dashboard(ada);
  expect([readDashboard.total_projects, readDashboard.total_commits]).toEqual([4, 40]);
  expect(readDashboard.recent_projects.map(({ name }) => name)).toEqual(['four', 'three', 'two']);
  expect(readDashboard.recent_projects[0]).toEqual({
    id: expect.any(String),
    name: 'four',
    git_url: 'https://git.example/four',
    status: 'ready',
    created_at: LONG_AGO.toISOString(),
  });
});

test('an error is solved by helpful feedback or by its group’s state', async () => {
  const bea = await app.signUp('bea');
  const id = await connect('solved', bea, { commits: 0 });
  await ask(id, 'a', { helpful: true });
  await ask(id, 'b', { helpful: false });
  await ask(id, 'c', { state: 'solved' });
  await ask(id, 'd', {});
  expect((await dashboard(bea)).solved_errors).toBe(2);
  expect((await dashboard(await app.signUp())).solved_errors).toBe(0);
});

test('a project is active after a commit, a query or its creation within 30 days', async () => {
  const chris = await app.signUp('chris');
  const recently = new Date(Date.now() - 29 * DAY_MS);
  const before = new Date(Date.now() - 31 * DAY_MS);
  await connect('asleep', chris, { commits: 1, newestCommit: before });
  await connect('without a repository', chris, { commits: 0 });
  expect((await dashboard(chris)).active_projects).toBe(0);
  await connect('committed', chris, { commits: 1, newestCommit: recently });
  expect((await dashboard(chris)).active_projects).toBe(1);
  await ask(await connect('asked', chris, { commits: 0 }), 'e', { at: recently });
  await ask(await connect('asked long ago', chris, { commits: 0 }), 'f', { at: before });
  expect((await dashboard(chris)).active_projects).toBe(2);
  await connect('connected', chris, { commits: 0, connected: recently });
  expect((await dashboard(chris)).active_projects).toBe(3);
});

test('Home shows changes of fixed code and one suggestion an error, in the caller’s projects alone', async () => {
  const { db } = app.deps;
  const [cleo, dora] = [await app.signUp('cleo'), await app.signUp('dora')];
  const project_id = await connect('observatory', cleo, { commits: 1 });
  const change = {
    subject: 'Simplify',
    author: 'Ada',
    path: 'a.js',
    fix: 'f'.repeat(40),
    fix_subject: 'Fix it',
  };
  const commits = ['a', 'b'].map((digit, day) => ({
    ...{ ...change, project_id, commit: digit.repeat(40) },
    committed_at: new Date(Date.now() - day * DAY_MS),
  }));
  await db.insertInto('fixed_code_changes').values(commits).execute();
  await ask(project_id, 'e1', { helpful: false });
  const { id: session_id } = await db
    .selectFrom('debug_sessions')
    .select('id')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow();
  const found = JSON.stringify({ message: 'Fix e1' });
  const suggestion = (commit: string) => ({ project_id, session_id, commit, fixing_commit: found });
  await db.insertInto('debug_resolutions').values(['1', '2'].map(suggestion)).execute();
  const { body } = await app.call(dashboardRoutes.home, {}, cleo);
  expect(body.fixed_code.map(({ commit }) => commit[0])).toEqual(['a', 'b']);
  expect(body.suggested_fixes).toMatchObject([
    { session_id, subject: 'Fix e1', project_name: 'observatory' },
  ]);
  expect(body.branches).toEqual([]);
  const other = await app.call(dashboardRoutes.home, {}, dora);
  expect(other.body).toEqual({ suggested_fixes: [], fixed_code: [], branches: [] });
});
