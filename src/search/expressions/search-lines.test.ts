import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GrepPattern, grep } from '#git/grep.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { openIndex, readGeneration } from '#memory/index/generation-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { searchLines } from './search-lines.ts';

const FILES = {
  'a.ts': 'export function parseHeader() {\n  return "parse_header";\n}\n\n\nparseHeader();\n',
  'a/b.ts': 'parseHeader(\nparse header\r\nPARSEHEADER\nüber parseHeader()',
  'empty.ts': '',
  'long.ts': `const text = '${'x'.repeat(3_000)} parseHeader';\n`,
  'notes.md': '# parseHeader\n\nIt parses a header of 12 bytes: [parse].\n',
  'package-lock.json': '{\n  "name": "parseHeader"\n}\n',
  'picture.bin': Buffer.from('parseHeader\0parseHeader\n'),
};
const PATTERNS: GrepPattern[] = [
  { fixed: ['parseHeader'] },
  { fixed: ['parse_header', 'PARSE'] },
  { fixed: ['two\nlines', 'parse header'] },
  { fixed: ['üb'] },
  { fixed: ['absent'] },
  { fixed: [''] },
  { regex: 'parse[A-Za-z_]*\\(' },
  { regex: '^parse.*r' },
  { regex: 'parse\\w+$' },
  { regex: '(header|Header)' },
  { regex: '\\<parse\\>' },
  { regex: '\\d' },
  { regex: '' },
];

let repo: TestRepository;
let directory: string;
let index: RepositoryIndex;
beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    await building.commit({ files: FILES });
  });
  directory = await mkdtemp(join(tmpdir(), 'hindsight-lines-'));
  let generation = '';
  await buildIndex({
    repo: repo.path,
    revision: await repo.head(),
    directory,
    previous: null,
    limits: { maxFileBytes: 2 ** 20, maxEntries: 1_000 },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generation = name;
    },
    signal: new AbortController().signal,
  });
  index = openIndex(await readGeneration(directory, generation));
});
afterAll(async () => {
  await repo.remove();
  await rm(directory, { recursive: true, force: true });
});

const options = { maxMatches: 100, timeoutMs: 60_000 };

test.each(PATTERNS)('lines of %j are those of git', async (pattern) => {
  const expected = await grep(repo.path, index.revision, pattern, options);
  expect(await searchLines(repo.path, index, pattern, options)).toEqual(expected);
});

test('limits, accepted paths and options are those of git', async () => {
  const pattern = { fixed: ['parseHeader'] };
  for (const more of [
    { maxMatches: 3 },
    { accept: (path: string) => path !== 'a.ts' },
    { ignoreCase: true },
  ]) {
    const expected = await grep(repo.path, index.revision, pattern, { ...options, ...more });
    expect(await searchLines(repo.path, index, pattern, { ...options, ...more })).toEqual(expected);
  }
});

test('without stored texts, git is asked', async () => {
  const pattern = { fixed: ['parseHeader'] };
  const expected = await grep(repo.path, index.revision, pattern, options);
  await rm(directory, { recursive: true });
  expect(await searchLines(repo.path, index, pattern, options)).toEqual(expected);
});
