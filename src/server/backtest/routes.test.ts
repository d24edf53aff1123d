import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backtest, backtestRoutes } from '#contract/backtest.ts';
import { debugRoutes } from '#contract/debug.ts';
import { historyRoutes } from '#contract/history.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { projectStorage } from '../project-data/storage.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** A run starts an indexing thread and a pool task, which take seconds on a busy machine. */
const LONG = { timeout: 100_000 };

let repository: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let projectId: string;
const oids = { culprit: '', fix: '', second: '' };

const COUNT = (body: string) => `export function countWords(text) {\n${body}\n}\n`;
const GREET = (body: string) => `export function greet(name) {\n${body}\n}\n`;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      message: 'Begin',
      files: {
        'src/count.js': COUNT('  return text.length;'),
        'src/greet.js': GREET('  return name;'),
      },
    });
    oids.culprit = await repo.commit({
      message: 'Count words at blanks, no longer letters',
      files: { 'src/count.js': COUNT('  return text.split(" ").length;') },
    });
    oids.fix = await repo.commit({
      message: 'Fix crash when countWords gets no text\n\nSigned-off-by: Ada',
      files: { 'src/count.js': COUNT('  return (text ?? "").split(" ").length;') },
    });
    oids.second = await repo.commit({
      message: 'Fix greet without a name',
      files: { 'src/greet.js': GREET('  return name ?? "you";') },
    });
    await repo.commit({ message: 'Say more', files: { 'README.md': '# Words and greetings\n' } });
  });
  gitServer = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Words', git_url: `${gitServer.url}/${repository.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  await waitUntilDone(async () => {
    const project = await app.call(projectRoutes.get, { params: { id: projectId } }, ada);
    return project.body.status === 'ready' && project.body.activity === null;
  });
});

afterAll(async () => {
  await app.close();
  await gitServer.close();
  await repository.remove();
});

async function waitUntilDone(holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    if (await holds()) return;
    await sleep(50);
  }
  throw new Error('it did not come to that');
}

async function newest(): Promise<Backtest | null> {
  return (await app.call(backtestRoutes.get, { params: { id: projectId } }, ada)).body.backtest;
}

async function replayed(body: { fixes?: number; seed?: number }): Promise<Backtest> {
  const started = await app.call(backtestRoutes.start, { params: { id: projectId }, body }, ada);
  expect(started.status).toBe(202);
  await waitUntilDone(async () => (await newest())?.state !== 'running');
  return (await newest())!;
}

test('before the first run there is no back-test', async () => {
  expect(await newest()).toBeNull();
});

test('replays every fix on its parent and locates the changed files', LONG, async () => {
  const run = await replayed({ fixes: 10 });
  expect(run).toMatchObject({ state: 'done', failure: null, done: 2, total: 2 });
  expect(run.cases.map(({ hash }) => hash)).toEqual([oids.second, oids.fix]);
  const counts = run.cases[1]!;
  expect(counts).toMatchObject({
    message: 'Fix crash when countWords gets no text',
    files: { expected: ['src/count.js'], rank: 1 },
    functions: { expected: ['countWords'], rank: 1 },
    causes: { expected: [oids.culprit], rank: 1 },
  });
  expect(run.metrics!.files).toEqual({ case_count: 2, at1: 1, at3: 1, at5: 1 });
});

test('a seed makes the metrics reproducible', LONG, async () => {
  const [first, again] = [await replayed({ fixes: 1, seed: 5 }), await replayed({ fixes: 1, seed: 5 })];
  expect(again.id).not.toBe(first.id);
  expect(again.cases).toEqual(first.cases);
  expect(again.metrics).toEqual(first.metrics);
});

test('earlier outcomes recalibrate confidence, and feedback more so', LONG, async () => {
  const startBacktest = async () => {
    const body = {
      project_id: projectId,
      error_message: 'TypeError: countWords cannot read split of undefined',
    };
    return (await app.call(debugRoutes.debug, { body }, ada)).body;
  };
  const run = (await newest())!;
  const first = await startBacktest();
  expect(first.calibration).toMatchObject({ sample_count: run.cases.length });
  // The replayed fix was located, which raises confidence here.
  expect(first.calibration!.log_odds_offset).toBeGreaterThan(0);
  const body = { debug_query_id: first.id, helpful: false, comments: 'no' };
  await app.call(historyRoutes.giveFeedback, { body }, ada);
  const setAbstained = (value: string) =>
    sql`update debug_sessions set answer = jsonb_set(answer, '{abstained}', ${value}::jsonb)`.execute(
      app.deps.db,
    );
  // Feedback on an answer that claimed nothing does not calibrate confidence.
  await setAbstained('true');
  expect((await startBacktest()).calibration).toEqual(first.calibration);
  await setAbstained('false');
  const second = await startBacktest();
  expect(second.calibration!.sample_count).toBe(run.cases.length + 1);
  expect(second.calibration!.log_odds_offset).toBeLessThan(first.calibration!.log_odds_offset);
});

test('a run leaves nothing on disk', async () => {
  const { root } = projectStorage(app.deps.config.dataDir, projectId);
  expect(await readdir(join(root, 'replays')).catch(() => [])).toEqual([]);
});

test('concurrent starts share one run', LONG, async () => {
  const start = () => app.call(backtestRoutes.start, { params: { id: projectId }, body: {} }, ada);
  const [one, other] = await Promise.all([start(), start()]);
  expect(other.body.id).toBe(one.body.id);
  await waitUntilDone(async () => (await newest())?.state !== 'running');
});

test.each([{ fixes: 0 }, { fixes: 201 }, { fixes: 1.5 }, { fixes: '5' }, { seed: -1 }, { seed: 2 ** 40 }])(
  '%j is rejected with a message',
  async (body) => {
    const url = `/api/projects/${projectId}/backtest`;
    const reply = await app.inject({ method: 'POST', url, payload: body }, ada);
    expect(reply.statusCode).toBe(422);
  },
);
