import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { dump } from '../testing-dump.ts';
import { buildLines, type IndexTask } from './build-code.ts';
import { buildCommits, buildRecentCommits } from './build-commits.ts';
import { buildIndex } from './build-index.ts';
import { completeParts, openIndex, readGeneration } from './generation-reader.ts';
import { createGeneration } from './generations.ts';
import { type PublishedGeneration, publishStages } from './publish-stages.ts';

const FILES = 120;
const LIMITS = { maxFileBytes: 10_000, maxEntries: 1000 };
const LISTENER = { onProgress: () => {}, signal: new AbortController().signal };

let repo: TestRepository;
let directory: string;

beforeAll(async () => {
  const files = Array.from({ length: FILES }, (_, i) => [
    `src/f${i}.ts`,
    `// Opens door ${i}.\nexport function openDoor${i}() {\n  return ${i};\n}\n`,
  ]);
  repo = await buildRepository(async (repo) => {
    await repo.commit({ files: Object.fromEntries(files), message: 'Add doors' });
    await repo.commit({ files: { 'few.txt': 'few\n' }, message: 'Add a text' });
  });
  directory = mkdtempSync(join(tmpdir(), 'hindsight-stages-'));
});

afterAll(async () => {
  await repo.remove();
  rmSync(directory, { recursive: true, force: true });
});

const open = async (name: string) => openIndex(await readGeneration(directory, name));

async function newTask(kind: IndexTask['kind']): Promise<IndexTask> {
  const { folder } = await createGeneration(directory);
  return { kind, repo: repo.path, revision: await repo.head(), previous: null, folder, limits: LIMITS };
}

/** Publishes stages of tasks that are done in the order given. */
async function publishInOrder(first: 'commits' | 'lines'): Promise<PublishedGeneration[]> {
  const [history, lines, recent] = [
    await newTask('commits'),
    await newTask('lines'),
    await newTask('recent-commits'),
  ];
  const published: PublishedGeneration[] = [];
  const isPublished = Promise.withResolvers<void>();
  const start = async <T>(part: 'commits' | 'lines', work: () => Promise<T>) => {
    if (part !== first) await isPublished.promise;
    return await work();
  };
  await publishStages({
    directory,
    folders: { history: history.folder, lines: lines.folder, recent: recent.folder },
    commits: start('commits', () => buildCommits(history, LISTENER)),
    lines: start('lines', () => buildLines(lines, LISTENER)),
    indexRecentCommits: () => buildRecentCommits(recent, LISTENER),
    onGeneration: async (generation) => {
      published.push(generation);
      isPublished.resolve();
    },
  });
  return published;
}

test('files are searchable before the history and symbols are there', async () => {
  const [first, second, ...others] = await publishInOrder('lines');
  expect(others).toEqual([]);
  expect(first).toMatchObject({ phase: 'lines', pending: ['commits', 'symbols'] });
  expect(second).toMatchObject({ phase: 'lines', pending: ['symbols'] });
  for (const { name, pending } of [first!, second!]) {
    const index = await open(name);
    expect(index.pending).toEqual(pending);
    const code = index.code!;
    expect(code.fileCount).toBe(FILES + 1);
    const [passage] = code.field('body').postings('opendoor77')!.docs;
    expect(code.passageText(passage!)).toContain('openDoor77');
    expect(code.passagesDefining('openDoor77')).toEqual([]);
    expect(index.commits.find(await repo.head())).toBe(0);
  }
  expect(completeParts(await open(first!.name))).toBeNull();
  const history = completeParts(await open(second!.name))!;
  expect(history).toMatchObject({ code: null, pending: [], shared: { code: null, pending: [] } });
  expect(history.commits.count).toBe(2);
});

test('the history is searchable before the files are there', async () => {
  const published = await publishInOrder('commits');
  expect(published).toMatchObject([
    { phase: 'commits', pending: [] },
    { phase: 'lines', pending: ['symbols'] },
  ]);
  const index = await open(published[0]!.name);
  expect(index.code).toBeNull();
  expect(completeParts(index)).toBe(index);
});

test('of few files the history is published, and then all', async () => {
  const small = await buildRepository(async (repo) => void (await repo.commit({ files: { 'a.ts': 'a\n' } })));
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-few-'));
  const published: PublishedGeneration[] = [];
  await buildIndex({
    ...{ repo: small.path, revision: await small.head(), directory: folder, previous: null, limits: LIMITS },
    ...LISTENER,
    inStages: true,
    onGeneration: async (generation) => {
      published.push(generation);
    },
  });
  expect(published).toMatchObject([{ phase: 'commits' }, { phase: 'passages', pending: [] }]);
  await small.remove();
  rmSync(folder, { recursive: true });
});

test('a build in stages ends with the same index as one without, also upon what a killed one has published', async () => {
  const vocabulary = ['export', 'function', 'opendoor77', 'door', 'few', 'ts'];
  const build = async (inStages: boolean, previous: string | null) => {
    const published: PublishedGeneration[] = [];
    const { coverage } = await buildIndex({
      ...{ repo: repo.path, revision: await repo.head(), directory, previous, inStages, limits: LIMITS },
      ...LISTENER,
      onGeneration: async (generation) => {
        published.push(generation);
      },
    });
    const last = published.at(-1)!;
    expect(last).toMatchObject({ phase: 'passages', pending: [] });
    const index = await open(last.name);
    expect(index.pending).toEqual([]);
    return { published, built: { coverage, dump: dump(index, vocabulary) } };
  };
  const plain = await build(false, null);
  expect(plain.published).toHaveLength(1);
  const staged = await build(true, null);
  expect(staged.published.at(-2)).toMatchObject({ phase: 'lines', pending: ['symbols'] });
  expect(staged.built).toEqual(plain.built);
  for (const { name } of await publishInOrder('lines')) {
    expect((await build(true, name)).built).toEqual(plain.built);
  }
});
