import { expect, test } from 'vitest';
import { changedWords } from './changed-words.ts';

function hunkOf(...lines: string[]) {
  const kinds = { '+': 'add', '-': 'delete', ' ': 'context' } as const;
  return {
    ...{ old_start: 1, old_lines: 1, new_start: 1, new_lines: 1, header: '' },
    lines: lines.map((line) => ({ kind: kinds[line[0] as '+'], text: line.slice(1) })),
  };
}

const marked = (...lines: string[]) =>
  changedWords(hunkOf(...lines)).map((range, i) => range && lines[i]?.slice(1).slice(...range));

test('the changed words of a line are marked on both sides', () => {
  expect(marked(' a', '-x = Pony.resolve()', '+x = Promise.resolve()', ' b')).toEqual([
    null,
    'Pony',
    'Promise',
    null,
  ]);
});

test('an insertion marks the added text alone', () => {
  expect(marked('-call(first)', '+call(first, second)')).toEqual([null, ', second']);
});

test('lines that have little in common are not compared', () => {
  expect(marked('-const a = 1;', '+while (true) stop();')).toEqual([null, null]);
});

test('additions without a deletion have no marks', () => {
  expect(marked('+a', '+b', '-c')).toEqual([null, null, null]);
});
