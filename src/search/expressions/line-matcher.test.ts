import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grep } from '#git/grep.ts';
import { buildRepository, type TestRepository } from '#git/testing.ts';
import { measureCpuMs } from '#scheduling/testing-cpu-time.ts';
import { ExpressionTooCostly } from './lazy-automaton.ts';
import { createRegexMatcher, createTextMatcher, findMatchingLines } from './line-matcher.ts';

const WORDS = ['abc', 'aab', 'x_1 ab', 'ABC', 'a.c', 'éa b', '', 'ba(c)', 'a-b', 'bbb aaa', ' x'];
const TEXT = Array.from({ length: 80 }, (_, i) =>
  [1, 3, 7].map((step) => WORDS[(i * step + step) % WORDS.length]).join(i % 3 ? ' ' : ''),
).join('\n');

let repo: TestRepository;
let head: string;
beforeAll(async () => {
  repo = await buildRepository(async (building) => {
    head = await building.commit({ files: { 'a.txt': TEXT } });
  });
});
afterAll(() => repo.remove());

test('lines and marks are those of git', async () => {
  const atoms = ['a', 'b', 'c', 'x', ' ', '.', '[ab]', '[^a]', '[[:alpha:]]', '\\.', '\\w', '[^[:space:]]'];
  const core = fc.letrec((tie) => ({
    whole: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...atoms),
      fc.array(tie('whole'), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
      fc.tuple(tie('whole'), tie('whole')).map((parts) => `(${parts.join('|')})`),
      fc.tuple(tie('whole'), fc.constantFrom('*', '+', '?', '{1,2}', '{2}')).map(([a, b]) => `(${a})${b}`),
    ),
  })).whole as fc.Arbitrary<string>;
  // Git is wrong about ends of words inside of repetitions.
  const expression = fc
    .tuple(fc.constantFrom('', '', '^', '\\b', '\\<'), core, fc.constantFrom('', '', '$', '\\b', '\\>'))
    .map((parts) => parts.join(''));
  const lines = TEXT.split('\n');
  await fc.assert(
    fc.asyncProperty(expression, async (regex) => {
      const matcher = createRegexMatcher(regex)!;
      const options = { maxMatches: 1_000, timeoutMs: 20_000, marks: true };
      const expected = await grep(repo.path, head, { regex }, options);
      const found = findMatchingLines(matcher, Buffer.from(TEXT), 1_000);
      expect(found).toEqual(expected.map(({ line }) => line));
      // Git marks parts of characters, nothing after a match without characters, and takes the end of a match for a start.
      for (const { line, marks = [] } of /[\\^$]/.test(regex) ? [] : expected)
        if (!lines[line - 1]!.includes('é'))
          expect(matcher.mark(lines[line - 1]!).slice(0, marks.length)).toEqual(marks);
    }),
    { numRuns: 50 },
  );
}, 60_000);

test('expressions of common dialects are read', () => {
  const find = (expression: string, text: string) =>
    findMatchingLines(createRegexMatcher(expression)!, Buffer.from(text), 10);
  expect(find('(?i)hello', 'HELLO\nhullo\nHello')).toEqual([1, 3]);
  expect(find('v\\d+\\.\\d', 'v1\nv12.3')).toEqual([2]);
  expect(find('(?:ab|cd)ef', 'abef\ncdef\nef')).toEqual([1, 2]);
  expect(find('a{3}$', 'aa\naaab\nbaaa')).toEqual([3]);
  expect(createRegexMatcher('été')!.mark('un été')).toEqual([[3, 6]]);
  for (const unsupported of ['(a)\\1', '(', 'a{2,1}', '[z-a]', '(a{99}){99}'])
    expect(createRegexMatcher(unsupported), unsupported).toBeNull();
});

test('texts are found line by line, also in the last line without an end', () => {
  const matcher = createTextMatcher('a.c');
  expect(findMatchingLines(matcher, Buffer.from('abc\na.c a.c\n\nxa.c'), 10)).toEqual([2, 4]);
  expect(findMatchingLines(matcher, Buffer.from('a.c\na.c\na.c'), 2)).toEqual([1, 2]);
  expect(matcher.mark('a.c a.c')).toEqual([
    [0, 3],
    [4, 7],
  ]);
});

test('hostile expressions end early', async () => {
  let seed = 1;
  const random = Buffer.alloc(300_000).map(() => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return 97 + ((seed >>> 16) % 2);
  });
  const find = () => {
    expect(findMatchingLines(createRegexMatcher('(a+)+c')!, Buffer.alloc(1e6, 97), 10)).toEqual([]);
    expect(() =>
      findMatchingLines(createRegexMatcher('(a|b)*a(a|b){60}c')!, Buffer.from(random), 10),
    ).toThrow(ExpressionTooCostly);
  };
  expect(await measureCpuMs(find)).toBeLessThan(5_000);
});
