import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { buildChangeIndex } from '#memory/changes/build-change-index.ts';
import { type ChangeIndex, closeChangeIndex, openChangeIndex } from '#memory/changes/change-index.ts';
import { parseQuery } from '../lexical/parse-query.ts';
import { parseChangeQuestion } from './find-changes.ts';
import { excerptHunk } from './hunk-excerpt.ts';
import { locateHunk, rankHunks } from './search-hunks.ts';

type SearchHunksOptions = Parameters<typeof rankHunks>[2];

const folders: string[] = [];
const oids: Record<string, string> = {};
let repo: TestRepository;
/** The same history, indexed at once and commit by commit. */
let whole: ChangeIndex;
let pieces: ChangeIndex;

async function build(directory: string): Promise<ChangeIndex> {
  const listener = { onProgress: () => {}, signal: new AbortController().signal };
  await buildChangeIndex({ repo: repo.path, revision: await repo.head(), directory }, listener);
  return openChangeIndex(directory)!;
}

function newFolder(): string {
  folders.push(mkdtempSync(join(tmpdir(), 'hindsight-hunks-')));
  return folders.at(-1)!;
}

beforeAll(async () => {
  const stepwise = newFolder();
  const filler = (word: string) => Array.from({ length: 20 }, (_, i) => `${word} line ${i}\n`).join('');
  repo = await buildRepository(async () => {});
  const commit = async (name: string, files: Record<string, string>) => {
    oids[name] = await repo.commit({ files, message: name });
    await build(stepwise);
  };
  await commit('add', {
    'a.c': `int quota = 1;\n${filler('plain')}`,
    'b.c': filler('other'),
    'z.c': filler('more').repeat(100),
  });
  await commit('both', { 'a.c': `int quota = 2;\n${filler('plain')}int quota_limit = 3;\n` });
  oids.rename = await repo.rename('a.c', 'src/a.c');
  await commit('far', {
    'src/a.c': `${filler('plain')}int unrelated;\n`,
    'b.c': `quota\n${filler('other')}`,
  });
  whole = await build(newFolder());
  pieces = openChangeIndex(stepwise)!;
}, 60_000);

afterAll(async () => {
  for (const folder of folders) {
    closeChangeIndex(folder);
    rmSync(folder, { recursive: true, force: true });
  }
  await repo?.remove();
});

const find = (hunks: ChangeIndex, q: string, query: Partial<SearchHunksOptions> = {}) =>
  rankHunks(hunks, parseQuery(q).terms, { limit: 10, acceptsCommit: () => true, ...query }).map(locateHunk);

/** Stable across machines: commit subjects instead of hashes. */
const named = (hits: ReturnType<typeof find>) =>
  hits.map(
    ({ oid, path, side }) => `${Object.keys(oids).find((name) => oids[name] === oid)} ${path} ${side}`,
  );

test('the ranking of hunks does not depend on the number of blocks', () => {
  expect(pieces.blocks.length).toBeGreaterThan(whole.blocks.length);
  for (const q of ['quota', 'plain line', 'int quota_limit other', 'nothing at all']) {
    const sorted = (hunks: ChangeIndex) =>
      find(hunks, q)
        .map(({ score, ...place }) => JSON.stringify([score.toFixed(9), place]))
        .sort();
    expect(sorted(pieces)).toEqual(sorted(whole));
  }
  expect(find(whole, 'nothing at all')).toEqual([]);
});

test('hunks with more occurrences rank first, on each side', () => {
  expect(named(find(whole, 'quota'))[0]).toBe('both a.c both');
  expect(named(find(whole, 'quota', { side: 'removed' }))).toHaveLength(3);
  expect(named(find(whole, 'quota', { side: 'added' }))).not.toContain('far src/a.c removed');
  expect(named(find(whole, 'unrelated', { side: 'removed' }))).toEqual([]);
});

test('paths, rejected commits and a maximum per commit filter the hunks', () => {
  expect(named(find(whole, 'quota', { paths: ['a.c'] })).sort()).toEqual([
    'add a.c added',
    'both a.c added',
    'both a.c both',
  ]);
  const perCommit = find(whole, 'quota', { maxPerCommit: 1 }).map(({ oid }) => oid);
  expect(new Set(perCommit).size).toBe(perCommit.length);
  const rest = find(whole, 'quota', { limit: 1, acceptsCommit: (oid) => oid === oids.add });
  expect(named(rest)).toEqual(['add a.c added']);
});

test.each([
  ['Which change removed the retry?', 'removed', 'retry'],
  ['when did parseAmount first appear', 'added', 'parseAmount'],
  ['who dropped it_all', 'removed', 'it_all'],
  ['removed by the user', undefined, 'removed by the user'],
  ['what was added', undefined, 'what was added'],
])('%s', (q, side, words) => {
  const question = parseChangeQuestion(q);
  expect(question.text.trim().replace(/\?$/, '').trim()).toBe(words);
  expect(question.side).toBe(side);
});

test('the excerpt of a long change is its matching part, with correct line numbers', () => {
  const lines = Array.from({ length: 60 }, (_, i) => ({ kind: 'add' as const, text: `line ${i + 1}` }));
  const hunk = { old_start: 1, old_lines: 0, new_start: 1, new_lines: 60, header: '', lines };
  const file = { old_path: null, new_path: 'x', binary: false, truncated: false, hunks: [hunk] };
  const place = { oldStart: 1, oldLines: 0, newStart: 1, newLines: 60 };
  const cut = excerptHunk(file, place, (text) => text === 'line 41')!;
  expect(cut.lines.map(({ text }) => text)).toContain('line 41');
  expect(cut.lines[0]!.text).toBe(`line ${cut.new_start}`);
  expect([cut.lines.length, cut.new_lines, cut.old_lines]).toEqual([10, 10, 0]);
});
