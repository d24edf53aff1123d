import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

const words = (terms: { term: string }[]) => terms.map(({ term }) => term);

test('identifiers yield the whole and its parts, and weights grow sublinearly with counts', () => {
  const { terms } = parseQuery('getUserName, getUserName, user');
  expect(words(terms)).toEqual(['getusername', 'get', 'user', 'nam']);
  const [whole, , user] = terms;
  expect(user!.count).toBe(3);
  expect(user!.weight).toBeGreaterThan(whole!.weight);
  expect(user!.weight).toBeLessThan(1.5 * whole!.weight);
});

test('stop words are dropped unless the text has nothing else', () => {
  expect(words(parseQuery('why is it that the lease lapses').terms)).toEqual(['leas', 'laps']);
  expect(words(parseQuery('why is it').terms)).toEqual(['why', 'is', 'it']);
});

test('splits a report into title, code blocks, inline code and prose; an unpaired backtick is ignored', () => {
  const { zones } = parseQuery(
    [
      'Reply hangs',
      '',
      'When `sendFile` is called `twice',
      '```js',
      'const alpha = 1',
      '```',
      '    bravo()',
    ].join('\n'),
  );
  expect(words(zones.title)).toEqual(['reply', 'hang']);
  expect(words(zones.codeBlocks)).toEqual(['const', 'alpha', '1', 'bravo']);
  expect(words(zones.inlineCode)).toEqual(['sendfile', 'send', 'fil']);
  expect(words(zones.prose)).toContain('twic');
});

test.each([
  ['V8', '    at Reply.send (/app/lib/reply.js:10:5)'],
  ['V8 without indentation', 'at Reply.send (/app/lib/reply.js:10:5)'],
  ['Python', '  File "/app/reply.py", line 3, in send'],
  ['Go', 'main.go:12 +0x1d'],
])('a line of a %s trace is a code block, not prose', (_, line) => {
  const { zones } = parseQuery(`Boom\n${line}`);
  expect(zones.codeBlocks.length).toBeGreaterThan(0);
  expect(words(zones.prose)).toEqual(['boom']);
});

test('a very long text is truncated in the middle, since traces end with their cause', () => {
  const { terms } = parseQuery(`alpha ${'filler '.repeat(50_000)} omega`);
  expect(words(terms)).toEqual(expect.arrayContaining(['alpha', 'omega']));
});

test('a text without words has no terms', () => {
  for (const text of ['', '   ', '(((', '\0', '!?"\'']) expect(parseQuery(text).terms).toEqual([]);
});
