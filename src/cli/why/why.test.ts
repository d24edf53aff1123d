import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readCiEnvironment } from '../../config/ci-environment.ts';
import { runCommand } from '../run.ts';
import { commentMarker } from './post-comment.ts';
import { REVIEW_TOKEN, startReviewHost } from './testing-review-hosts.ts';
import sarifSchema from './testing-sarif-schema.json' with { type: 'json' };

/** A repository whose branch `feature` breaks two tests by one commit each. */
let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: join(folder, 'shop'), encoding: 'utf8' }).trim();
const commits: Record<string, string> = {};
const TOTAL = `const DISCOUNTS = { spring: { percent: 10 } };
function applyDiscount(cents, code) {
  const discount = DISCOUNTS[code];
  if (discount === undefined) return cents;
  return Math.round(cents * (1 - discount.percent / 100));
}
function addTax(cents) {
  return Math.round(cents * 1.2);
}
`;

const LOG = `2026-11-23T07:38:03.1234567Z FAIL test/total.test.js
2026-11-23T07:38:03.1234567Z   ● unknown codes change nothing
2026-11-23T07:38:03.1234567Z
2026-11-23T07:38:03.1234567Z     TypeError: Cannot read properties of undefined (reading 'percent')
2026-11-23T07:38:03.1234567Z
2026-11-23T07:38:03.1234567Z       at applyDiscount (/srv/shop/src/total.js:4:43)
2026-11-23T07:38:03.1234567Z
2026-11-23T07:38:03.1234567Z   ● total › adds tax, twice: @ada
2026-11-23T07:38:03.1234567Z
2026-11-23T07:38:03.1234567Z     expect(received).toBe(expected)
2026-11-23T07:38:03.1234567Z
2026-11-23T07:38:03.1234567Z       at Object.addTax (/srv/shop/src/total.js:7:10)
2026-11-23T07:38:03.1234567Z Tests:       2 failed, 2 total`;

function commit(name: string, message: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    execFileSync('mkdir', ['-p', join(folder, 'shop', path, '..')]);
    writeFileSync(join(folder, 'shop', path), text);
  }
  git('add', '-A');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', message);
  commits[name] = git('rev-parse', 'HEAD');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hindsight-why-'));
  execFileSync('git', ['init', '-q', '-b', 'main', join(folder, 'shop')]);
  commit('base', 'Print totals', {
    'src/total.js': TOTAL,
    'test/total.test.js': "import '../src/total.js';\n",
  });
  commit('docs', 'Describe the shop', { 'README.md': '# Shop\n' });
  git('checkout', '-q', '-b', 'feature');
  commit('tax', 'Raise tax', { 'src/total.js': TOTAL.replace('1.2', '1.25') });
  const simple = TOTAL.replace('1.2', '1.25').replace(/.*undefined.*\n/, '');
  commit('discount', 'Simplify discounts', { 'src/total.js': simple });
  commit('note', 'Add a note', { 'NOTE.md': 'x\n' });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function why(
  words: string[],
  { piped = LOG as string | null, env = {} as Record<string, string>, repo = 'shop' } = {},
) {
  const [out, stderr]: [string[], string[]] = [[], []];
  const code = await runCommand(
    ['why', '--repo', join(folder, repo), ...words],
    {
      input: async () => piped,
      print: (text) => void out.push(text),
      tell: (text) => void stderr.push(text),
      confirm: async () => false,
      signal: new AbortController().signal,
    },
    { cacheDir: join(folder, 'cache'), server: null, apiKey: null, ci: readCiEnvironment(env) },
  );
  return { code, out: out.join('\n'), stderr: stderr.join('\n') };
}

