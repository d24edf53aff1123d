import { expect, test } from 'vitest';
import { hostCommitUrl, hostFileUrl, pullRequestNumber, pullRequestUrl } from './code-host.ts';

test.each([
  ['Use the native call (#6631)\n\nBody', 6631],
  ['Merge pull request #12 from a/b', 12],
  ['src: fix\n\nPR-URL: https://github.com/nodejs/node/pull/345', 345],
  ['Merge branch a\n\nSee merge request group/project!9', 9],
  ['Fix #7 at last', null],
  ['', null],
])('the message %j names the pull request %j', (message, number) => {
  expect(pullRequestNumber(message)).toBe(number);
});

test.each([
  ['https://github.com/fastify/fastify.git', 'https://github.com/fastify/fastify/pull/1'],
  ['git@github.com:a/b.git', 'https://github.com/a/b/pull/1'],
  ['https://gitlab.com/a/b/c', 'https://gitlab.com/a/b/c/-/merge_requests/1'],
  ['https://user:secret@github.com/a/b', 'https://github.com/a/b/pull/1'],
  ['https://github.com.evil.example/a/b', null],
  ['https://github.com/a/b?c', 'https://github.com/a/b/pull/1'],
  ['https://git.example.org/a/b', null],
  ['https://gitlab.example.org/a/b', 'https://gitlab.example.org/a/b/-/merge_requests/1'],
  ['git@forgejo.example.org:a/b.git', 'https://forgejo.example.org/a/b/pulls/1'],
  ['https://gitlab.com.evil.example/a/b', null],
  ['/srv/git/a', null],
])('a pull request of %s is at %j', (gitUrl, url) => {
  expect(pullRequestUrl(gitUrl, 1)).toBe(url);
});

test('a commit has its page on the host', () => {
  expect(hostCommitUrl('https://github.com/a/b', 'abc')).toBe('https://github.com/a/b/commit/abc');
});

test('a file has its page on the host, at its lines', () => {
  const place = { path: 'lib/a b.js', revision: 'abc', from: 3, to: 5 };
  expect(hostFileUrl('https://github.com/a/b', place)).toBe(
    'https://github.com/a/b/blob/abc/lib/a%20b.js#L3-L5',
  );
  expect(hostFileUrl('https://gitlab.com/a/b', { ...place, to: 3 })).toBe(
    'https://gitlab.com/a/b/-/blob/abc/lib/a%20b.js#L3',
  );
  expect(hostFileUrl('https://git.example.org/a/b', place)).toBeNull();
});
