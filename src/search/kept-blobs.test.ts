import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git } from '#git/run.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { readKept } from './kept-blobs.ts';

let repo: TestRepository;

beforeAll(async () => {
  repo = await buildRepository(async (repository) => {
    await repository.commit({ files: { 'a.txt': 'first\n', 'b.txt': 'second\n' } });
  });
});

afterAll(() => repo.remove());

const oidOf = async (path: string) =>
  (await git(repo.path, ['rev-parse', `HEAD:${path}`], { name: 'rev-parse' })).stdout.toString().trim();

async function textOf(oid: string, maxBytes = 100): Promise<string | number | null> {
  const found = await readKept(repo.path, oid, maxBytes);
  return found && ('content' in found ? found.content.toString() : found.tooLarge);
}

test('reads contents side by side, and the same ones again without the repository', async () => {
  const [a, b] = [await oidOf('a.txt'), await oidOf('b.txt')];
  expect(await Promise.all([textOf(a), textOf(b), textOf(a)])).toEqual(['first\n', 'second\n', 'first\n']);
  expect(await textOf(a, 3)).toBe(6);
  expect(await textOf('0'.repeat(40))).toBeNull();
});

test('finds what lies in another repository that has taken the place of the first', async () => {
  await textOf(await oidOf('a.txt'));
  const moved = `${repo.path}.moved`;
  cpSync(repo.path, moved, { recursive: true });
  rmSync(repo.path, { recursive: true });
  cpSync(moved, repo.path, { recursive: true });
  rmSync(moved, { recursive: true });
  const later = await repo.commit({ files: { 'c.txt': 'third\n' } });
  expect(later).toMatch(/^[0-9a-f]{40}$/);
  expect(await textOf(await oidOf('c.txt'))).toBe('third\n');
});
