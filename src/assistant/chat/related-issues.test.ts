import { expect, test } from 'vitest';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { IssueRecord } from '../answer/issue-record.ts';
import type { ToolContext } from '../tools/tool.ts';
import { addIssues, listNamedIssues } from './related-issues.ts';

const record = (number: number, body = '', comments = ''): IssueRecord => ({
  ...{ kind: 'issue', number, title: `Title ${number}`, body, state: 'open', author: null, commits: [] },
  ...{ comments, updatedAt: null },
});
const issues = [record(7, 'It ```fails```'), record(12, '', 'kim: ```me too```')];
const context = { now: 0, index: { commits: {} } as unknown as RepositoryIndex } as ToolContext;

test.each([
  ['What is #7 about?', [7]],
  ['see GH-12 and https://github.com/a/b/issues/7', [7, 12]],
  ['#71 or 7', []],
  ['', []],
])('%j names %j', (question, expected) => {
  expect(listNamedIssues(question, issues).map(({ number }) => number)).toEqual(expected);
});

test('named issues come first, with their text in a fence of its own; related ones follow as a list', () => {
  const named = addIssues('The answer.', { named: [issues[0]!] }, context);
  expect(named).toBe('`#7` “Title 7” (issue, open)\n\n````text\nIt ```fails```\n````\n\nThe answer.');
  const discussed = addIssues('The answer.', { named: [issues[1]!] }, context);
  expect(discussed).toBe(
    '`#12` “Title 12” (issue, open)\n\nComments:\n\n````text\nkim: ```me too```\n````\n\nThe answer.',
  );
  const related = addIssues('The answer.', { named: [], related: issues }, context);
  expect(related).toMatch(/^The answer\.\n\n.*:\n\n- `#7` .*\n- `#12` .*$/);
  expect(addIssues('The answer.', { named: [] }, context)).toBe('The answer.');
});
