import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { attachIndex } from './attached-indexes.ts';
import { buildIndex } from './build-index.ts';
import { pruneGenerations } from './generations.ts';
import { createIndexCache } from './index-cache.ts';

let repo: TestRepository;
let directory: string;
const generations: string[] = [];

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    await repo.commit({ files: { 'a.ts': 'export function countTotals() {\n  return 1;\n}\n' } });
  });
  directory = mkdtempSync(join(tmpdir(), 'hindsight-library-'));
  await buildIndex({
    repo: repo.path,
    revision: await repo.head(),
    directory,
    previous: null,
    limits: { maxFileBytes: 1000, maxEntries: 10 },
    inStages: true,
    onProgress: () => {},
    onGeneration: async ({ name }) => {
      generations.push(name);
    },
    signal: new AbortController().signal,
  });
});

afterAll(async () => {
  await repo.remove();
  rmSync(directory, { recursive: true, force: true });
});

const rebuilding = { name: 'AppError', code: 'index_rebuilding' };

const parts = ['history', 'files', 'commits-', 'code-'];

/** The file of the complete generation whose name begins so. */
function fileOf(part: string): string {
  const names = readdirSync(join(directory, generations[1]!));
  return names.find((name) => name.startsWith(part) && !name.endsWith('.texts'))!;
}

/** A copy of the complete generation with one file changed. */
function damaged(name: string, file: string, change: (bytes: Buffer) => Buffer): string {
  mkdirSync(join(directory, name));
  for (const other of readdirSync(join(directory, generations[1]!))) {
    copyFileSync(join(directory, generations[1]!, other), join(directory, name, other));
  }
  writeFileSync(join(directory, name, file), change(readFileSync(join(directory, name, file))));
  return name;
}

test('an index is opened once, and evicted when others exceed the limit', async () => {
  const indexCache = createIndexCache({ maxBytes: 1 });
  const [one, again] = await Promise.all([
    indexCache.open(directory, generations[1]!),
    indexCache.open(directory, generations[1]!),
  ]);
  expect(again).toBe(one);
  expect(await indexCache.open(directory, generations[1]!)).toBe(one);
  await indexCache.open(directory, generations[0]!);
  expect(await indexCache.open(directory, generations[1]!)).not.toBe(one);

  const roomy = createIndexCache({ maxBytes: 1e9 });
  const kept = await roomy.open(directory, generations[1]!);
  await roomy.open(directory, generations[0]!);
  expect(await roomy.open(directory, generations[1]!)).toBe(kept);
  roomy.evict(directory);
  expect(await roomy.open(directory, generations[1]!)).not.toBe(kept);
});

test.each(parts)('flipped, missing and additional bytes of the %s file are detected', async (part) => {
  const file = fileOf(part);
  const indexCache = createIndexCache({ maxBytes: 1e9 });
  const { length } = readFileSync(join(directory, generations[1]!, file));
  const headerLength = readFileSync(join(directory, generations[1]!, file)).readUInt32LE(12);
  const body = Math.ceil((24 + headerLength) / 8) * 8;
  const flips = [0, 8, 12, 17, 24, 24 + headerLength - 1, body, body + 1];
  for (const at of flips.filter((at) => at < length)) {
    const name = damaged(`${file}-flip-${at}`, file, (bytes) => {
      bytes[at]! ^= 1;
      return bytes;
    });
    await expect(indexCache.open(directory, name)).rejects.toMatchObject(rebuilding);
  }
  for (const size of new Set([0, 10, 24, body - 8, length - 8])) {
    const name = damaged(`${file}-cut-${size}`, file, (bytes) => bytes.subarray(0, size));
    await expect(indexCache.open(directory, name)).rejects.toMatchObject(rebuilding);
  }
  const longer = damaged(`${file}-longer`, file, (bytes) => Buffer.concat([bytes, Buffer.alloc(8)]));
  await expect(indexCache.open(directory, longer)).rejects.toMatchObject(rebuilding);
  const swapped = damaged(`${file}-swapped`, file, () =>
    readFileSync(join(directory, generations[1]!, fileOf(parts[(parts.indexOf(part) + 1) % parts.length]!))),
  );
  await expect(indexCache.open(directory, swapped)).rejects.toMatchObject(rebuilding);
  await expect(indexCache.open(directory, 'never-was')).rejects.toMatchObject(rebuilding);
});

test('another thread reads the same buffers', async () => {
  const index = await createIndexCache({ maxBytes: 1e9 }).open(directory, generations[1]!);
  const program = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { attachIndex } from ${JSON.stringify(new URL('./attached-indexes.ts', import.meta.url))};
    const { code } = attachIndex(workerData);
    parentPort.postMessage(code.passageSymbol(code.passagesDefining('counttotals')[0]));`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const worker = new Worker(url, { workerData: index.shared });
  const symbol = await new Promise((resolve, reject) =>
    worker.once('message', resolve).once('error', reject),
  );
  expect(symbol).toBe('countTotals');
  expect(attachIndex(index.shared).revision).toBe(index.revision);
});

test('a thread attaches to a generation once and evicts replaced ones', async () => {
  const indexCache = createIndexCache({ maxBytes: 1e9 });
  const [history, whole] = [
    await indexCache.open(directory, generations[0]!),
    await indexCache.open(directory, generations[1]!),
  ];
  const first = attachIndex(structuredClone(whole.shared));
  expect(attachIndex(structuredClone(whole.shared))).toBe(first);
  const withoutCode = attachIndex({ ...whole.shared, code: null });
  expect(withoutCode.code).toBeNull();
  expect(attachIndex(whole.shared)).toBe(first);
  for (let other = 0; other < 23; other++) {
    attachIndex({ ...history.shared, generation: `other-${other}` });
    expect(attachIndex(whole.shared)).toBe(first);
  }
  expect(attachIndex({ ...whole.shared, code: null })).not.toBe(withoutCode);
});

test('old generations are removed except the current, the newest other and recently replaced ones', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hindsight-prune-'));
  const now = Date.now();
  const minutesAgo = { current: 1, recent: 2, replacedRecently: 30, replacedLongAgo: 60 };
  for (const [name, minutes] of Object.entries(minutesAgo)) {
    mkdirSync(join(folder, name));
    utimesSync(join(folder, name), now / 1000 - minutes * 60, now / 1000 - minutes * 60);
  }
  await pruneGenerations(folder, 'current', now);
  expect(readdirSync(folder).sort()).toEqual(['current', 'recent', 'replacedRecently']);
  await pruneGenerations(folder, 'current', now + 20 * 60_000);
  expect(readdirSync(folder).sort()).toEqual(['current', 'recent']);
  rmSync(folder, { recursive: true });
});
