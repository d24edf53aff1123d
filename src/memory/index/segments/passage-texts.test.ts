import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { CodeTable, RepositoryIndex } from '../../repository-index.ts';
import { buildIndex } from '../build-index.ts';
import { openIndex, readGeneration } from '../generation-reader.ts';
import { indexRevision } from '../index-revision.ts';

const limits = { maxFileBytes: 2 ** 20, maxEntries: 100 };
/** Longer than several pieces, in lines that differ. */
const LONG = Array.from({ length: 4000 }, (_, i) => `const row${i} = ${i * 7919};\n`).join('');
const FILES = {
  'long.js': LONG,
  'crlf.txt': 'one\r\ntwo\r\n',
  'open.txt': 'no end of line',
  'signs.txt': 'naïve 🙂 日本\n\n\nlast\n',
  'empty.txt': '',
};

let repo: TestRepository;
let directory: string;
let [first, second]: [string, string] = ['', ''];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hindsight-texts-'));
  repo = await buildRepository(async (repository) => {
    await repository.commit({ files: { ...FILES, 'changed.txt': 'before\n' } });
  });
  first = await indexHead(null);
  await repo.commit({ files: { 'changed.txt': 'after\n' } });
  second = await indexHead(first);
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await repo.remove();
});

async function indexHead(previous: string | null): Promise<string> {
  let generation = '';
  const onGeneration = async ({ name }: { name: string }) => {
    generation = name;
  };
  const { signal } = new AbortController();
  const revision = await repo.head();
  const shared = { repo: repo.path, revision, directory, limits, signal };
  await buildIndex({ ...shared, previous, onProgress: () => {}, onGeneration });
  return generation;
}

const open = async (generation: string): Promise<RepositoryIndex> =>
  openIndex(await readGeneration(directory, generation));

/** Concatenated texts of a file's passages. */
function textOf(code: CodeTable, path: string): string {
  const { first: from, count } = code.filePassages(code.fileNumber(path));
  return Array.from({ length: count }, (_, i) => code.passageText(from + i)).join('');
}

test('passage texts equal the lines of the files, also in reused segments', async () => {
  for (const [generation, changed] of [
    [first, 'before\n'],
    [second, 'after\n'],
  ] as const) {
    const { code } = await open(generation);
    expect(textOf(code!, 'changed.txt')).toBe(changed);
    for (const [path, text] of Object.entries(FILES)) expect(textOf(code!, path)).toBe(text);
  }
});

test('a passage of a long file is its lines', async () => {
  const { code } = await open(first);
  const { first: from, count } = code!.filePassages(code!.fileNumber('long.js'));
  expect(count).toBeGreaterThan(10);
  const lines = LONG.split(/(?<=\n)/);
  for (let passage = from; passage < from + count; passage++) {
    const { start, end } = code!.passageLines(passage);
    expect(code!.passageText(passage)).toBe(lines.slice(start - 1, end).join(''));
  }
});

test('passages of another revision only are read from git', async () => {
  const { code } = await indexRevision(repo.path, await open(first), await repo.head(), { limits });
  expect(code!.passageText(code!.filePassages(code!.fileNumber('changed.txt')).first)).toBe(null);
  expect(textOf(code!, 'long.js')).toBe(LONG);
});

test.each([
  ['damaged', (bytes: Buffer) => bytes.fill(7, 40, 60)],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, 30)],
])('texts that are %s are not shown', async (_name, change) => {
  const { code } = await open(first);
  const folder = join(directory, first);
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.texts'))!);
  const whole = readFileSync(file);
  rmSync(file);
  const passage = code!.filePassages(code!.fileNumber('long.js')).first;
  try {
    expect(code!.passageText(passage)).toBe(null);
    writeFileSync(file, change(Buffer.from(whole)));
    expect(code!.passageText(passage)).toBe(null);
  } finally {
    writeFileSync(file, whole);
  }
  expect(code!.passageText(passage)).toContain('row0');
});

test('the blocks of a passage that was read stay in memory, those of other passages are read', async () => {
  const { code } = await open(first);
  const folder = join(directory, first);
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.texts'))!);
  const whole = readFileSync(file);
  expect(textOf(code!, 'signs.txt')).toBe(FILES['signs.txt']);
  // The file stays open for the turn.
  await setImmediate();
  rmSync(file);
  try {
    expect(textOf(code!, 'signs.txt')).toBe(FILES['signs.txt']);
    const { first: from, count } = code!.filePassages(code!.fileNumber('long.js'));
    expect(code!.passageText(from + (count >> 1))).toBe(null);
  } finally {
    writeFileSync(file, whole);
  }
});
