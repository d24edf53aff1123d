import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { rankPassages } from '../lexical/rank-documents.ts';
import { rankFiles } from './rank-files.ts';
import { searchCodeAndCommits } from './search-code.ts';

let repo: TestRepository;
let index: RepositoryIndex;
let fix: string;

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    await repository.commit({
      message: 'Add sessions',
      files: {
        'lib/session.js': 'export function openSession(jar) {\n  return jar.pop();\n}\n',
        'lib/cookie/jar.js': 'export class Jar {\n  put(value) {\n    this.value = value;\n  }\n}\n',
        'lib/use.js': '// calls openSession, openSession and openSession again\nrun();\n',
        'README.md': 'How to open a session.\n',
      },
    });
    fix = await repository.commit({
      message: 'Fix the cookie that was lost on redirect',
      files: { 'lib/session.js': 'export function openSession(jar) {\n  return jar.pop() ?? null;\n}\n' },
    });
    await repository.commit({
      message: 'Broken clock',
      date: '1970-01-01T00:00:00Z',
      files: { 'a.txt': 'a\n' },
    });
  });
  index = await indexRepository(repo.path);
});

afterAll(() => repo.remove());

const ask = (q: string) => searchCodeAndCommits({ repo: repo.path, index, q, limit: 10 });

test('a definition ranks before a mention, in the shape of the contract', async () => {
  const { passages } = await ask('openSession');
  expect(passages.map(({ path }) => path).slice(0, 2)).toEqual(['lib/session.js', 'lib/use.js']);
  expect(passages[0]).toMatchObject({
    symbol: 'openSession',
    start_line: 1,
    snippet_start_line: 1,
    language: 'javascript',
    snippet: expect.stringContaining('jar.pop() ?? null'),
  });
});

test('parts of an identifier and words of a path match a passage', async () => {
  expect((await ask('open session')).passages[0]!.path).toBe('lib/session.js');
  expect((await ask('cookie')).passages[0]!.path).toBe('lib/cookie/jar.js');
});

test('commits match by words; a hash match comes first', async () => {
  expect((await ask('lost cookie')).commits[0]).toMatchObject({
    hash: fix,
    message: 'Fix the cookie that was lost on redirect',
    timestamp: expect.stringMatching(/^2024-/),
  });
  expect((await ask(fix.slice(0, 9).toUpperCase())).commits.map(({ hash }) => hash)).toEqual([fix]);
});

test('before code is indexed, only commits are found', async () => {
  const withoutCode: RepositoryIndex = { ...index, code: null };
  const found = await searchCodeAndCommits({ repo: repo.path, index: withoutCode, q: 'cookie', limit: 10 });
  expect(found.passages).toEqual([]);
  expect(found.commits.map(({ hash }) => hash)).toEqual([fix]);
  expect(rankFiles(withoutCode, parseQuery('cookie'), { limit: 10 })).toEqual([]);
});

test.each([
  "'",
  '"',
  '\\',
  '%',
  '_',
  'foo &',
  '(((',
  '!',
  '<->',
  'a:*',
  'foo:bar:baz',
  '); DROP TABLE users;--',
  '\0',
  'x'.repeat(10_000),
  'the of and to is it',
  '🦊 שלום',
  '__proto__ constructor toString',
  '.'.repeat(10_000),
  'a/'.repeat(5000),
  `${'a.'.repeat(5000)}b`,
  '`'.repeat(9999),
  ' '.repeat(10_000),
  `"${'\' " '.repeat(2000)}`,
  '\ud800',
])('hostile query %#: neither search nor rankFiles throws', async (q) => {
  const { passages, commits } = await ask(q);
  expect(passages.length).toBeLessThanOrEqual(4);
  expect(commits.length).toBeLessThanOrEqual(3);
  const options = { limit: 5, frames: [{ path: q, symbol: q }], literals: [q] };
  for (const { file } of rankFiles(index, parseQuery(q), options))
    expect(index.code!.filePath(file)).toBeTruthy();
});

test('an index without terms and a limit of 0 find nothing', () => {
  expect(rankPassages(index, parseQuery(''), { limit: 10 })).toEqual([]);
  expect(rankPassages(index, parseQuery('session'), { limit: 0 })).toEqual([]);
  expect(rankFiles(index, parseQuery(''), { limit: 10 })).toEqual([]);
});
