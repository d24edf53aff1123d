import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import type { RangeEnd } from '../understand/entities.ts';
import { commitsInRange } from './commit-range.ts';

let repo: TestRepository;
let index: RepositoryIndex;

/*
 * one ── two ──────── merge ── five
 *   └──── side ────────┘
 */
beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    await repo.commit({ message: 'one', files: { 'a.js': '1' }, date: '2024-01-01T00:00:00Z' });
    await repo.tag('v1');
    await repo.branch('side');
    await repo.commit({ message: 'side', files: { 'b.js': '1' }, date: '2024-01-02T00:00:00Z' });
    await repo.switch('main');
    await repo.commit({ message: 'two', files: { 'a.js': '2' }, date: '2024-01-03T00:00:00Z' });
    await repo.tag('v2');
    await repo.merge('side', { message: 'merge', date: '2024-01-04T00:00:00Z' });
    await repo.commit({ message: 'five', files: { 'a.js': '5' }, date: '2024-01-05T00:00:00Z' });
    await repo.tag('v3');
  });
  index = await indexRepository(repo.path, 'main');
});
afterAll(() => repo.remove());

const end = async (ref: string): Promise<RangeEnd> => ({ label: ref, oid: await repo.head(ref), time: 0 });
const date = (day: string): RangeEnd => ({
  label: day,
  oid: null,
  time: Date.parse(`${day}T12:00:00Z`) / 1000,
});
const subjects = (from: RangeEnd, to: RangeEnd) =>
  commitsInRange({ from, to }, index).map((commit) => index.commits.subject(commit));

test('commits that the end reaches and the start does not, as git log start..end', async () => {
  expect(subjects(await end('v1'), await end('v2'))).toEqual(['two']);
  expect(subjects(await end('v2'), await end('v3'))).toEqual(['five', 'merge', 'side']);
  expect(subjects(await end('side'), await end('v3'))).toEqual(['five', 'merge', 'two']);
  expect(subjects(await end('v3'), await end('v1'))).toEqual([]);
  expect(subjects(await end('v2'), await end('v2'))).toEqual([]);
});

test('dates bound by time, alone and together with a revision', async () => {
  expect(subjects(date('2024-01-01'), date('2024-01-03'))).toEqual(['two', 'side']);
  expect(subjects(date('2024-01-03'), await end('v3'))).toEqual(['five', 'merge']);
});

test('a revision that the head does not reach counts by its time', () => {
  const unknown = { label: 'v9', oid: 'f'.repeat(40), time: date('2024-01-03').time };
  expect(subjects(unknown, { ...date('2024-02-01'), oid: index.revision })).toEqual(['five', 'merge']);
});
