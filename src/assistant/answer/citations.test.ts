import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { indexRepository } from '#memory/testing.ts';
import {
  citeCommit,
  citeLines,
  isResolvable,
  parseCitations,
  readCitedText,
  strikeUnresolvedCitations,
} from './citations.ts';
import { citeFrom } from './issue-record.ts';

let repository: TestRepository;
let index: RepositoryIndex;
let first: string;
let head: string;

beforeAll(async () => {
  repository = await buildRepository(async (repo) => {
    first = await repo.commit({ files: { 'src/a b.ts': 'one\ntwo\nthree' } });
    head = await repo.commit({ files: { 'src/a b.ts': 'one\n' } });
  });
  index = await indexRepository(repository.path, 'main');
});
afterAll(() => repository.remove());

const cite = (path: string, from: number, to: number, commit: string) =>
  citeLines({ path, from, to, commit }, index.commits);

test('citations are parsed from code spans, not from fenced code', () => {
  const hash = 'a1b2c3d4e5f6';
  const text = `See \`src/x.ts:3-9 @ ${hash}\` and \`${hash}\`, \`f(x)\`, \`defaced\`.\n\n\`\`\`diff\n\`${hash}\`\n\`\`\`\nEnd \`y.py:7 @ ${hash}\``;
  expect(parseCitations(text)).toEqual([
    { kind: 'lines', path: 'src/x.ts', from: 3, to: 9, commit: hash },
    { kind: 'commit', hash },
    { kind: 'lines', path: 'y.py', from: 7, to: 7, commit: hash },
  ]);
});

test('formatted citations parse and resolve, at any commit', async () => {
  const text = `${citeCommit(first, index.commits)} ${cite('src/a b.ts', 2, 3, first)} ${cite('src/a b.ts', 1, 1, head)}`;
  const found = parseCitations(text);
  expect(found).toHaveLength(3);
  for (const citation of found) {
    expect(await isResolvable(citation, { repo: repository.path, index })).toBe(true);
  }
  expect(await strikeUnresolvedCitations(text, { repo: repository.path, index })).toBe(text);
});

test('citations of unknown commits, files and lines are struck out', async () => {
  const text = [
    '`0123456789ab`',
    cite('src/a b.ts', 2, 3, head),
    cite('src/a b.ts', 3, 4, first),
    cite('src/none.ts', 1, 1, first),
    cite('src', 1, 1, first),
    cite('../../etc/passwd', 1, 1, first),
  ].join('\n');
  const struck = await strikeUnresolvedCitations(text, { repo: repository.path, index });
  expect(struck.split('\n').every((line) => line.startsWith('~~') && line.endsWith('~~'))).toBe(true);
});

test('numbers are citations of the issues that are imported, and text where none are', async () => {
  const issue = { kind: 'issue' as const, number: 7, title: 'x', body: 'y', state: 'open' as const };
  const issues = [{ ...issue, comments: 'ada: z', author: null, updatedAt: null, commits: [] }];
  const citableIssues = citeFrom(issues);
  const strike = (text: string, more = {}) =>
    strikeUnresolvedCitations(text, { repo: repository.path, index, ...more });
  expect(await strike('`#7`, `!8`, #9', { citableIssues })).toBe('`#7`, ~~!8~~, #9');
  expect(await strike('`#8`')).toBe('`#8`');
  expect(
    await readCitedText({ kind: 'issue', number: 7 }, { repo: repository.path, index, citableIssues }),
  ).toBe('x\n\ny\n\nada: z');
});
