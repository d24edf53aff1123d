import { mkdtempSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ideRoutes } from '#contract/ide.ts';
import { keyRoutes } from '#contract/keys.ts';
import { projectRoutes } from '#contract/projects.ts';
import { SHOP_TRACE } from '#investigate/testing.ts';
import { openShopApp, type ServedShop, type ShopApp, serveShop } from '#server/testing-shop.ts';
import { readCiEnvironment } from '../config/ci-environment.ts';
import { completionScript } from './help.ts';
import { runCommand } from './run.ts';

let served: ServedShop;
let cacheDir: string;
let app: ShopApp;
let server: string;

beforeAll(async () => {
  served = await serveShop();
  cacheDir = mkdtempSync(join(tmpdir(), 'hindsight-cli-'));
  app = await openShopApp(served);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  server = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await served.close();
  await rm(cacheDir, { recursive: true });
});

/** Types a command; `piped` is what stands on its standard input. */
async function type(
  words: string[],
  { piped = null as string | null, apiKey = null as string | null, ci = {} as Record<string, string> } = {},
) {
  const [printed, errors]: [string[], string[]] = [[], []];
  const code = await runCommand(
    words,
    {
      input: async () => piped,
      print: (text) => void printed.push(text),
      tell: (text) => void errors.push(text),
      confirm: async () => false,
      signal: new AbortController().signal,
    },
    { cacheDir, server: null, apiKey, ci: readCiEnvironment(ci) },
  );
  return { code, out: printed.join('\n'), stderr: errors.join('\n') };
}

const here = () => ['--repo', served.shop.repository.path];

test('a piped stack trace is answered from the repository, without server and database', async () => {
  const { code, out, stderr } = await type(['debug', ...here()], { piped: SHOP_TRACE });
  expect(code).toBe(0);
  expect(out).toContain('### Root cause');
  expect(out).toContain('src/checkout/total.js');
  expect(stderr).toContain('Indexing the repository');
  const again = await type(['debug', '--json', ...here()], { piped: SHOP_TRACE });
  expect(again.stderr).toBe('');
  expect(JSON.parse(again.out)).toMatchObject({ abstained: false });
});

test('new commits are indexed at the next command', async () => {
  await type(['ask', 'who wrote src/money.js?', ...here()]);
  await served.shop.repository.commit({
    message: 'Sing',
    author: 'Edith Piaf',
    files: { 'src/song.js': 'export const rien = 1;\n' },
  });
  const { out, stderr } = await type(['ask', 'who wrote src/song.js?', ...here()]);
  expect(stderr).toContain('Indexing new commits');
  expect(out).toContain('Edith Piaf');
});

test('search, tools and questions have an exit code', async () => {
  const found = await type(['search', 'tax', 'rates', ...here()]);
  expect(found).toMatchObject({ code: 0, out: expect.stringContaining('src/region.js:') });
  expect(await type(['search', 'zzzzqqqq', ...here()])).toMatchObject({ code: 1, out: 'No results.' });
  const read = await type(['read-file', 'src/region.js', '--from', '3', '--to=4', ...here()]);
  expect(read.out).toContain('3\texport function taxRate');
  const uses = await type(['find-symbol', 'format', '--references', '--json', ...here()]);
  expect(JSON.parse(uses.out).citations[0]).toMatchObject({ kind: 'lines' });
  const changes = await type(['search-changes', 'discount', ...here()]);
  expect(changes.out).toContain('```diff');
});

test.each([
  [['nonsense'], 'no command'],
  [['search'], 'what to search for'],
  [['debug', '--repo'], 'needs a value'],
  [['hotspots', '--nonsense', '1'], 'no option --nonsense'],
  [['read-file', 'x', '--from', 'abc'], 'input of the tool is not valid'],
  [['hotspots', '--limit', 'abc'], 'limit: Must be of type number'],
  [['ask', 'why', '--jsn'], '--jsn needs a value'],
  [['ask', 'why', '--jsn=yes'], 'no option --jsn'],
  [['connect', 'https://example.org/x'], 'Name the server'],
  [['search', 'x', '--server', 'http://127.0.0.1:1'], 'HINDSIGHT_API_KEY'],
])('%j is typed wrongly', async (words, expected) => {
  const { code, stderr } = await type(
    [...words, ...(words.includes('--repo') || words.includes('--server') ? [] : here())].filter(
      (_, index, all) => words[0] !== 'connect' || index < all.length - 2,
    ),
  );
  expect(stderr).toContain(expected);
  expect(code).toBe(2);
});

test('without a repository the error says what to do', async () => {
  const { code, stderr } = await type(['ask', 'why', '--repo', '/']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('name it with --repo') });
});

