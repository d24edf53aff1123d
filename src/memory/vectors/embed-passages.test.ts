import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { CodeTable } from '../repository-index.ts';
import { indexRepository } from '../testing.ts';
import { embedPassages } from './embed-passages.ts';
import { passageSimilarities } from './passage-similarity.ts';
import { TEXT_VERSION } from './passage-text.ts';
import { TOY_DIMENSIONS, toyVector } from './testing.ts';
import { createVectorCache } from './vector-cache.ts';
import { encodeVectorHeader } from './vector-log.ts';

type EmbedTexts = Parameters<typeof embedPassages>[0]['embed'];

const FUNCTIONS = ['price', 'discount', 'invoice', 'refund', 'customer'];
const source = (name: string) =>
  `/** Works out the ${name}. */\nexport function ${name}Of(order) {\n  const ${name} = order.${name};\n  return ${name} * 2;\n}\n`;

let repository: TestRepository;
let code: CodeTable;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hindsight-vectors-'));
  const files = Object.fromEntries(FUNCTIONS.map((name) => [`src/${name}.js`, source(name)]));
  repository = await buildRepository(async (repo) => {
    await repo.commit({ files: { ...files, 'copy/price.js': source('price') } });
  });
  code = (await indexRepository(repository.path)).code!;
});

afterAll(async () => {
  await repository.remove();
  await rm(folder, { recursive: true });
});

/** A model that keeps what it was sent. */
function model(change: (texts: string[], call: number) => void = () => {}) {
  const sent: string[] = [];
  let calls = 0;
  const embed: EmbedTexts = async (texts) => {
    change(texts, calls++);
    sent.push(...texts);
    return texts.map((text) => toyVector(text));
  };
  return { embed, sent };
}

const file = (name: string) => join(folder, name, 'vectors');
const run = (name: string, embed: EmbedTexts, of: CodeTable = code) =>
  embedPassages({ repo: repository.path, code: of, path: file(name), embed });

async function meaningOf(name: string, text: string, of: CodeTable = code) {
  const shared = await createVectorCache({ maxBytes: 2 ** 30, maxStaleMs: 0 }).open(file(name));
  return shared && passageSimilarities(of, { ...shared, query: toyVector(text) });
}

/** Path of the passage that is likest. */
async function likest(name: string, text: string, of: CodeTable = code): Promise<string> {
  const likeness = await meaningOf(name, text, of);
  return of.filePath(of.passageFiles(likeness!.indexOf(Math.max(...likeness!)))[0]!);
}

test('embeds every text once, with its path, and finds it by similarity', async () => {
  const { embed, sent } = model();
  await run('whole', embed);
  expect(sent.length).toBe(new Set(sent).size);
  expect(sent.length).toBe(FUNCTIONS.length);
  expect(sent.some((text) => text.startsWith('src/invoice.js\n'))).toBe(true);
  expect(await likest('whole', 'src invoice invoiceOf')).toBe('src/invoice.js');
  expect(await likest('whole', 'rebaja')).toBe('src/discount.js');
  const likeness = await meaningOf('whole', sent.find((text) => text.startsWith('src/refund'))!);
  expect(Math.max(...likeness!)).toBeCloseTo(1, 1);
});

test('a second run embeds nothing and leaves the file unchanged', async () => {
  await run('twice', model().embed);
  const before = await readFile(file('twice'));
  const { embed, sent } = model();
  expect(await run('twice', embed)).toBe(0);
  expect(sent).toEqual([]);
  expect(await readFile(file('twice'))).toEqual(before);
});

test('a file truncated anywhere is resumed and completed', async () => {
  await run('cut', model().embed);
  const whole = await readFile(file('cut'));
  const expected = await meaningOf('cut', 'refund of an order');
  for (let length = 0; length < whole.length; length += 41) {
    await writeFile(file('cut'), whole.subarray(0, length));
    const { embed, sent } = model();
    await run('cut', embed);
    expect((await readFile(file('cut'))).length, `cut at ${length}`).toBe(whole.length);
    expect(await meaningOf('cut', 'refund of an order')).toEqual(expected);
    expect(sent.length).toBeLessThanOrEqual(FUNCTIONS.length);
  }
});

test('reading stops at a damaged record, and the rest is embedded again', async () => {
  await run('damaged', model().embed);
  const whole = await readFile(file('damaged'));
  whole[Math.floor(whole.length / 2)]! ^= 255;
  await writeFile(file('damaged'), whole);
  const { embed, sent } = model();
  await run('damaged', embed);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThan(FUNCTIONS.length);
  await appendFile(file('damaged'), 'what is no record');
  expect(await likest('damaged', 'customer customerOf')).toBe('src/customer.js');
});

test('vectors of successful calls are kept when another one fails', async () => {
  const many = await buildRepository(async (repo) => {
    const files = Array.from({ length: 150 }, (_, i) => [`f${i}.js`, source(`thing${i}`)]);
    await repo.commit({ files: Object.fromEntries(files) });
  });
  const table = (await indexRepository(many.path)).code!;
  const path = file('failing');
  const failing = model((_, call) => {
    if (call === 1) throw new AppError('rate_limited', 'embedding_model_rate_limited', { retryAfter: 1 });
  });
  const all = { repo: many.path, code: table, path };
  await expect(embedPassages({ ...all, embed: failing.embed })).rejects.toMatchObject({
    messageKey: 'embedding_model_rate_limited',
  });
  expect(failing.sent.length).toBe(150 - 64);
  const again = model();
  expect(await embedPassages({ ...all, embed: again.embed })).toBe(64);
  expect(again.sent.filter((text) => failing.sent.includes(text))).toEqual([]);
  await many.remove();
});

