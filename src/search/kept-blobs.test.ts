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

test('keeps readers of a few repositories, and opens again what it has closed', async () => {
  const others = await Promise.all(
    ['x', 'y', 'z'].map((text) =>
      buildRepository(async (other) => void (await other.commit({ files: { 'a.txt': text } }))),
    ),
  );
  const oid = (await git(others[0]!.path, ['rev-parse', 'HEAD:a.txt'], { name: 'rev-parse' })).stdout;
  for (const other of [...others, others[0]!]) {
    const found = await readKept(other.path, oid.toString().trim(), 100);
    expect(found !== null).toBe(other === others[0]);
  }
  const later = await repo.commit({ files: { 'c.txt': 'third\n' } });
  expect(later).toBeTruthy();
  expect(await textOf(await oidOf('c.txt'))).toBe('third\n');
  await Promise.all(others.map((other) => other.remove()));
});
