import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paletteRoutes } from '#contract/palette.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

const fields = (from: number) =>
  Array.from({ length: 60 }, (_, i) => `    field_${from + i} = ${from + i}\n`).join('');
/** A class of several passages, with methods between them. */
const LONG_CLASS = `class Basket:\n${fields(0)}    def add(self):\n        return 1\n${fields(60)}    def drop(self):\n        return 2\n`;

let repo: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let projectId: string;
let head: string;

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    await repository.commit({
      message: 'Add the router',
      files: {
        'lib/basket.py': LONG_CLASS,
        'lib/make.js': 'function router() {\n  return new Router();\n}\n',
        'lib/route.js': 'class Router {\n  findHandler(path) {\n    return this.handlers[path];\n  }\n}\n',
        'lib/routing-table.js': 'exports.table = {};\n',
        'test/route.js': 'test();\n',
        'Grüße/straße.md': 'Hello\n',
      },
    });
    head = await repository.commit({ message: 'Fix Crash of empty routes', files: { 'lib/a.js': 'x\n' } });
  });
  gitServer = await serveRepositories(repo.folder);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Router', git_url: `${gitServer.url}/${repo.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  const project = async () => (await app.call(projectRoutes.get, { params: { id: projectId } }, ada)).body;
  while ((await project()).activity !== null) await sleep(50);
}, 90_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await repo?.remove();
});

/** Asks again until the names of all projects are there. */
async function find(q: string, kind: 'all' | 'symbols' | 'history' = 'all', user = ada) {
  for (;;) {
    const { body } = await app.call(paletteRoutes.find, { query: { q, kind } }, user);
    if (body.preparing === 0) return body;
  }
}

test('whole names come before beginnings, source before tests, and scattered letters only alone', async () => {
  const paths = async (q: string) => (await find(q)).files.map(({ path }) => path);
  expect(await paths('route.js')).toEqual(['lib/route.js', 'test/route.js']);
  expect(await paths('ROUT')).toEqual(['lib/route.js', 'lib/routing-table.js', 'test/route.js']);
  expect((await paths('lib/route'))[0]).toBe('lib/route.js');
  expect((await paths('rt'))[0]).toBe('lib/routing-table.js');
  expect(await paths('table lib')).toEqual(['lib/routing-table.js']);
  expect(await paths('straße')).toEqual(['Grüße/straße.md']);
  expect(await paths('boom')).toEqual([]);
  const [file] = (await find('rtab')).files;
  expect(file!.positions.map((at) => file!.path[at]).join('')).toBe('rtab');
});

test('symbols have their lines; commits are found by words and by the beginning of a hash', async () => {
  const symbols = async (q: string) => (await find(q, 'symbols')).symbols;
  expect(await symbols('Rout')).toMatchObject([
    { name: 'Router', path: 'lib/route.js', start: 1 },
    { name: 'router', path: 'lib/make.js', start: 1 },
  ]);
  expect((await symbols('router'))[0]).toMatchObject({ name: 'router' });
  expect((await symbols('basket')).map(({ name, start }) => [name, start])).toEqual([['Basket', 1]]);
  expect((await find('crash empty')).commits).toMatchObject([{ hash: head, project_id: projectId }]);
  expect((await find(head.slice(0, 8))).commits).toMatchObject([{ subject: 'Fix Crash of empty routes' }]);
  expect((await find('', 'history')).commits.map(({ subject }) => subject)).toEqual([
    'Fix Crash of empty routes',
    'Add the router',
  ]);
});

test('projects of others are not looked at', async () => {
  const found = await find('route', 'all', await app.signUp('eve'));
  expect([found.files, found.symbols, found.commits, found.preparing]).toEqual([[], [], [], 0]);
});