test('only the changed passages of a changed file are embedded', async () => {
  await run('changed', model().embed);
  await repository.commit({
    files: { 'src/price.js': null, 'lib/price.js': source('price'), 'src/refund.js': source('voucher') },
  });
  const changed = (await indexRepository(repository.path)).code!;
  const { embed, sent } = model();
  await run('changed', embed, changed);
  expect(sent.map((text) => text.split('\n')[0])).toEqual(['src/refund.js']);
  expect(await likest('changed', 'voucher voucherOf', changed)).toBe('src/refund.js');
});

test('vectors of other dimensions are rejected before anything is written', async () => {
  await run('dimension', model().embed);
  const before = await readFile(file('dimension'));
  await repository.commit({ files: { 'src/more.js': source('more') } });
  const more = (await indexRepository(repository.path)).code!;
  const shorter: EmbedTexts = async (texts) => texts.map((text) => toyVector(text, TOY_DIMENSIONS - 1));
  await expect(run('dimension', shorter, more)).rejects.toMatchObject({ reason: 'dimension_mismatch' });
  expect(await readFile(file('dimension'))).toEqual(before);
  const shared = await createVectorCache({ maxBytes: 2 ** 30 }).open(file('dimension'));
  const query = toyVector('price', TOY_DIMENSIONS - 1);
  expect(passageSimilarities(code, { ...shared!, query })).toBeNull();
});

test('a refused text is retried truncated, then gets a vector of zeros', async () => {
  const refuse = (texts: string[], call: number) => {
    if (call > 0 && texts.some((text) => text.includes('refund'))) {
      throw new AppError('unavailable', 'embedding_text_refused', { reason: 'text_rejected' });
    }
  };
  const store = 'refused';
  const first = (await buildRepository(
    async (repo) => void (await repo.commit({ files: { a: 'a' } })),
  )) as TestRepository;
  const table = (await indexRepository(first.path)).code!;
  const { embed, sent } = model(refuse);
  await embedPassages({ repo: first.path, code: table, path: file(store), embed });
  await run(store, embed);
  expect(sent.length).toBe(FUNCTIONS.length);
  expect(await likest(store, 'discount discountOf')).toBe('src/discount.js');
  const { embed: asks, sent: again } = model();
  await run(store, asks);
  expect(again).toEqual([]);
  await first.remove();
});

test('a provider that refuses the very first texts is not retried for each of them', async () => {
  let calls = 0;
  const embed: EmbedTexts = async () => {
    calls += 1;
    throw new AppError('unavailable', 'embedding_text_refused', { reason: 'text_rejected' });
  };
  await expect(run('refusing', embed)).rejects.toMatchObject({ messageKey: 'embedding_text_refused' });
  expect(calls).toBe(1);
});

test('similarities are null while few passages have a vector, or without a file', async () => {
  expect(await meaningOf('absent', 'price')).toBeNull();
  await run('partly', model().embed);
  const whole = await readFile(file('partly'));
  await writeFile(file('partly'), whole.subarray(0, whole.length - 2 * 24));
  expect(await meaningOf('partly', 'price')).toBeNull();
  await writeFile(file('partly'), encodeVectorHeader(TOY_DIMENSIONS));
  expect(await meaningOf('partly', 'price')).toBeNull();
});

test('compaction drops vectors without passages when they are the majority', async () => {
  const many = await buildRepository(async (repo) => {
    const files = Array.from({ length: 600 }, (_, i) => [`f${i}.js`, source(`thing${i}`)]);
    await repo.commit({ files: Object.fromEntries(files) });
  });
  const table = async () => (await indexRepository(many.path)).code!;
  const path = file('tidied');
  await embedPassages({ repo: many.path, code: await table(), path, embed: model().embed });
  const before = (await stat(path)).size;
  const gone = Array.from({ length: 400 }, (_, i) => [`f${i}.js`, null]);
  await many.commit({ files: Object.fromEntries(gone) });
  const left = await table();
  const { embed, sent } = model();
  await embedPassages({ repo: many.path, code: left, path, embed });
  expect(sent).toEqual([]);
  expect((await stat(path)).size).toBeLessThan(before / 2.5);
  expect(await likest('tidied', 'thing501 thing501Of', left)).toBe('f501.js');
  await embedPassages({ repo: many.path, code: left, path, embed });
  expect(sent).toEqual([]);
  await many.remove();
});

test('a file with the header of the format before the container stays in use and can be appended to', async () => {
  await run('legacy', model().embed);
  const current = await readFile(file('legacy'));
  const header = Buffer.alloc(24);
  header.write('HSVECTOR');
  header.writeUInt32LE(1, 8);
  header.writeUInt32LE(TEXT_VERSION, 12);
  header.writeUInt32LE(TOY_DIMENSIONS, 16);
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
  const records = current.subarray(encodeVectorHeader(TOY_DIMENSIONS).length);
  const expected = await meaningOf('legacy', 'refund of an order');
  await writeFile(file('legacy'), Buffer.concat([header, records]));
  const { embed, sent } = model();
  expect(await run('legacy', embed)).toBe(0);
  expect(sent).toEqual([]);
  expect(await meaningOf('legacy', 'refund of an order')).toEqual(expected);
  await writeFile(file('legacy'), Buffer.concat([header, records.subarray(0, records.length >> 1)]));
  expect(await run('legacy', embed)).toBeGreaterThan(0);
  expect(await meaningOf('legacy', 'refund of an order')).toEqual(expected);
});
