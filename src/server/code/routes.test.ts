import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeRoutes } from '#contract/code.ts';
import { historyRoutes } from '#contract/history.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const GIT = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const total = (body: string) => `def total(items):\n    rows = list(items)\n${body}    return result\n`;
const LOOP = '    result = 0\n    for row in rows:\n        result += row\n';
const SUM = '    result = sum(rows)\n';
/** Short definitions share a passage. */
const PRODUCTS = 'def product(items):\n    return 1\n\ndef square(item):\n    return 2\n';

let repo: TestRepository;
let gitServer: GitServer;
let app: TestApp;
let ada: TestUser;
let id: string;
const oids: Record<string, string> = {};

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    const commit = async (name: string, message: string, files: Record<string, string | Buffer | null>) => {
      oids[name] = await repository.commit({ message, files });
    };
    await commit('first', 'Add totals', {
      'lib/sums.py': total(LOOP),
      'logo.png': PNG,
      'README.md': 'Sums\n',
    });
    await repository.rename('lib/sums.py', 'lib/totals.py', { message: 'Move sums' });
    await commit('fix', 'Fix the total of large lists', { 'lib/totals.py': total(SUM) });
    await commit('tabs', 'Run black', { 'lib/totals.py': total(SUM).replaceAll('    ', '  ') });
    await repository.tag('v1');
    await repository.branch('side');
    await commit('side', 'Add products', { 'lib/products.py': PRODUCTS });
    await repository.switch('main');
    await commit('main', 'Describe', { 'README.md': 'Sums and products\n' });
    oids.merge = await repository.merge('side', { message: "Merge branch 'side'" });
  });
  gitServer = await serveRepositories(repo.folder);
  app = await testApp({ work: true, config: { git: { ...GIT, allowedPrivateHosts: [gitServer.host] } } });
  ada = await app.signUp('ada');
  const body = { name: 'Sums', git_url: `${gitServer.url}/${repo.name}` };
  id = (await app.call(projectRoutes.create, { body }, ada)).body.id;
  const project = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body;
  while ((await project()).activity !== null) await sleep(50);
}, 90_000);

afterAll(async () => {
  await app?.close();
  await gitServer?.close();
  await repo?.remove();
});

const at = (path: string) => ({ id, '*': path });

test('text, folders and images of a revision; folders come first with their last commit', async () => {
  const text = await app.call(codeRoutes.text, { params: at('lib/totals.py'), query: {} }, ada);
  expect(text.body).toMatchObject({ text: total(SUM).replaceAll('    ', '  '), skipped: null });
  const old = { params: at('lib/sums.py'), query: { ref: oids.first! } };
  expect((await app.call(codeRoutes.text, old, ada)).body.text).toBe(total(LOOP));
  const folder = await app.call(codeRoutes.folder, { params: { id }, query: {} }, ada);
  expect(folder.body.entries).toMatchObject([
    { name: 'lib', type: 'folder', last: { subject: 'Add products' } },
    { name: 'README.md', size: 18, last: { subject: 'Describe' } },
    { name: 'logo.png' },
  ]);
  const image = await app.call(codeRoutes.image, { params: at('logo.png'), query: {} }, ada);
  expect(image.body).toMatchObject({ media_type: 'image/png', data: PNG.toString('base64') });
  const asText = { params: at('README.md'), query: {} };
  expect((await app.call(codeRoutes.image, asText, ada)).status).toBe(415);
  const missing = { params: { id }, query: { path: 'nowhere' } };
  expect((await app.call(codeRoutes.folder, missing, ada)).status).toBe(404);
});

test('blame passes over a commit that only formats, and says so', async () => {
  const params = at('lib/totals.py');
  const { body } = await app.call(codeRoutes.blame, { params, query: {} }, ada);
  expect(body.skipped).toMatchObject([{ hash: oids.tabs, reason: 'formatting' }]);
  expect(body.runs.map(({ hash }) => hash)).toEqual([oids.first, oids.fix, oids.first]);
  expect(body.runs[1]).toMatchObject({ start: 3, previous: { path: 'lib/totals.py' } });
  const kept = await app.call(codeRoutes.blame, { params, query: { formatting: 'keep' } }, ada);
  expect(kept.body.runs[1]?.hash).toBe(oids.tabs);
  const nowhere = { params: at('lib/nowhere.py'), query: {} };
  expect((await app.call(codeRoutes.blame, nowhere, ada)).status).toBe(404);
});

test('versions follow a rename, and a change is read under the name it had', async () => {
  const { body } = await app.call(codeRoutes.versions, { params: at('lib/totals.py') }, ada);
  expect(body.versions.map(({ path, status, kind }) => [path, status, kind])).toEqual([
    ['lib/totals.py', 'M', 'change'],
    ['lib/totals.py', 'M', 'fix'],
    ['lib/totals.py', 'R', 'change'],
    ['lib/sums.py', 'A', 'change'],
  ]);
  const change = { params: at('lib/totals.py'), query: { commit: body.versions[2]!.hash } };
  expect((await app.call(codeRoutes.change, change, ada)).body.file).toMatchObject({
    old_path: 'lib/sums.py',
    new_path: 'lib/totals.py',
    hunks: [],
  });
  // The newest version only changed the indentation.
  const reindented = (whitespace: 'show' | 'ignore') => {
    const query = { commit: body.versions[0]!.hash, whitespace };
    return app.call(codeRoutes.change, { params: at('lib/totals.py'), query }, ada);
  };
  expect((await reindented('show')).body.file?.hunks).toHaveLength(1);
  expect((await reindented('ignore')).body.file).toBeNull();
});

