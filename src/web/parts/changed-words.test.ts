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
  changedWords(hunkOf(...lines)).map((ranges, i) =>
    ranges.map((range) => lines[i]?.slice(1).slice(...range)),
  );

test('the changed words of a line are marked on both sides', () => {
  expect(marked(' a', '-x = Pony.resolve()', '+x = Promise.resolve()', ' b')).toEqual([
    [],
    ['Pony'],
    ['Promise'],
    [],
  ]);
});

test('an insertion marks the added text alone', () => {
  expect(marked('-call(first)', '+call(first, second)')).toEqual([[], [', second']]);
});

test('two changes of a line are marked apart', () => {
  expect(marked('-get(url, retries, 3)', '+get(path, retries, 5)')).toEqual([
    ['url', '3'],
    ['path', '5'],
  ]);
});

test('lines that have little in common are not compared', () => {
  expect(marked('-const a = 1;', '+while (true) stop();')).toEqual([[], []]);
});

test('additions without a deletion have no marks', () => {
  expect(marked('+a', '+b', '-c')).toEqual([[], [], []]);
});
