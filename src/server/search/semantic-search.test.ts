import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openEmbedder } from '#assistant/models/embed.ts';
import { startTestEmbedder, type TestEmbedder } from '#assistant/models/testing-embedder.ts';
import { chatRoutes } from '#contract/chat.ts';
import { debugRoutes } from '#contract/debug.ts';
import { egressRoutes } from '#contract/egress.ts';
import { projectRoutes } from '#contract/projects.ts';
import { searchRoutes } from '#contract/search.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type EmbeddingJob, modelFolder, vectorsFile, vectorsFolder } from '../llm/query-embedding.ts';
import { embeddingJob } from '../projects/vector-tasks.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
const NAMES = ['invoice', 'refund', 'customer', 'basket', 'parcel', 'discount'];
const source = (name: string) => `export function ${name}Of(thing) {\n  return thing.${name};\n}\n`;

let repo: TestRepository;
let gitServer: GitServer;
let provider: TestEmbedder;
let app: TestApp;
let user: TestUser;
let projectId: string;

beforeAll(async () => {
  provider = await startTestEmbedder();
  const files = Object.fromEntries(NAMES.map((name) => [`src/${name}.js`, source(name)]));
  repo = await buildRepository(async (repository) => void (await repository.commit({ files })));
  gitServer = await serveRepositories(repo.folder);
  const embedder = {
    provider: 'openai-compatible',
    name: 'toy',
    baseUrl: provider.baseUrl,
    apiKey: null,
  } as const;
  const git = { ...GIT, allowedPrivateHosts: [gitServer.host] };
  app = await testApp({ work: true, config: { git, embedder } });
  user = await app.signUp();
  const body = { name: 'Shop', git_url: `${gitServer.url}/${repo.name}` };
  projectId = (await app.call(projectRoutes.create, { body }, user)).body.id;
  await vi.waitFor(() => expectTopResult('rebaja', 'src/discount.js'), { timeout: 90_000, interval: 200 });
}, 100_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await provider?.close();
  await repo?.remove();
});

beforeEach(() => {
  provider.behave('answer');
  provider.calls.length = 0;
});

async function find(q: string): Promise<string[]> {
  const reply = await app.call(searchRoutes.search, { query: { project_id: projectId, q } }, user);
  expect(reply.status).toBe(200);
  // Serialized by a thread, without a check by the schema.
  expect(searchRoutes.search.reply.parse(reply.body)).toEqual(reply.body);
  return reply.body.passages.map(({ path }) => path);
}

async function expectTopResult(q: string, path: string): Promise<void> {
  expect((await find(q))[0]).toBe(path);
}

const sent = () => provider.calls.flatMap(({ texts }) => texts);
const file = () => vectorsFile(app.deps.config.dataDir, projectId, 'openai-compatible:toy');

test('search, debug and chat find passages without a shared word', async () => {
  await expectTopResult('rebaja', 'src/discount.js');
  const error = { project_id: projectId, error_message: 'Error: rebaja' };
  const answer = await app.call(debugRoutes.debug, { body: error }, user);
  expect(answer.body.places?.[0]?.path).toBe('src/discount.js');
  const question = { message: 'rebaja', use_code_context: true };
  const chat = await app.call(chatRoutes.send, { params: { id: projectId }, body: question }, user);
  expect(JSON.stringify(chat.body)).toContain('src/discount.js');
});

test('a query is embedded once, and every outbound request is logged', async () => {
  await find('a question of its own');
  await find('a question of its own');
  expect(sent()).toEqual(['a question of its own']);
  const { body } = await app.call(egressRoutes.project, { params: { id: projectId }, query: {} }, user);
  const entries = body.entries.filter(({ purpose }) => purpose === 'embedding');
  expect(entries[0]).toMatchObject({ user: user.username, status: 200 });
  expect(entries.at(-1)).toMatchObject({ user: null, status: 200 });
});

test('a failing or mismatched embedding model falls back to lexical search', async () => {
  provider.behave({ status: 500 });
  await expectTopResult('refundOf', 'src/refund.js');
  expect(await find('precio')).toEqual([]);
  provider.behave({ dimensions: 7 });
  await expectTopResult('customerOf', 'src/customer.js');
  expect(provider.calls.length).toBe(3);
});

test('after a refresh only new passages are embedded', async () => {
  await repo.commit({ files: { 'src/voucher.js': source('voucher'), 'src/parcel.js': null } });
  await app.call(projectRoutes.refresh, { params: { id: projectId } }, user);
  const isSent = () => expect(sent().filter((text) => text.startsWith('src/'))).toHaveLength(1);
  await vi.waitFor(isSent, { timeout: 60_000, interval: 100 });
  expect(sent().find((text) => text.startsWith('src/'))).toMatch(/^src\/voucher\.js\n/);
});

/** Runs the job as another process. */
function createOtherWorker(): JobDefinition<EmbeddingJob>['run'] {
  const embedder = openEmbedder(app.deps.config.embedder!);
  return embeddingJob({ ...app.deps, lock: app.lock }, { embedder, onFailure: () => {} }).run;
}

const CONTEXT = {
  signal: new AbortController().signal,
  attempt: 1,
  isClaimed: async () => true,
  isCancelled: async () => false,
};

test('two replicas embed each content once and delete another model’s vectors', async () => {
  const before = await readFile(file());
  const previousModel = join(vectorsFolder(app.deps.config.dataDir, projectId), modelFolder('openai:before'));
  await mkdir(previousModel);
  await writeFile(join(previousModel, 'vectors'), 'vectors of before');
  await rm(file());
  const workers = [createOtherWorker(), createOtherWorker()];
  await Promise.all(workers.map((work) => work({ project_id: projectId }, CONTEXT)));
  expect(sent().length).toBe(new Set(sent()).size);
  expect(sent().length).toBe(NAMES.length);
  expect((await readFile(file())).length).toBeLessThanOrEqual(before.length);
  expect(await readdir(vectorsFolder(app.deps.config.dataDir, projectId))).toEqual([
    modelFolder('openai-compatible:toy'),
  ]);
});

test('a failed run leaves the project ready, and the next one resumes', async () => {
  await rm(file());
  provider.behave({ status: 401 });
  await expect(createOtherWorker()({ project_id: projectId }, CONTEXT)).rejects.toMatchObject({
    reason: 'model_key_rejected',
  });
  const { body } = await app.call(projectRoutes.get, { params: { id: projectId } }, user);
  expect(body).toMatchObject({ status: 'ready', activity: null, failure: null });
  await expectTopResult('refundOf', 'src/refund.js');
  provider.behave('answer');
  await createOtherWorker()({ project_id: projectId }, CONTEXT);
  await expectTopResult('rebaja', 'src/discount.js');
});
