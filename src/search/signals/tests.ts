import type { CodeTable } from '#memory/repository-index.ts';
import { partitionFiles } from '../code/source-files.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { pathStem } from '../query/path-mentions.ts';
import { passageScores } from './passages.ts';
import type { Signal } from './signal.ts';

/** What marks the name of a test: `test_x`, `x_test`, `x.test`, `x-spec`, `XTest`. */
const TEST_NAME_MARKER = /^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])Tests?$/;

/**
 * Tests speak as reports do: they say what should happen. A test that fits the text counts for the file that it is
 * named after, the nearest one where several have that name. Reads what the signal `passages` left.
 */
export const tests: Signal = (input) => {
  const { code } = input;
  const values = new Float32Array(code.fileCount);
  const scores = passageScores(input);
  for (const [test, files] of testedFiles(code)) {
    for (const file of files) values[file] = Math.max(values[file]!, scores[test]! / files.length);
  }
  return values;
};

/** Every test with the files that it is named after. */
const testedFiles = memoizeByIdentity((code: CodeTable): [test: number, files: number[]][] => {
  const { beside, program } = partitionFiles(code);
  const byStem = Map.groupBy(program, (file) => pathStem(code.filePath(file)));
  return beside.flatMap((test): [number, number[]][] => {
    const path = code.filePath(test);
    const stem = pathStem(path).replace(TEST_NAME_MARKER, '');
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