test('each failure is explained by the commit of the branch that broke it', async () => {
  const { code, out } = await why(['--format', 'json', '--base', 'main']);
  const report = JSON.parse(out);
  expect([code, report.failure_count, report.base]).toEqual([
    0,
    2,
    { ref: 'main', commit: commits.docs, commits: 3 },
  ]);
  expect(report.failures.map(({ causes }: { causes: { hash: string }[] }) => causes[0]!.hash)).toEqual([
    commits.discount,
    commits.tax,
  ]);
  expect(report.failures[0]).toMatchObject({ file: 'test/total.test.js', place: { path: 'src/total.js' } });
  // The target of a pull request is the base where none is typed.
  const inCi = await why([], { env: { GITHUB_BASE_REF: 'main' } });
  expect(inCi.out).toContain('3 commits on this branch since main');
  expect(await why(['--base', 'nowhere'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('git fetch origin nowhere'),
  });
  expect((await why(['--format', 'xml'])).code).toBe(2);
  expect(await why([], { piped: ' ' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('hindsight why'),
  });
});

test('a shallow clone says what it lacks, and its oldest commit is not accused', async () => {
  execFileSync('git', [
    'clone',
    '-q',
    '--depth=2',
    '-b',
    'feature',
    `file://${join(folder, 'shop')}`,
    join(folder, 'shallow'),
  ]);
  const { code, out } = await why(['--base', 'main'], { repo: 'shallow' });
  expect(code).toBe(0);
  expect(out).toContain('shallow clone with 2 commits');
  expect(out).toContain('git fetch --unshallow origin');
  expect(out).toContain('The base main is not in this clone');
  expect(out).not.toContain(commits.discount!.slice(0, 7));
});

test('SARIF fits the published schema; annotations and Markdown are escaped', async () => {
  const sarif = JSON.parse((await why(['--base', 'main', '--format', 'sarif'])).out);
  // OASIS, errata 01, without descriptions and without `uri-reference`, which zod takes for absolute.
  const schema = z.fromJSONSchema(sarifSchema as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse({ ...sarif, version: '9' }).success).toBe(false);
  expect(schema.parse(sarif)).toMatchObject({ runs: [{ results: [{}, {}] }] });
  expect(sarif.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('src/total.js');
  const [, second] = (await why(['--base', 'main', '--format', 'github'])).out.split('\n');
  expect(second).toMatch(
    /^::error file=src\/total.js,line=\d+,endLine=\d+,title=total > adds tax%2C twice%3A @ada::expect/,
  );
  expect(second).toContain('%0A');
  const markdown = (await why(['--base', 'main', '--format', 'markdown'])).out;
  expect(markdown.startsWith('### Why the tests fail')).toBe(true);
  expect(markdown).toContain('**`total > adds tax, twice: @ada`**');
  const many = Array.from({ length: 400 }, (_, index) => `  ● test ${index}\n\n    Error: no`).join('\n');
  const long = await why(['--limit', '2', '--format', 'text'], { piped: `FAIL a.test.js\n${many}` });
  expect(long.out).toContain('400 failing tests, of which the first 2 were examined.');
});

test('JUnit files and folders are read; nothing failed is an answer', async () => {
  const report = join(folder, 'junit.xml');
  const failure =
    '<failure message="no">TypeError: no percent\n at applyDiscount (src/total.js:4:43)</failure>';
  writeFileSync(
    report,
    `<testsuite><testcase name="a">${failure}</testcase><testcase name="b"/></testsuite>`,
  );
  expect((await why(['--junit', report], { piped: null })).out).toContain('1 failing test.');
  writeFileSync(join(folder, 'green.xml'), '<testsuite><testcase name="b"/></testsuite>');
  const both = await why(['--junit', join(folder, 'green.xml'), report], { piped: null });
  expect(both.out).toContain('1 failing test.');
  expect(await why(['--junit', join(folder, 'green.xml')], { piped: null })).toMatchObject({
    code: 0,
    out: 'No failing tests.',
  });
  const missing = await why(['--junit', join(folder, 'none.xml')], { piped: null });
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('none.xml') });
});

test.each([
  ['github', false],
  ['github', true],
  ['gitlab', false],
] as const)(
  'the comment on %s is created once, then updated in place (token of a workflow: %s)',
  async (kind, isWorkflow) => {
    const host = await startReviewHost(kind, { isWorkflow });
    const repository = kind === 'github' ? 'ada/shop' : '42';
    const marker = commentMarker({ kind, repository, number: 7 });
    // Anyone can copy a marker.
    Object.assign(host.comments[3]!, { body: `${marker}\nkeep me` });
    Object.assign(host.comments[4]!, {
      ...{ author: 'token', body: `${commentMarker({ kind, repository, number: 8 })}\nof another request` },
    });
    const env: Record<string, string> =
      kind === 'github'
        ? {
            GITHUB_REF: 'refs/pull/7/merge',
            GITHUB_REPOSITORY: 'ada/shop',
            GITHUB_API_URL: host.url,
            GITHUB_TOKEN: REVIEW_TOKEN,
          }
        : {
            CI_MERGE_REQUEST_IID: '7',
            CI_PROJECT_ID: '42',
            CI_API_V4_URL: host.url,
            GITLAB_TOKEN: REVIEW_TOKEN,
          };
    const first = await why(['--base', 'main', '--comment'], { env });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('Commented: ') });
    await why(['--comment', '--limit', '1'], { env });
    const own = host.comments.filter(({ body }) => body.startsWith(marker));
    expect(host.comments).toHaveLength(131);
    expect(own).toMatchObject([
      { id: 4, body: `${marker}\nkeep me` },
      { id: 131, body: expect.stringContaining('of which the first 1 were examined') },
    ]);
    expect(host.comments[4]!.body).toContain('of another request');
    const wrong = await why(['--comment'], { env: { ...env, HINDSIGHT_COMMENT_TOKEN: 'other-secret' } });
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('refused the comment') });
    expect(`${JSON.stringify(first)}${JSON.stringify(wrong)}`).not.toMatch(/secret/);
    await host.close();
    expect(await why(['--comment'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('does not answer'),
    });
    expect((await why(['--comment'])).code).toBe(2);
  },
);

