import type { Root } from 'mdast';
import { expect, test } from 'vitest';
import { hostIssueUrl } from './code-host.ts';
import { splitHostReferences } from './host-references.ts';
import { linkIssueNumbers } from './markdown-issues.ts';

const HASH = `${'a'.repeat(39)}1`;

test.each([
  ['Fix the crash (#12)', ['#12']],
  ['#1, #2 and !3', ['#1', '#2', '!3']],
  [`as in ${HASH}.`, [HASH]],
  ['owner/name#12 &#39; ##3 #0 #12.5 a#4 #12345678901 #1a', []],
  ['', []],
])('%j refers to %j', (text, expected) => {
  const parts = splitHostReferences(text);
  expect(parts.filter(({ reference }) => reference).map((part) => part.text)).toEqual(expected);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test.each([
  ['https://github.com/a/b', 'issue', 'https://github.com/a/b/issues/12'],
  ['https://github.com/a/b', 'pull_request', 'https://github.com/a/b/pull/12'],
  ['git@gitlab.com:a/b.git', 'issue', 'https://gitlab.com/a/b/-/issues/12'],
  ['git@gitlab.com:a/b.git', 'pull_request', 'https://gitlab.com/a/b/-/merge_requests/12'],
  ['https://codeberg.org/a/b', 'pull_request', 'https://codeberg.org/a/b/pulls/12'],
  ['https://git.example.org/a/b', 'issue', null],
] as const)('at %s the %s 12 is %j', (gitUrl, kind, url) => {
  expect(hostIssueUrl(gitUrl, { kind, number: 12 })).toBe(url);
});

test('numbers in the text of an answer become links, those in code and links stay', () => {
  const text = (value: string) => ({ type: 'text' as const, value });
  const tree: Root = {
    type: 'root',
    children: [
      {
        type: 'paragraph',
        children: [
          text('See #12.'),
          { type: 'inlineCode', value: '#13' },
          { type: 'link', url: 'https://x.example', children: [text('#14')] },
        ],
      },
    ],
  };
  linkIssueNumbers({ gitUrl: 'https://github.com/a/b' })(tree);
  expect(JSON.stringify(tree).match(/github\.com[^"]*/g)).toEqual(['github.com/a/b/issues/12']);
});
