import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestModel, type TestModel } from '#assistant/models/testing-model.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { projectOverviewRoutes } from '#contract/project-overview.ts';
import { projectSettingsRoutes } from '#contract/project-settings.ts';
import { projectRoutes } from '#contract/projects.ts';
import type { RouteInput } from '#contract/route.ts';
import { searchRoutes } from '#contract/search.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { surveyPath } from '../project-data/code-age.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';
import { refreshDueProjects } from './schedule-tasks.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };

let repository: TestRepository;
let gitServer: GitServer;
let model: TestModel;
let app: TestApp;
let ada: TestUser;
let id: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      message: 'Fix crash when the vault is opened without a key',
      files: {
        'src/open.js': 'export function openVault(key) {\n  return readLedger(key.name);\n}\n',
        'vault/ledger.js': 'export function readLedger(name) {\n  return "SESAME" + name;\n}\n',
        'AGENTS.md': 'Amounts are whole CENTAVOS.\n',
      },
    });
    await repo.commit({
      message: 'Read the ledger twice',
      files: {
        'vault/ledger.js': 'export function readLedger(name) {\n  return "SESAME" + name + name;\n}\n',
      },
    });
    await repo.branch('next');
    await repo.commit({ message: 'Try something new', files: { 'src/next.js': 'export const next = 1;\n' } });
  });
  gitServer = await serveRepositories(repository.folder);
  model = await startTestModel();
  app = await testApp({
    work: true,
    config: {
      git: { ...GIT, allowedPrivateHosts: [gitServer.host] },
      model: { provider: 'openai-compatible', name: 'small', baseUrl: model.baseUrl, apiKey: null },
    },
  });
  ada = await app.signUp('ada');
  const body = { name: 'Vault', git_url: `${gitServer.url}/${repository.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await waitUntilReady();
});

afterAll(async () => {
  await app.close();
  await model.close();
  await gitServer.close();
  await repository.remove();
});

async function waitUntilReady() {
  for (let tries = 0; ; tries++) {
    const { body } = await app.call(projectRoutes.get, { params: { id } }, ada);
    if (body.status === 'ready' && body.activity === null) return body;
    if (body.status === 'failed' || tries > 400) throw new Error(JSON.stringify(body));
    await sleep(50);
  }
}

async function change(body: RouteInput<typeof projectRoutes.update>['body']) {
  const reply = await app.call(projectRoutes.update, { params: { id }, body }, ada);
  if (reply.status === 200) await waitUntilReady();
  return reply;
}

const settings = async () => (await app.call(projectSettingsRoutes.get, { params: { id } }, ada)).body;
const search = async (q: string) =>
  JSON.stringify((await app.call(searchRoutes.search, { query: { q, project_id: id } }, ada)).body);
const searchChanges = async (q: string) =>
  JSON.stringify((await app.call(searchRoutes.history, { query: { q, project_id: id } }, ada)).body);

test('paths that are kept from models are in no request to one', async () => {
  await change({ model_excluded_paths: ['vault/'], instructions: 'Answer like a PIRATE.' });
  expect(await settings()).toMatchObject({
    guidance_files: ['AGENTS.md'],
    matches: { excluded: 0, model_excluded: 1 },
  });
  expect(await search('readLedger')).toContain('SESAME');
  model.behave(
    {
      use: [
        { name: 'read_file', input: { path: 'vault/ledger.js' } },
        { name: 'search_code', input: { query: 'readLedger' } },
        { name: 'show_commit', input: { commit: 'HEAD' } },
        { name: 'search_changes', input: { query: 'readLedger' } },
        { name: 'find_symbol', input: { name: 'readLedger' } },
        { name: 'blame_lines', input: { path: 'vault/ledger.js', from: 1, to: 3 } },
      ],
    },
    { say: 'It reads a ledger.' },
  );
  const message = 'What does readLedger return?';
  await app.call(chatRoutes.send, { params: { id }, body: { message } }, ada);
  model.behave({ say: '{}' });
  const trace = `TypeError: Cannot read properties of undefined (reading 'name')
    at readLedger (/app/vault/ledger.js:2:10)\n    at openVault (/app/src/open.js:2:10)`;
  const error = { error_message: trace, project_id: id, file_path: 'vault/ledger.js' };
  await app.call(debugRoutes.debug, { body: { ...error, code_snippet: 'return "SESAME"' } }, ada);
  const sent = JSON.stringify(model.calls);
  expect(model.calls.length).toBeGreaterThan(2);
  expect(/.{0,200}SESAME.{0,80}/.exec(sent)?.[0]).toBeUndefined();
  for (const text of ['openVault', 'PIRATE', 'CENTAVOS']) expect(sent).toContain(text);
});

test('excluded paths leave the index, and come back', async () => {
  expect(await searchChanges('SESAME')).toContain('ledger.js');
  await change({ excluded_paths: ['vault/'] });
  const { coverage } = await waitUntilReady();
  expect(coverage?.reasons).toMatchObject({ excluded: 1 });
  const { body } = await app.call(projectRoutes.skipped, { params: { id }, query: {} }, ada);
  expect(body.files).toContainEqual(expect.objectContaining({ path: 'vault/ledger.js', reason: 'excluded' }));
  expect(await search('readLedger')).not.toContain('SESAME');
  await expect.poll(() => searchChanges('SESAME'), { timeout: 60_000 }).not.toContain('ledger.js');
  await change({ excluded_paths: [] });
  expect(await search('readLedger')).toContain('SESAME');
});

test('another branch is indexed; one that is not there is refused', async () => {
  const refused = await change({ chosen_branch: 'nowhere' });
  expect(refused.error).toMatchObject({
    code: 'invalid_input',
    fields: { chosen_branch: expect.any(String) },
  });
  await change({ chosen_branch: 'next' });
  expect(await waitUntilReady()).toMatchObject({ branch: 'next' });
  expect((await settings()).branches.toSorted()).toEqual(['main', 'next']);
  await change({ chosen_branch: null });
  expect(await waitUntilReady()).toMatchObject({ branch: 'main' });
});

test('runs tell why they began, what they did and how long it took', async () => {
  const { body } = await app.call(projectSettingsRoutes.runs, { params: { id }, query: {} }, ada);
  expect(body.runs.map(({ details }) => details?.reason)).toContain('settings');
  expect(body.runs.at(-1)).toMatchObject({
    kind: 'import',
    state: 'done',
    phases: { clone: expect.any(Number), passages: expect.any(Number) },
    details: { reason: 'added', new_commits: expect.any(Number), files: 3 },
  });
});

test('the overview counts languages, people and activity', async () => {
  const { body } = await app.call(projectOverviewRoutes.get, { params: { id } }, ada);
  expect(body.languages).toContainEqual({ name: 'javascript', files: 2, lines: 6 });
  expect(body.weeks).toHaveLength(52);
  expect(body.code_age).toEqual([]);
});

test('the overview sums up the surveyed age of the code', async () => {
  const path = surveyPath(app.deps.config.dataDir, id);
  const files = {
    'a.js': { blob: '', years: { 2023: 4 } },
    'b.js': { blob: '', years: { 2021: 1, 2023: 2 } },
  };
  await writeFile(path, JSON.stringify({ version: 1, revision: '', files, added: null }));
  const { body } = await app.call(projectOverviewRoutes.get, { params: { id } }, ada);
  await rm(path);
  expect(body.code_age).toEqual([
    { year: 2021, lines: 1 },
    { year: 2023, lines: 6 },
  ]);
});

test.each([
  { excluded_paths: ['*'] },
  { excluded_paths: ['!src'] },
  { model_excluded_paths: ['a\\b'] },
  { path_mappings: [{ from: '/app', to: '../etc' }] },
  { chosen_branch: '-x' },
])('refuses %j', async (body) => {
  expect((await change(body)).error).toMatchObject({ code: 'invalid_input' });
});

test('a schedule refreshes a project when it is due, and not before', async () => {
  await change({ refresh_hours: 6 });
  expect(await refreshDueProjects(app.deps)).toEqual([]);
  app.advance(6 * 3600 + 60);
  expect(await refreshDueProjects(app.deps)).toEqual([id]);
});
