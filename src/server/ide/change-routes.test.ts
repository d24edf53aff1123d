import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeCheckRoutes } from '#contract/change-check.ts';
import { ideRoutes } from '#contract/ide.ts';
import { impactRoutes } from '#contract/impact.ts';
import { projectRoutes } from '#contract/projects.ts';
import { buildRepository, type GitServer, serveRepositories, type TestRepository } from '#git/testing.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

const PATH = 'src/total.js';
const BROKEN = 'export function cartTotal(cart) {\n  return sum(cart.items);\n}\n';
const FIXED = BROKEN.replace('{\n', "{\n  if (!cart.items) throw new TypeError('no items in the cart');\n");
const SHOP =
  "import { cartTotal } from './total.js';\n\nexport function checkout(cart) {\n  return cartTotal(cart);\n}\n";

/** Older fixes than two years are ordinary code. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+/, '');

let repository: TestRepository;
let server: GitServer;
let app: TestApp;
let ada: TestUser;
let eve: TestUser;
let id: string;
let fix: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    const tests =
      "import { cartTotal } from '../src/total.js';\n\ntest('totals', () => cartTotal({ items: [] }));\n";
    await repo.commit({
      ...{ message: 'Add totals', author: 'Grace Hopper' },
      files: { [PATH]: BROKEN, 'src/shop.js': SHOP, 'test/total.test.js': tests },
    });
    for (const rate of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const files = {
        [PATH]: `// Rate ${rate}.\n${BROKEN}`,
        'src/rates.js': `export const rate = ${rate};\n`,
      };
      await repo.commit({ message: `Set rate ${rate}`, author: 'Grace Hopper', files });
    }
    fix = await repo.commit({
      message: 'Fix crash for empty carts',
      date: daysAgo(30),
      author: 'Alan Turing',
      files: { [PATH]: FIXED },
    });
  });
  server = await serveRepositories(repository.folder);
  const git = { localRoots: [], maxRepoMb: 100, maxEntries: 1000, timeoutS: 30, maxFileBytes: 2 ** 20 };
  app = await testApp({ work: true, config: { git: { ...git, allowedPrivateHosts: [server.host] } } });
  ada = await app.signUp('ada');
  eve = await app.signUp('eve');
  const git_url = `${server.url}/${repository.name}`;
  id = (await app.call(projectRoutes.create, { body: { name: 'Shop', git_url } }, ada)).body.id;
  const status = async () => (await app.call(projectRoutes.get, { params: { id } }, ada)).body.status;
  while ((await status()) !== 'ready') await sleep(50);
}, 60_000);
afterAll(async () => {
  await app.close();
  await server.close();
  await repository.remove();
});

const FINDINGS = {
  undone_fixes: [{ subject: 'Fix crash for empty carts', path: PATH, line: 2 }],
  fixed_lines: [],
  companions: [{ path: 'src/rates.js', with: PATH, together: 8 }],
  tests: [{ path: 'test/total.test.js', basis: 'name', of: PATH }],
};

test('a text that is not saved yet is compared with the history', { timeout: 90_000 }, async () => {
  const check = async (content: string | null, user = ada) =>
    await app.call(
      changeCheckRoutes.check,
      { params: { id }, body: { files: [{ path: PATH, content }] } },
      user,
    );
  const { status, body } = await check(BROKEN);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...FINDINGS, undone_fixes: [{ ...FINDINGS.undone_fixes[0], fix }] });
  expect(body.reviewers).toEqual([
    expect.objectContaining({ name: 'Grace Hopper' }),
    expect.objectContaining({ name: 'Alan Turing', commits: 1 }),
  ]);
  const extended = await check(`${FIXED}export const EMPTY = 0;\n`);
  expect(extended.body).toMatchObject({ undone_fixes: [], fixed_lines: [] });
  const replaced = await check(FIXED.replace('!cart.items', '!cart || !cart.items'));
  expect(replaced.body).toMatchObject({ undone_fixes: [], fixed_lines: [{ fix, line: 2, lines: 1 }] });
  expect((await check(null)).status).toBe(200);
  expect((await check(BROKEN, eve)).status).toBe(404);
});

test('what a branch changed is compared with the history, and its impact is found', async () => {
  const head = (await app.call(ideRoutes.file, { params: { id, '*': PATH }, query: {} }, ada)).body;
  const body = {
    files: [{ path: PATH, content: BROKEN }],
    base_sha: head.commit,
    branch: 'simpler',
    message: 'Simplify',
  };
  expect((await app.call(ideRoutes.commit, { params: { id }, body }, ada)).status).toBeLessThan(300);
  const checked = await app.call(
    changeCheckRoutes.check,
    { params: { id }, body: { ref: 'simpler', files: [] } },
    ada,
  );
  expect(checked.body).toMatchObject(FINDINGS);
  const found = await app.call(impactRoutes.get, { params: { id }, query: { branch: 'simpler' } }, ada);
  expect(found.body).toMatchObject({
    subject: { kind: 'branch', paths: [PATH], symbols: ['cartTotal'] },
    callers: expect.arrayContaining([expect.objectContaining({ path: 'src/shop.js', symbol: 'checkout' })]),
  });
});

test('the impact of a symbol and a file names callers, tests, companions and past fixes', async () => {
  const impact = async (query: { symbol?: string; path?: string }, user = ada) =>
    await app.call(impactRoutes.get, { params: { id }, query }, user);
  const { body } = await impact({ symbol: 'cartTotal()' });
  expect(body).toMatchObject({
    subject: { kind: 'symbol', paths: [PATH], symbols: ['cartTotal'] },
    tests: [{ path: 'test/total.test.js', basis: 'uses', of: PATH }],
    changes_with: [{ path: 'src/rates.js', with: PATH, together: 8 }],
    regressions: [{ hash: fix, kind: 'fix' }],
  });
  expect(body.callers).toContainEqual({
    ...{ path: 'src/shop.js', line: 4, symbol: 'checkout', uses: 'cartTotal', guessed: false },
    text: 'return cartTotal(cart);',
  });
  expect((await impact({ path: PATH })).body.callers).toEqual(body.callers);
  expect((await impact({})).error).toMatchObject({ message_key: 'impact_subject' });
  expect((await impact({ symbol: 'nowhere' })).status).toBe(404);
  expect((await impact({ path: 'no/such/file.js' })).status).toBe(404);
  expect((await impact({ path: PATH }, eve)).status).toBe(404);
});
