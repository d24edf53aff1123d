import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

const words = (terms: { term: string }[]) => terms.map(({ term }) => term);

test('identifiers count whole and in parts, repeats count more but not in proportion', () => {
  const { terms } = parseQuery('getUserName, getUserName, user');
  expect(words(terms)).toEqual(['getusername', 'get', 'user', 'nam']);
  const [whole, , user] = terms;
  expect(user!.count).toBe(3);
  expect(user!.weight).toBeGreaterThan(whole!.weight);
  expect(user!.weight).toBeLessThan(1.5 * whole!.weight);
});

test('words that say nothing are passed over, unless there are no others', () => {
  expect(words(parseQuery('why is it that the lease lapses').terms)).toEqual(['leas', 'laps']);
  expect(words(parseQuery('why is it').terms)).toEqual(['why', 'is', 'it']);
});

test('takes a report apart into title, code, backticks and prose; an unpaired backtick opens nothing', () => {
  const { zones: views } = parseQuery(
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
  expect(words(views.title)).toEqual(['reply', 'hang']);
  expect(words(views.blocks)).toEqual(['const', 'alpha', '1', 'bravo']);
  expect(words(views.quoted)).toEqual(['sendfile', 'send', 'fil']);
  expect(words(views.prose)).toContain('twic');
});

test.each([
  ['V8', '    at Reply.send (/app/lib/reply.js:10:5)'],
  ['V8 without indentation', 'at Reply.send (/app/lib/reply.js:10:5)'],
  ['Python', '  File "/app/reply.py", line 3, in send'],
  ['Go', 'main.go:12 +0x1d'],
])('a line of a %s trace is code, not prose', (_, line) => {
  const { zones: views } = parseQuery(`Boom\n${line}`);
  expect(views.blocks.length).toBeGreaterThan(0);
  expect(words(views.prose)).toEqual(['boom']);
});

test('a very long text is read at both ends, since traces end with their cause', () => {
  const { terms } = parseQuery(`alpha ${'filler '.repeat(50_000)} omega`);
  expect(words(terms)).toEqual(expect.arrayContaining(['alpha', 'omega']));
});

test('a text without words has no terms', () => {
  for (const text of ['', '   ', '(((', '\0', '!?"\'']) expect(parseQuery(text).terms).toEqual([]);
});
