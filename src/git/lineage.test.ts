import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineage } from './lineage.ts';
import { buildRepository, type TestRepository } from './testing.ts';

const SEND = `export function sendLetters(letters) {
  const undelivered = letters.filter((letter) => !deliver(letter));
  if (undelivered.length > 0) remember(undelivered);
  return letters.length - undelivered.length;
}
`;
const OTHER = Array.from({ length: 30 }, (_, line) => `export const other${line} = ${line};\n`).join('');

let repository: TestRepository;
const made: Record<string, string> = {};

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    made.written = await repo.commit({ files: { 'all.js': OTHER + SEND, 'post.js': 'let post;\n' } });
    made.changed = await repo.commit({
      files: { 'all.js': OTHER + SEND.replace('!deliver(letter)', 'deliver(letter) === false') },
    });
    made.moved = await repo.commit({
      files: {
        'all.js': OTHER,
        'post.js': `let post;\n\n${SEND.replace('!deliver(letter)', 'deliver(letter) === false')}`,
      },
    });
    await repo.rename('post.js', 'letters/post.js');
  });
});
afterAll(() => repository.remove());

test('lines are followed into the file that they came from', async () => {
  const commit = await repository.head();
  const request = { commit, path: 'letters/post.js', from: 3, to: 7, maxCommits: 50 };
  const found = await lineage(repository.path, request);
  expect(found.map(({ oid, path }) => [oid, path])).toEqual([
    [made.moved, 'post.js'],
    [made.changed, 'all.js'],
    [made.written, 'all.js'],
  ]);
  expect(await lineage(repository.path, { ...request, maxCommits: 2 })).toHaveLength(2);
});

test('lines that were written where they are end there', async () => {
  const commit = await repository.head();
  const found = await lineage(repository.path, { commit, path: 'all.js', from: 1, to: 5, maxCommits: 50 });
  expect(found.map(({ oid }) => oid)).toEqual([made.written]);
});
