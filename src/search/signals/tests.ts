import type { CodeTable } from '#memory/repository-index.ts';
import { sortFiles } from '../code/source-files.ts';
import { onceFor } from '../memoize-by-identity.ts';
import { stemOf } from '../query/path-mentions.ts';
import { bestByText } from './passages.ts';
import type { Signal } from './signal.ts';

/** What marks the name of a test: `test_x`, `x_test`, `x.test`, `x-spec`, `XTest`. */
const MARKS = /^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])Tests?$/;

/**
 * Tests speak as reports do: they say what should happen. A test that fits the text counts for the file that it is
 * named after, the nearest one where several have that name. Reads what the signal `passages` left.
 */
export const tests: Signal = (input) => {
  const { code } = input;
  const values = new Float32Array(code.fileCount);
  const scores = bestByText(input);
  for (const [test, files] of testedFiles(code)) {
    for (const file of files) values[file] = Math.max(values[file]!, scores[test]! / files.length);
  }
  return values;
};

/** Every test with the files that it is named after. */
const testedFiles = onceFor((code: CodeTable): [test: number, files: number[]][] => {
  const { beside, program } = sortFiles(code);
  const byStem = Map.groupBy(program, (file) => stemOf(code.filePath(file)));
  return beside.flatMap((test): [number, number[]][] => {
    const path = code.filePath(test);
    const stem = stemOf(path).replace(MARKS, '');
    const namesakes = byStem.get(stem) ?? [];
    return namesakes.length === 0 ? [] : [[test, nearest(code, path, namesakes)]];
  });
});

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
