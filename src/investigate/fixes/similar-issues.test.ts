import { expect, test } from 'vitest';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { findSimilarIssues, type PastIssue } from './similar-issues.ts';

const hashes = ['a'.repeat(40), 'b'.repeat(40)];
const index = { commits: { find: (hash: string) => hashes.indexOf(hash) } } as unknown as RepositoryIndex;

const issue = (fields: Partial<PastIssue>): PastIssue => ({
  ...{ kind: 'issue', number: 1, title: 'x', body: '', state: 'closed', commits: [] },
  ...fields,
});

const ERROR = `TypeError: Cannot read properties of undefined (reading 'length')
    at parse (/app/src/parse.js:10:5)`;

test('an issue whose text contains the same error is found, with its newest commit', () => {
  const reported = issue({
    number: 2,
    body: `It fails:\n\n${ERROR}\n\nThanks`,
    commits: [...hashes].reverse(),
  });
  const [found, ...others] = findSimilarIssues(ERROR, [issue({ body: 'Add a dark theme' }), reported], index);
  expect(found).toMatchObject({ issue: { number: 2 }, commit: 0 });
  expect(found!.similarity).toBeGreaterThanOrEqual(0.5);
  expect(others).toEqual([]);
});

test('a title that states the error is enough; an empty text is similar to nothing', () => {
  const title = "TypeError: Cannot read properties of undefined (reading 'length')";
  expect(findSimilarIssues(ERROR, [issue({ title })], index)).toMatchObject([{ commit: null }]);
  expect(findSimilarIssues(ERROR, [issue({ title: '', body: '' })], index)).toEqual([]);
  expect(findSimilarIssues('', [issue({ title })], index)).toEqual([]);
});
