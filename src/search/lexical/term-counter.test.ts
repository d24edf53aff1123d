import { expect, test } from 'vitest';
import { terms } from '#memory/tokens.ts';
import { TermCounter } from './term-counter.ts';
import { currentWordTable } from './word-table.ts';

type WordTable = ReturnType<typeof currentWordTable>;

const TEXTS = [
  'parseHTTPResponse_v2(value); // parses the HTTP response, twice: parses',
  'das Maß über größere Flächen; 数据库连接失败 и ещё раз: größere',
  `${'x'.repeat(65)} ${'AVeryLongNameOfAThing'.repeat(6)} 0123456789abcdef0123456789abcdef`,
  '',
  '😀 𠮷野家 e\u0301 \ud800',
];
const WANTED = [
  'response',
  'respons',
  'pars',
  'http',
  'größere',
  '连接',
  'thing',
  '0123456789abcdef0123456789abcdef',
];

test.each([
  ['a table that has room', () => {}],
  ['one that has had room for nothing more', () => fill(currentWordTable())],
])('counts the same terms as tokenizing the whole text, with %s', (_, prepare) => {
  const counter = new TermCounter(WANTED);
  prepare();
  for (const text of [...TEXTS, TEXTS.join('\n')]) {
    const counted = { counts: new Map<string, number>(), length: 0 };
    counter.count(text, counted);
    const all = terms(text);
    const present = [...new Set(all)].filter((term) => WANTED.includes(term));
    expect(counted.length, text).toBe(all.length);
    expect([...counted.counts]).toEqual(
      present.map((term) => [term, all.filter((one) => one === term).length]),
    );
  }
});

test('a nearly full table is replaced, and its entries stay unchanged', () => {
  const before = currentWordTable();
  const word = before.findOrInsert('lastWord', 0, 8, 1);
  fill(before);
  expect(currentWordTable()).not.toBe(before);
  expect(before.findOrInsert('lastWord', 0, 8, 1)).toBe(word);
});

/** Inserts words into a table until it is full. */
function fill(table: WordTable): void {
  for (let n = 0; n < 1 << 17; n++) {
    const word = `w${n.toString(36)}q`;
    if (table.findOrInsert(word, 0, word.length, Math.imul(n, 0x9e3779b1) >>> 0) < 0) return;
  }
  throw new Error('The table never filled up.');
}