test('an earlier fix that the branch removes is named', async () => {
  const guarded = TOTAL.replace(
    '  return Math.round(cents * 1.2',
    '  if (!(cents >= 0)) throw new RangeError(cents);\n$&',
  );
  git('checkout', '-q', '-b', 'release', 'main');
  commit('fix', 'Fix taxes of negative prices', { 'src/total.js': guarded });
  git('checkout', '-q', '-b', 'cleanup');
  commit('cleanup', 'Shorten taxes', { 'src/total.js': TOTAL });
  const { out } = await why(['--format', 'json', '--base', 'release']);
  expect(JSON.parse(out).removed_fixes).toEqual([
    {
      ...{ hash: commits.cleanup, message: 'Shorten taxes' },
      ...{ fix: commits.fix, fix_message: 'Fix taxes of negative prices', path: 'src/total.js', line: 8 },
    },
  ]);
  const sentence = 'Shorten taxes removes the fix “Fix taxes of negative prices”';
  expect((await why(['--base', 'release'])).out).toContain(sentence);
  expect((await why(['--base', 'release', '--format', 'markdown'])).out).toContain(sentence);
  // Also when every test passes, and without a log.
  const green = { code: 0, out: expect.stringMatching(/^No failing tests\.\n\nRemoved fix: /) };
  const report = join(folder, 'passed.xml');
  writeFileSync(report, '<testsuite><testcase name="b"/></testsuite>');
  expect(await why(['--junit', report, '--base', 'release'], { piped: null })).toMatchObject(green);
  expect(await why(['--base', 'release'], { piped: null })).toMatchObject(green);
  expect((await why(['--base', 'release', '--format', 'github'], { piped: null })).out).toContain(
    '::warning ',
  );
});
