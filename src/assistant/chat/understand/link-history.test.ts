import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { openSourceReader } from '#investigate/locate/source-reader.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { indexRepository } from '#memory/testing.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { linkHistory } from './link-history.ts';

let repository: TestRepository;
let context: ToolContext;
let hunks: string;
let fixed: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    await repo.commit({
      files: {
        'lib/middleware/query.js': 'export const parseOldQuery = 1;\n',
        'lib/app.js': 'export function sendfile() {}\n// --legacy-mode and stylus\n',
        'internal/json/a.js': 'let a = 1;\n',
        'internal/json/b.js': 'let b = 1;\n',
        'lib/url.js': `${'let line = 1;\n'.repeat(20)}`,
      },
      message: 'Start',
    });
    await repo.commit({
      files: { 'lib/middleware/query.js': null, 'internal/json/a.js': null, 'internal/json/b.js': null },
      message: 'Remove the query middleware',
    });
    await repo.rename('lib/url.js', 'lib/address.js');
    fixed = await repo.commit({
      files: { 'lib/app.js': 'export function sendFile() {}\n' },
      message: 'Rename sendfile (#12)\n\nFixes CVE-2024-51999, see GH-7.',
    });
  });
  const index = await indexRepository(repository.path, 'main');
  hunks = mkdtempSync(join(tmpdir(), 'hindsight-link-history-'));
  const signal = new AbortController().signal;
  const revision = index.revision;
  await buildChangeIndex(
    { repo: repository.path, revision, directory: hunks },
    { onProgress: () => {}, signal },
  );
  const sources = openSourceReader(repository.path, index);
  context = { repo: repository.path, index, sources, hunks, now: Date.parse('2024-03-15T00:00:00Z') / 1000 };
});
afterAll(async () => {
  context.sources.close();
  rmSync(hunks, { recursive: true });
  await repository.remove();
});

const entities = async (text: string) => (await linkHistory(text, context)).map(({ entity }) => entity);
const DELETED = { kind: 'deleted_path', path: 'lib/middleware/query.js' };

test.each([
  'lib/middleware/query.js deleted in which commit',
  'which commit removed the query middleware?',
  'Welcher Commit hat die Middleware query entfernt?',
  '¿qué commit eliminó el middleware query?',
  'quel commit a supprimé le middleware query ?',
])('%j is about the deleted file', async (text) => {
  expect(await entities(text)).toContainEqual(DELETED);
});

test('a folder of the history is found by its path and by its name', async () => {
  const expected = { kind: 'deleted_path', path: 'internal/json' };
  expect(await entities('what happened to internal/json?')).toContainEqual(expected);
  expect(await entities('who removed the json folder')).toContainEqual(expected);
});

test('a renamed file has its present name', async () => {
  const expected = { kind: 'deleted_path', path: 'lib/url.js', renamedTo: 'lib/address.js' };
  expect(await entities('who wrote lib/url.js?')).toEqual([expected]);
});

test.each([
  ['when was the parseOldQuery constant dropped', 'parseOldQuery'],
  ['which commit removed lowercase app.sendfile', 'app.sendfile'],
  ['need the commit that took out `--legacy-mode`', '--legacy-mode'],
  ['Stylus wird nicht mehr unterstützt, seit wann?', 'stylus'],
])('%j is about %s, which no longer exists', async (text, name) => {
  expect(await entities(text)).toContainEqual({ kind: 'removed_name', name });
});

test('what the code has is not removed', async () => {
  expect(await entities('which commit removed `sendFile`?')).toEqual([]);
});

test('commits by hash, issues and advisories', async () => {
  const commit = context.index.commits.find(fixed);
  expect(await entities(`what did ${fixed.slice(0, 8)} do`)).toEqual([{ kind: 'commit', commit }]);
  for (const text of ['what did PR 12 do', 'the fix of #12', 'issue #12', 'pull request #12'])
    expect(await entities(text)).toEqual([{ kind: 'issue', number: 12, commits: [commit] }]);
  expect(await entities('is gh-7 fixed')).toEqual([{ kind: 'issue', number: 7, commits: [commit] }]);
  expect(await entities('when was CVE-2024-51999 fixed')).toEqual([{ kind: 'commit', commit }]);
  expect(await entities('what about #99')).toEqual([]);
});
