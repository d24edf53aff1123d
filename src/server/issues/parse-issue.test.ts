import { expect, test } from 'vitest';
import { parseComment } from './parse-comment.ts';
import { parseExport } from './parse-export.ts';
import { parseIssue } from './parse-issue.ts';

const OID = 'a'.repeat(40);
const GITHUB_ISSUE = {
  number: 7,
  title: 'Crash on empty input',
  body: 'It fails',
  state: 'closed',
  user: { login: 'ada' },
  labels: [{ name: 'bug' }],
  html_url: 'https://github.com/a/b/issues/7',
  created_at: '2024-01-01T00:00:00Z',
  updated_at: '2024-02-01T00:00:00Z',
  closed_at: '2024-02-01T00:00:00Z',
};
const GITHUB_PULL = {
  number: 8,
  title: 'Fix the crash',
  body: null,
  state: 'closed',
  merged_at: '2024-02-01T00:00:00Z',
  merge_commit_sha: OID,
  head: { ref: 'fix/7-crash' },
};
const GITLAB_REQUEST = {
  iid: 9,
  title: 'Retry',
  description: 'Closes #7',
  state: 'merged',
  source_branch: 'retry',
  author: { username: 'bea' },
  labels: ['net'],
  squash_commit_sha: OID,
};
const MIGRATED = {
  type: 'pull_request',
  url: 'https://github.com/a/b/pull/12',
  user: 'https://github.com/ada',
  title: 'Old',
  body: 'x',
  merged_at: null,
  closed_at: null,
};

test('items of every host become one form', () => {
  expect(parseIssue(GITHUB_ISSUE)).toEqual({
    kind: 'issue',
    number: 7,
    title: 'Crash on empty input',
    body: 'It fails',
    state: 'closed',
    author: 'ada',
    labels: ['bug'],
    branch: null,
    merge_commit: null,
    created_at: '2024-01-01T00:00:00.000Z',
    updated_at: '2024-02-01T00:00:00.000Z',
    closed_at: '2024-02-01T00:00:00.000Z',
    comment_count: null,
    comments: [],
  });
  expect(parseIssue(GITHUB_PULL)).toMatchObject({
    kind: 'pull_request',
    state: 'merged',
    branch: 'fix/7-crash',
    merge_commit: OID,
    body: '',
  });
  expect(parseIssue(GITLAB_REQUEST)).toMatchObject({
    kind: 'pull_request',
    number: 9,
    author: 'bea',
    branch: 'retry',
    merge_commit: OID,
    labels: ['net'],
  });
  expect(parseIssue(MIGRATED)).toMatchObject({
    kind: 'pull_request',
    number: 12,
    state: 'open',
    author: 'ada',
  });
});

test.each([
  ['nothing', null],
  ['a text', 'x'],
  ['no number', { title: 'x' }],
  ['no title', { number: 1 }],
  ['a title of spaces', { number: 1, title: '  ' }],
  ['a number that is none', { number: '1 or 1=1', title: 'x' }],
  ['a negative number', { number: -1, title: 'x' }],
  ['a huge number', { number: 1e12, title: 'x' }],
])('%s is no issue', (_, value) => {
  expect(parseIssue(value)).toBeNull();
});

test('hostile fields are bounded and storable', () => {
  const issue = parseIssue({
    number: 1,
    title: `a\0b${'x'.repeat(10_000)}`,
    body: `\ud800${'y'.repeat(100_000)}`,
    labels: Array.from({ length: 1000 }, (_, index) => ({ name: `l${index}` })),
    user: { login: { toString: 'x' } },
    created_at: '+275760-09-13',
    updated_at: 5,
    merge_commit_sha: '--upload-pack=x',
    head: { ref: '\n\n' },
    state: 'merged',
  })!;
  expect(issue.title).toHaveLength(500);
  expect(issue.title).not.toContain('\0');
  expect(issue.body.length).toBeLessThanOrEqual(16_000);
  expect(issue.body.isWellFormed()).toBe(true);
  expect(issue.labels).toHaveLength(20);
  expect(issue).toMatchObject({
    author: null,
    created_at: null,
    updated_at: null,
    merge_commit: null,
    branch: null,
  });
});

