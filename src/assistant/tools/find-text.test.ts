import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grep } from '#git/grep.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildIndex } from '#memory/index/build-index.ts';
import { openIndex, readGeneration } from '#memory/index/generation-reader.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { findText, readStoredFile } from './find-text.ts';

const TIMEOUT_MS = 20_000;

let repo: TestRepository;
let directory: string;
/** With the texts of its files, and without them. */
let indexes: Record<'stored' | 'removed', RepositoryIndex>;

beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    await building.commit({
      files: {
        'a.ts': 'export function add() {}\nadd(add);\n\nlast add',
        'a/z.ts': 'call(add)\r\nADD\n',
        'a-b.ts': 'call(add)\r\nADD\n',
        'empty.ts': '',
        'image.png': Buffer.from('add\0'),
        'latin.txt': Buffer.from([0xe9, 0x20, ...Buffer.from('add to a longer line'), 10]),
        'long.ts': `${'x'.repeat(3_000)} add\nadd ${'ü'.repeat(3_000)}\n`,
        'odd [name]*.ts': 'add odd\n',
        'skipped.ts': `add\n${'// filler\n'.repeat(2_000)}add\n`,
      },
    });
  });
  directory = await mkdtemp(join(tmpdir(), 'hindsight-find-text-'));
  let generation = '';
  await buildIndex({
    ...{ repo: repo.path, revision: await repo.head(), directory, previous: null },
    limits: { maxFileBytes: 15_000, maxEntries: 500_000 },
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generation = name;
    },
    signal: new AbortController().signal,
  });
  const stored = openIndex(await readGeneration(directory, generation));
  indexes = { stored, removed: await indexRepository(repo.path) };
});
afterAll(async () => {
  await repo.remove();
  await rm(directory, { recursive: true, force: true });
});

const TEXTS = ['add', 'ad', 'x', 'ü', 'call(add)', 'export function', 'nowhere', 'a\nb', ''];

test.each([...TEXTS, ['longer', 'call(add)'], ['odd', 'last add', 'add']])(
  'finds %j where git finds it, up to every limit',
  async (text) => {
    for (const maxMatches of [1, 2, 3, 5, 100]) {
      const limits = { maxMatches, timeoutMs: TIMEOUT_MS };
      for (const index of Object.values(indexes)) {
        const expected = await grep(repo.path, index.revision, { fixed: [text].flat() }, limits);
        expect(await findText(text, { repo: repo.path, index }, limits)).toEqual(expected);
      }
    }
  },
);

test('reads the bytes of a file from the index only', () => {
  const read = ({ code }: RepositoryIndex, path: string) =>
    readStoredFile(code!, code!.fileNumber(path))?.toString();
  expect(read(indexes.stored, 'a.ts')).toBe('export function add() {}\nadd(add);\n\nlast add');
  expect(read(indexes.stored, 'empty.ts')).toBeUndefined();
  expect(read(indexes.removed, 'a.ts')).toBeUndefined();
});