test('a function is followed through renames of its file, every change labelled', async () => {
  const call = { params: at('lib/totals.py'), query: { name: 'total' } };
  const { body } = await app.call(codeRoutes.function, call, ada);
  expect(body.changes.map(({ event, label }) => [event, label])).toEqual([
    ['changed', 'formatting'],
    ['fixed', 'behavior'],
    ['moved', 'refactoring'],
    ['introduced', 'behavior'],
  ]);
  const url = `/api/projects/${id}/functions/lib/totals.py?name=total`;
  const streamed = await app.inject({ url, headers: { accept: 'text/event-stream' } }, ada);
  const events = [...streamed.body.matchAll(/event: (\w+)\ndata: (.*)\n/g)];
  const read = (name: string) => events.filter((one) => one[1] === name).map((one) => JSON.parse(one[2]!));
  expect(read('changes').flatMap(({ changes }) => changes)).toEqual(body.changes);
  expect(read('done')).toEqual([body]);
  for (const name of ['product', 'square']) {
    const short = { params: at('lib/products.py'), query: { name } };
    const { changes } = (await app.call(codeRoutes.function, short, ada)).body;
    expect([name, changes.map(({ event }) => event)]).toEqual([name, ['introduced']]);
  }
  const missing = { params: at('lib/totals.py'), query: { name: 'nothing' } };
  expect((await app.call(codeRoutes.function, missing, ada)).status).toBe(404);
  const symbol = await app.call(codeRoutes.symbol, { params: { id }, query: { name: 'total' } }, ada);
  expect(symbol.body).toMatchObject({ definitions: [{ path: 'lib/totals.py', line: 1 }], guessed: false });
});

test('a merge is compared with the parent that is asked for, and counted against it', async () => {
  const read = async (query: { parent?: string; whitespace?: 'ignore' }, sha = oids.merge!) =>
    (await app.call(projectRoutes.commit, { params: { id, sha }, query }, ada)).body;
  const first = await read({});
  expect(first).toMatchObject({ parent: 1, files_changed_count: 1, totals: { added: 5, deleted: 0 } });
  expect(first.files.map(({ new_path }) => new_path)).toEqual(['lib/products.py']);
  expect((await read({ parent: '2' })).files.map(({ new_path }) => new_path)).toEqual(['README.md']);
  const none = { params: { id, sha: oids.merge! }, query: { parent: '3' } };
  expect((await app.call(projectRoutes.commit, none, ada)).status).toBe(404);
  expect((await read({ whitespace: 'ignore' }, oids.tabs)).files).toEqual([]);
});

test('commits are filtered by author, path, words, kind and day, and carry their tags', async () => {
  const list = async (query: Record<string, string>) =>
    (await app.call(projectRoutes.commits, { params: { id }, query }, ada)).body;
  const hashes = async (query: Record<string, string>) => (await list(query)).commits.map(({ hash }) => hash);
  expect(await hashes({ kind: 'merge' })).toEqual([oids.merge]);
  expect(await hashes({ kind: 'fix', path: 'lib/totals.py' })).toEqual([oids.fix]);
  expect(await hashes({ q: 'add', path: 'lib' })).toEqual([oids.side, oids.first]);
  expect(await hashes({ author: 'nobody' })).toEqual([]);
  expect(await hashes({ since: '2030-01-01' })).toEqual([]);
  const [tagged] = (await list({ q: 'black' })).commits;
  expect(tagged).toMatchObject({ refs: [{ name: 'v1', kind: 'tag' }], parents: [oids.fix] });
  const dates = (await list({})).commits.map((commit) => commit.committed_at!);
  expect(dates).toEqual(dates.toSorted().reverse());
});

test('two revisions are compared by commits, files and symbols', async () => {
  const query = { base: 'v1', head: 'main' };
  const { body } = await app.call(historyRoutes.compare, { params: { id }, query }, ada);
  expect(body).toMatchObject({ ancestor: oids.tabs, total_commits: 3, behind: 0, total_files: 2 });
  expect(body.commits[0]).toMatchObject({ hash: oids.merge, kind: 'merge' });
  expect(body.files.map(({ path, status }) => [path, status]).sort()).toEqual([
    ['README.md', 'M'],
    ['lib/products.py', 'A'],
  ]);
  const file = { params: { id }, query: { ...query, path: 'README.md' } };
  const diff = (await app.call(historyRoutes.compareFile, file, ada)).body.file;
  expect(diff?.hunks[0]?.lines.map(({ text }) => text)).toEqual(['Sums', 'Sums and products']);
  const symbols = await app.call(historyRoutes.compareSymbols, { params: { id }, query }, ada);
  expect(symbols.body).toMatchObject({
    added: [{ name: 'product' }, { name: 'square' }],
    removed: [],
    files: 1,
  });
});