const numbers = async (text: string) => (await parseExport(Buffer.from(text))).map(({ number }) => number);

test('an export is one array, arrays in a row, lines of JSON, or an object of arrays', async () => {
  const [one, two] = [JSON.stringify(GITHUB_ISSUE), JSON.stringify(GITHUB_PULL)];
  expect(await numbers(`[${one},${two}]`)).toEqual([7, 8]);
  expect(await numbers(`[${one}][${two}]\n`)).toEqual([7, 8]);
  expect(await numbers(`[[${one}],[${two}]]`)).toEqual([7, 8]);
  expect(await numbers(`${one}\n${two}\n`)).toEqual([7, 8]);
  expect(await numbers(`\uFEFF{"issues":[${one}],"pull_requests":[${two}],"version":1}`)).toEqual([7, 8]);
  expect(await numbers(`{"number":3,"title":"]}\\"["}`)).toEqual([3]);
});

test.each([
  ['', 'issues_file_empty'],
  ['[]', 'issues_file_empty'],
  ['[{"number":1}]', 'issues_file_empty'],
  ['number,title\n1,x', 'issues_file_unreadable'],
  ['[{"number":1,"title":"x"}', 'issues_file_unreadable'],
  ['{"number":1,"title":"x', 'issues_file_unreadable'],
  ['['.repeat(100_000), 'issues_file_unreadable'],
  [`[${'[],'.repeat(1_100_000)}[]]`, 'body_too_many_values'],
  ['{"number":1,"title":nope}', 'issues_file_unreadable'],
])('the file %.30j is refused', async (text, messageKey) => {
  await expect(parseExport(Buffer.from(text))).rejects.toMatchObject({ messageKey });
});

test('comments of an export come with their issue, with ids of the host where they have them', () => {
  const link = 'https://github.com/a/b/issues/7#issuecomment-99';
  const comments = [
    {
      id: 'IC_kwDO',
      author: { login: 'bea' },
      body: 'Fixed in 2.1',
      createdAt: '2024-01-02T00:00:00Z',
      url: link,
    },
    { user: { login: 'bot' }, body: '  ' },
    { body: 'changed the label', system: true },
    'no comment',
    { body: 'Without an id' },
  ];
  const issue = { kind: 'issue', number: 7 };
  const time = '2024-01-02T00:00:00.000Z';
  expect(parseIssue({ ...GITHUB_ISSUE, comments })).toMatchObject({
    body: 'It fails',
    comment_count: null,
    comments: [
      { ...issue, id: '99', author: 'bea', body: 'Fixed in 2.1', created_at: time, updated_at: time },
      { ...issue, id: 'file-4', author: null, body: 'Without an id', created_at: null, updated_at: null },
    ],
  });
  expect(parseIssue({ ...GITHUB_ISSUE, comments: 3 })).toMatchObject({ comment_count: 3, comments: [] });
  const notes = Array.from({ length: 500 }, () => ({ author: { username: 'bea' }, note: 'x'.repeat(9_000) }));
  const long = parseIssue({ iid: 1, title: 'Long', notes })!.comments;
  expect(long).toHaveLength(50);
  expect(long.every(({ body }) => body.length <= 4_000)).toBe(true);
});

test.each([
  ['https://github.com/a/b/issues/7#issuecomment-1', { kind: 'issue', number: 7 }],
  ['https://github.com/a/b/pull/8#issuecomment-1', { kind: 'pull_request', number: 8 }],
  ['https://gitea.example/issues/12/pulls/9#issuecomment-1', { kind: 'pull_request', number: 9 }],
  ['https://host/', null],
  [{ toString: 'x' }, null],
])('a comment at %j belongs to %j', (html_url, expected) => {
  const comment = parseComment({ id: 1, body: 'x', html_url });
  expect(comment && { kind: comment.kind, number: comment.number }).toEqual(expected);
});

test.each([
  ['nothing', null],
  ['an array', []],
  ['no text', { id: 1, body: '' }],
  ['no id', { body: 'x' }],
  ['an id that is none', { id: '1 or 1=1', body: 'x' }],
  ['a note of the system', { id: 1, body: 'x', system: true }],
])('%s is no comment', (_, value) => {
  expect(parseComment(value, { kind: 'issue', number: 1 })).toBeNull();
});
