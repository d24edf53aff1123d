import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import { answerQuestion } from '../answer-question.ts';

let repo: TestRepository;
let index: RepositoryIndex;
let attempt: string;

beforeAll(async () => {
  repo = await buildRepository(async (repo) => {
    const write = (message: string, text: string, author = 'Ada Lovelace') =>
      repo.commit({ message, files: { 'src/pool.js': `${text}\n` }, author });
    await write('Add a connection pool', 'one');
    await repo.tag('v1.0.0');
    attempt = await write('Reuse idle sockets in the pool', 'two');
    await repo.revert(attempt, {
      message: `Revert "Reuse idle sockets in the pool"\n\nThis reverts commit ${attempt}.\n\nIt leaked descriptors.`,
    });
    await write('Fix crash when the pool is empty (#7)', 'three', 'Bea Ortiz');
    await repo.commit({
      message: 'Add a timeout option',
      files: {
        'src/options.js': 'timeout\n',
        'CHANGELOG.md': '# Changes\n\n## 1.1.0\n\n- a timeout option\n\n## 1.0.0\n\n- first\n',
      },
    });
    await repo.tag('v1.1.0');
    await write('Fix typo', 'four');
  });
  index = await indexRepository(repo.path, 'main');
});
afterAll(() => repo.remove());

const ask = async (text: string) =>
  (await answerQuestion({ text, earlier: [] }, { repo: repo.path, index, now: '2024-03-01T00:00:00Z' }))
    .answer;

test('changes between two versions quote the changelog and leave later commits out', async () => {
  const answer = await ask('What changed between v1.0.0 and v1.1.0?');
  expect(answer).toContain('Add a timeout option');
  expect(answer).toContain('CHANGELOG.md');
  expect(answer).not.toContain('Fix typo');
  expect(answer).not.toContain('Add a connection pool');
});

test.each(["What's new in it?", 'Which problems are solved in the latest release?'])(
  '%j is answered by the newest section of the changelog',
  async (question) => {
    const answer = await ask(question);
    expect(answer).toContain('a timeout option');
    expect(/`([^`\s:]+):(\d+)-/.exec(answer)?.slice(1)).toEqual(['CHANGELOG.md', '3']);
  },
);

test('fixes between two versions leave other changes out', async () => {
  const answer = await ask('Which bugs were fixed between v1.0.0 and v1.1.0?');
  expect(answer).toContain('Fix crash when the pool is empty');
  expect(answer).not.toContain('Fix typo');
});

test('an attempt is shown with the commit that reverted it and the reason', async () => {
  const answer = await ask('Has anybody tried to reuse idle sockets in the pool before?');
  expect(answer).toContain(attempt.slice(0, 7));
  expect(answer).toContain('It leaked descriptors.');
});
