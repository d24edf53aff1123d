import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { embedPassages } from '#memory/vectors/embed-passages.ts';
import type { QueryEmbedding } from '#memory/vectors/passage-similarity.ts';
import { toyVector } from '#memory/vectors/testing.ts';
import { createVectorCache } from '#memory/vectors/vector-cache.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { measureEmbeddingSimilarity } from './embedding-similarity.ts';
import { rankFiles } from './rank-files.ts';
import { searchCodeAndCommits } from './search-code.ts';

const NAMES = ['invoice', 'refund', 'customer', 'basket', 'parcel', 'voucher', 'address', 'stock', 'colour'];

let repo: TestRepository;
let index: RepositoryIndex;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindsight-embedding-'));
  // Of different lengths, so that no two have the same similarity to a text.
  const source = (name: string) =>
    `export function ${name}Of(thing) {\n  return ${`thing.${name} + `.repeat(name.charCodeAt(0) - 96)}1;\n}\n`;
  const files = Object.fromEntries([...NAMES, 'discount'].map((name) => [`src/${name}.js`, source(name)]));
  repo = await buildRepository(async (repository) => {
    await repository.commit({ files: { ...files, 'test/refund.test.js': source('refund') } });
  });
  index = await indexRepository(repo.path);
  const embed = async (texts: string[]) => texts.map((text) => toyVector(text));
  await embedPassages({ repo: repo.path, code: index.code!, path: join(folder, 'vectors'), embed });
});

afterAll(async () => {
  await repo.remove();
  await rm(folder, { recursive: true });
});

async function embed(text: string): Promise<QueryEmbedding> {
  const shared = await createVectorCache({ maxBytes: 2 ** 30 }).open(join(folder, 'vectors'));
  return { ...shared!, query: toyVector(text) };
}

const paths = (ranked: { file: number }[]) => ranked.map(({ file }) => index.code!.filePath(file));

test('a text that shares no word with the code finds it by embedding similarity', async () => {
  const text = 'rebaja';
  const query = parseQuery(text);
  const embedding = await embed(text);
  expect(rankFiles(index, query, { limit: 5 })).toEqual([]);
  const [first] = rankFiles(index, query, { limit: 5, embedding });
  expect(index.code!.filePath(first!.file)).toBe('src/discount.js');
  expect(first!.signals).toEqual(expect.objectContaining({ embedding: 1 }));
  expect(first!.passages.length).toBe(1);
  const found = await searchCodeAndCommits({
    repo: repo.path,
    index,
    q: text,
    limit: 5,
    embedding,
  });
  expect(found.passages[0]).toMatchObject({ path: 'src/discount.js', symbol: 'discountOf', start_line: 1 });
  expect((await searchCodeAndCommits({ repo: repo.path, index, q: text, limit: 5 })).passages).toEqual([]);
});

test('a file that matches by words ranks before one that matches by embedding', async () => {
  const query = parseQuery('refundOf in src/refund.js fails');
  const embedding = await embed('rebaja');
  expect(paths(rankFiles(index, query, { limit: 3, embedding }))[0]).toBe('src/refund.js');
  const found = await searchCodeAndCommits({
    repo: repo.path,
    index,
    q: 'refundOf',
    limit: 3,
    embedding,
  });
  expect(found.passages[0]!.path).toBe('src/refund.js');
  expect(found.passages.map(({ path }) => path)).toContain('src/discount.js');
});

test('most files have similarity 0, and the most similar has 1', async () => {
  const code = index.code!;
  const files = Array.from({ length: code.fileCount }, (_, file) => file);
  const nearness = measureEmbeddingSimilarity(
    code,
    await embed('export function return thing discount'),
    files,
  )!;
  expect(Math.max(...nearness.files)).toBe(1);
  expect(nearness.files.filter((value) => value > 0).length).toBeLessThanOrEqual(files.length / 5);
});

test('without a model, and with a vector of another model, the ranking does not change', async () => {
  const query = parseQuery('refund of a customer');
  const plain = rankFiles(index, query, { limit: 20 });
  const otherDimensions = { ...(await embed('refund')), query: new Float32Array(7).fill(1) };
  expect(rankFiles(index, query, { limit: 20, embedding: otherDimensions })).toEqual(plain);
  expect(rankFiles(index, query, { limit: 20, embedding: null })).toEqual(plain);
  const zeroVector = { ...otherDimensions, query: toyVector('') };
  expect(rankFiles(index, query, { limit: 20, embedding: zeroVector })).toEqual(plain);
});
