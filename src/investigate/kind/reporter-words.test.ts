import { expect, test } from 'vitest';
import { isWhollyProse, namesRelease, readReporterWords, reporterLines } from './reporter-words.ts';

test('sentences of a reporter are separate from the output of programs', () => {
  const text = `Our import stops at the second row, the old version read it:

$ shop import rows.csv
Traceback (most recent call last):
  File "shop/rows.py", line 3, in read
    return self.parse(row, mode, strict)
shop: rows.csv: the second row has no price
ValueError: the second row has no price
the second row has no price at all`;
  expect(reporterLines(text, 'the second row has no price at all')).toEqual([text.split('\n')[0]]);
});

test.each([
  ['"small" is in the list, as one can see!', 'claims'],
  ['The old script works with the other shell:', 'claims'],
  ['What do I have to write here instead?', 'asked'],
  ['How can I allow both of them', 'asked'],
  ['I added one row by hand to the export', 'ownChange'],
])('%s: %s', (line, sign) => {
  expect(Object.entries(readReporterWords(line)).filter(([, value]) => value === 1)).toEqual([[sign, 1]]);
});

test.each([
  ['An empty string was an empty cart with 3.4.2', true],
  ['Two flags of this kind, with 1.15 it starts.', true],
  ['Our new image has Lua 5.4 in it', false],
  ['13.05.2018 is a date where I live', false],
  ['shop 1.15.0 ready', false],
])('%s: names a release: %s', (line, expected) => {
  expect(namesRelease(`${line}\n\n$ shop import rows.csv`)).toBe(expected);
});

test.each([
  ['The page stays empty since Monday.\nNothing was changed on our side, please help!', true],
  ["Cannot read properties of undefined (reading 'trim')", false],
  ['The page stays empty since Monday.\n\nGET /cart 500', false],
])('%j is prose: %s', (text, expected) => {
  expect(isWhollyProse(text)).toBe(expected);
});

test.each([
  'shop: error: the list is not in the file',
  '    return self.parse(row) if row is fine else None',
  'expected one argument',
])('%s: no sign', (line) => {
  expect(Object.values(readReporterWords(line))).toEqual([0, 0, 0]);
});
