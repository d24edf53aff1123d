import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCiEnvironment } from '../config/ci-environment.ts';
import { runCommand } from './run.ts';

/** A shop of twenty commits; the fourteenth breaks its total, the ninth cannot be built. */
let folder: string;
let shop: string;
const commits: string[] = [];
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: shop,
    encoding: 'utf8',
  }).trim();

const TEST = `import { total } from './total.mjs';
if (total([1, 2]) !== 3) {
  console.error('AssertionError: expected total to be 3');
  process.exit(1);
}
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-bisect-test-'));
  shop = join(folder, 'shop');
  mkdirSync(shop);
  git('init', '-q', '-b', 'main');
  for (let number = 0; number < 20; number++) {
    const start = number < 13 ? 0 : 1;
    const body = number === 8 ? 'process.exit(125);' : '';
    writeFileSync(
      join(shop, 'total.mjs'),
      `${body}\nexport const total = (prices) => prices.reduce((sum, price) => sum + price, ${start});\n// ${number}\n`,
    );
    if (number === 0) writeFileSync(join(shop, 'check.mjs'), TEST);
    writeFileSync(join(shop, '.gitignore'), 'built\n');
    git('add', '-A');
    git('commit', '-qm', number === 13 ? 'Add the fee to the total' : `Change ${number}`);
    commits.push(git('rev-parse', 'HEAD'));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function type(...words: string[]) {
  const [printed, told]: [string[], string[]] = [[], []];
  const code = await runCommand(
    ['bisect', '--repo', shop, ...words],
    {
      input: async () => null,
      print: (text) => void printed.push(text),
      tell: (text) => void told.push(text),
      confirm: async () => false,
      signal: new AbortController().signal,
    },
    { cacheDir: join(folder, 'cache'), server: null, apiKey: null, ci: readCiEnvironment({}) },
  );
  return { code, out: printed.join('\n'), stderr: told.join('\n') };
}

const worktrees = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('hindsight-bisect-') && !folder.endsWith(name));

test('the first bad commit is found in a worktree of its own, and the checkout stays as it is', async () => {
  writeFileSync(join(shop, 'total.mjs'), 'not committed');
  const before = {
    files: readdirSync(join(shop, '.git')).sort(),
    head: git('rev-parse', 'HEAD'),
    others: worktrees(),
  };
  const { code, out, stderr } = await type('--good', commits[0]!, '--', 'node', 'check.mjs');
  expect(stderr).toContain('First suspect: ');
  expect(out).toContain(`${commits[13]} is the first bad commit`);
  expect(out).toContain('Ada  Add the fee to the total');
  expect(code).toBe(0);
  expect(readFileSync(join(shop, 'total.mjs'), 'utf8')).toBe('not committed');
  expect(
    readdirSync(join(shop, '.git'))
      .filter((name) => name !== 'worktrees')
      .sort(),
  ).toEqual(before.files);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('rev-parse', 'HEAD')).toBe(before.head);
  expect(worktrees()).toEqual(before.others);
  // Kept results: the reproduction alone is executed again.
  const again = await type('--good', commits[0]!, '--json', '--', 'node', 'check.mjs');
  expect(JSON.parse(again.out)).toMatchObject({ state: 'found', first_bad: commits[13], executed: 0 });
  git('checkout', '-q', '--', 'total.mjs');
}, 60_000);

test('a file of the checkout is added to every revision, and set-up failures skip one', async () => {
  writeFileSync(join(shop, 'new-check.mjs'), TEST.replace('to be 3', 'to be three'));
  const found = await type(
    '--json',
    '--with',
    join(shop, 'new-check.mjs'),
    '--setup',
    'test ! -e built && touch built || test -e built',
    '--',
    'node new-check.mjs',
  );
  expect(JSON.parse(found.out)).toMatchObject({ state: 'found', first_bad: commits[13] });
  rmSync(join(shop, 'new-check.mjs'));
  const broken = await type('--setup', 'false', '--', 'node', 'check.mjs');
  expect([broken.code, broken.out]).toEqual([
    1,
    'The command runs no test here, or could not run. Its output:',
  ]);
}, 60_000);

test('commands that pass, unknown revisions and wrong usage end with a sentence', async () => {
  const passing = await type('--bad', commits[12]!, '--', 'node', 'check.mjs');
  expect([passing.code, passing.out]).toEqual([
    1,
    'The command passes here. Name a revision at which it fails: --bad REV.',
  ]);
  const early = await type('--good', commits[15]!, '--', 'node', 'check.mjs');
  expect([early.code, early.out]).toEqual([
    1,
    'The command already fails at the good revision. Name an older one: --good REV.',
  ]);
  expect((await type()).code).toBe(2);
  expect((await type('--good', 'nowhere', '--', 'true')).code).toBe(2);
  expect((await type('--good', '--upload-pack=x', '--', 'true')).code).toBe(2);
  expect((await type('--with', '../../etc/passwd', '--', 'true')).code).toBe(2);
  expect((await type('--with', '.git/config', '--', 'true')).code).toBe(2);
  expect((await type('--timeout', 'soon', '--', 'true')).code).toBe(2);
  const other = join(folder, 'other.log');
  writeFileSync(
    other,
    'TypeError: Cannot read properties of undefined (reading "price")\n    at total (total.mjs:2:3)',
  );
  const different = await type('--error', other, '--', 'node', 'check.mjs');
  expect([different.code, different.out]).toEqual([
    1,
    'The command fails here with another error than that of --error.',
  ]);
}, 60_000);

test('an interrupt kills the command and removes the worktree', async () => {
  const pidFile = join(folder, 'pid');
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'main.ts'),
      'bisect',
      '--cache',
      join(folder, 'cache'),
      '--',
      `echo $$ > ${pidFile}; sleep 300`,
    ],
    {
      cwd: shop,
      stdio: 'ignore',
    },
  );
  await expect
    .poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim(), { timeout: 60_000 })
    .toBeTruthy();
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
}, 60_000);