test('a server is queried when an option names one', async () => {
  const there = ['--server', server, '--project', 'Shop'];
  const apiKey = app.ada.accessToken;
  expect(await type(['search', 'tax', ...there], { apiKey })).toMatchObject({
    code: 0,
    out: expect.stringContaining('src/region.js'),
  });
  expect((await type(['ask', 'who wrote src/money.js?', ...there], { apiKey })).out).toContain(
    'Ada Lovelace',
  );
  expect((await type(['debug', ...there], { apiKey, piped: SHOP_TRACE })).out).toContain('### Root cause');
  expect(await type(['search', 'x', '--server', server], { apiKey: 'wrong' })).toMatchObject({ code: 3 });
  expect(await type(['search', 'x', '--server', server, '--project', 'none'], { apiKey })).toMatchObject({
    code: 1,
  });
  const url = `${served.gitServer.url}/${served.shop.repository.name}`;
  const connected = await type(['connect', url, '--name', 'Again', '--server', server], { apiKey });
  expect(connected).toMatchObject({
    code: 0,
    out: expect.stringMatching(/ ready$/),
    stderr: expect.stringContaining('Again: ready'),
  });
});

test('a key of one project finds it by name, by id and without either', async () => {
  const body = { name: 'ci', scope: 'write' as const, project_id: app.project.id };
  const { key } = (await app.call(keyRoutes.create, { body }, app.ada)).body;
  const report = join(cacheDir, 'junit.xml');
  await writeFile(report, '<testsuite><testcase name="a"/></testsuite>');
  const ci = { GITHUB_SHA: served.shop.culprit, GITHUB_REF_NAME: 'main' };
  const upload = (...named: string[]) =>
    type(['test-runs', 'upload', report, '--server', server, ...named], { apiKey: key, ci });
  for (const named of [['--project', 'Shop'], ['--project', app.project.id], []])
    expect(await upload(...named)).toMatchObject({ code: 0, stderr: expect.stringContaining('1 passed') });
  expect(await upload('--project', 'Other')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Shop'),
  });
});

test('help lists every command, and shells complete them', async () => {
  const { code, out } = await type(['help']);
  expect(code).toBe(0);
  for (const word of ['debug', 'ask', 'connect', 'serve', 'migrate', 'find-symbol', '--json', 'Exit codes']) {
    expect(out).toContain(word);
  }
  expect((await type(['read-file', '--help'])).out).toContain('--path string (required)');
  for (const shell of ['bash', 'zsh', 'fish']) expect(completionScript(shell)).toContain('find-symbol');
  expect(completionScript('cmd')).toBeNull();
});

test('the official client connects to the command over standard input and output', async () => {
  const args = [resolve('src/cli.ts'), 'mcp', ...here(), '--cache', cacheDir];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('investigate_error');
  const result = await client.callTool({ name: 'find_symbol', arguments: { name: 'taxRate' } });
  expect(JSON.stringify(result.content)).toContain('src/region.js');
  await client.close();
});

test('a saved branch is shown, pushed and shown as a link to open, with an API key', async () => {
  const params = { id: app.project.id };
  await app.call(projectRoutes.update, { params, body: { may_push: true } }, app.ada);
  const file = { params: { ...params, '*': 'pushed.txt' }, body: { content: 'x\n', branch: 'fix/cli' } };
  const { commit } = (await app.call(ideRoutes.save, file, app.ada)).body;
  const keyBody = { name: 'cli', scope: 'write' as const, project_id: app.project.id };
  const { key } = (await app.call(keyRoutes.create, { body: keyBody }, app.ada)).body;
  const there = ['--server', server, '--project', app.project.id];
  const run = (words: string[]) => type([...words, ...there], { apiKey: key });

  const shown = await run(['push', 'fix/cli', '--dry-run']);
  expect(shown).toMatchObject({ code: 0, out: '' });
  expect(shown.stderr).toContain('fix/cli (new branch), without a credential');
  expect(shown.stderr).toContain('pushed.txt +1 -0');
  expect(await run(['push', 'fix/cli'])).toMatchObject({ code: 0, out: `done fix/cli ${commit}` });
  expect(await served.shop.repository.head('fix/cli')).toBe(commit);
  const again = await run(['push', 'fix/cli']);
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('nothing to push') });
  expect(await run(['pr', 'fix/cli'])).toMatchObject({ code: 3, stderr: expect.stringContaining('API of') });
  expect((await run(['push'])).code).toBe(2);
});

test('the source maps of a build are uploaded by release and path', async () => {
  const { body: key } = await app.call(keyRoutes.create, { body: { name: 'ci', scope: 'write' } }, app.ada);
  const build = mkdtempSync(join(tmpdir(), 'hindsight-build-'));
  await mkdir(join(build, 'assets'));
  const map = { version: 3, sources: ['a.js'], names: [], mappings: 'AAAA' };
  await writeFile(join(build, 'assets', 'app.js.map'), JSON.stringify(map));
  const upload = (words: string[]) =>
    type(['sourcemaps', ...words, '--server', server, '--project', 'Shop'], { apiKey: key.key });
  expect(await upload(['upload', build])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--release'),
  });
  expect(await upload(['list'])).toMatchObject({ code: 2 });
  expect(await upload(['upload', join(build, 'none'), '--release', 'r'])).toMatchObject({ code: 2 });
  const done = await upload(['upload', build, '--release', 'shop@1.0.0', '--url-prefix', 'static/']);
  expect(done).toMatchObject({ code: 0, out: 'Source maps uploaded: 1' });
  const stored = await app.deps.db.selectFrom('source_maps').select(['release', 'path']).execute();
  expect(stored).toEqual([{ release: 'shop@1.0.0', path: 'static/assets/app.js' }]);
  await rm(build, { recursive: true });
});
