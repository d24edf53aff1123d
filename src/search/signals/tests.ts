import { isBesideTheCode } from '#evolution/fixes.ts';
import type { CodeTable } from '#memory/memory.ts';
import { stemOf } from '../paths.ts';
import { bestThree } from './passages.ts';
import type { Signal } from './signal.ts';

/** What marks the name of a test: `test_x`, `x_test`, `x.test`, `x-spec`, `XTest`. */
const MARKS = /^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])Tests?$/;

/**
 * Tests speak as reports do: they say what should happen. A test that fits the text counts for the file that it is
 * named after, the nearest one where several have that name. Reads what the signal `passages` left.
 */
export const tests: Signal = (input) => {
  const { code, space } = input;
  const values = new Float32Array(code.fileCount);
  const scores = bestThree(input, space.passages);
  for (const [test, files] of testedFiles(code)) {
    for (const file of files) values[file] = Math.max(values[file]!, scores[test]! / files.length);
  }
  return values;
};

const known = new WeakMap<CodeTable, [test: number, files: number[]][]>();

/** Every test with the files that it is named after. */
function testedFiles(code: CodeTable): [test: number, files: number[]][] {
  let pairs = known.get(code);
  if (!pairs) {
    const files = Array.from({ length: code.fileCount }, (_, file) => file);
    const [beside, program] = [[] as number[], new Map<string, number[]>()];
    for (const file of files) {
      const path = code.filePath(file);
      if (isBesideTheCode(path)) beside.push(file);
      else program.set(stemOf(path), [...(program.get(stemOf(path)) ?? []), file]);
    }
    pairs = beside.flatMap((test): [number, number[]][] => {
      const path = code.filePath(test);
      const stem = stemOf(path).replace(MARKS, '');
      const namesakes = program.get(stem) ?? [];
      return namesakes.length === 0 ? [] : [[test, nearest(code, path, namesakes)]];
    });
    known.set(code, pairs);
  }
  return pairs;
}

/** Those of the files whose folders share the most names with the test's. */
function nearest(code: CodeTable, path: string, files: number[]): number[] {
  const folders = new Set(path.split('/').slice(0, -1));
  const shared = files.map(
    (file) =>
      code
        .filePath(file)
        .split('/')
        .filter((name) => folders.has(name)).length,
  );
  const most = Math.max(...shared);
  return files.filter((_, index) => shared[index] === most);
}
