import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BigramReader, bigramsOf, createFilter, filterBytes, filterContains } from './bigram-filter.ts';
import { DECODED_LENGTHS, encodeLength } from './hunk.ts';

const word = fc.constantFrom('a', 'if', 'entry', 'value_2', 'naïve', '日本', '7', 'é');
const separator = fc.constantFrom(' ', '->', '(', ', ', '\t', ' – ', '::', ' && !');
const line = fc
  .array(fc.tuple(separator, word, fc.boolean()), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.map(([between, text, isJoined]) => (isJoined ? text : between + text)).join(''));

function filterOf(lines: string[], bytes: number): Uint8Array {
  const reader = new BigramReader();
  for (const line of lines.map((text) => Buffer.from(text))) reader.read(line, 0, line.length);
  return createFilter(bytes, reader.take());
}

test('a filter contains the bigrams of every part of its lines', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.nat(200),
      fc.nat(200),
      fc.nat(60),
      (lines, from, length, bytes) => {
        const filter = filterOf(lines, bytes);
        for (const line of lines) {
          // By code points: half of a surrogate pair is not in the bytes.
          const part = Array.from(line).slice(from % line.length, (from % line.length) + length);
          expect(filterContains(filter, bigramsOf(part.join('')))).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('tells words in another order, with other separators or in another case apart', () => {
  const filter = filterOf(['if (entry->value) {', 'return other.next;'], 64);
  const contains = (text: string) => filterContains(filter, bigramsOf(text));
  expect(['if (entry', 'try->value)', 'r.next'].map(contains)).toEqual([true, true, true]);
  expect(['value->entry', 'entry.value', 'ENTRY->VALUE', 'entry->next'].map(contains)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('the size of a filter survives rounding the lengths of a hunk once more', () => {
  const changed: number[] = [];
  for (let length = 0; length < 70_000; length++) {
    const code = encodeLength(length);
    if (encodeLength(Math.round(DECODED_LENGTHS[code]!)) !== code) changed.push(length);
  }
  expect(changed).toEqual([]);
  expect([filterBytes(0, encodeLength(9)), filterBytes(0, encodeLength(10))]).toEqual([0, 1]);
});
