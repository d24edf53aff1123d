import { partitionFiles } from '#evolution/source-files.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { pathStem } from '../lexical/path-mentions.ts';
import { passageScores } from './passages.ts';
import type { Signal } from './signal.ts';

/** Marker in the name of a test file: `test_x`, `x_test`, `x.test`, `x-spec`, `XTest`. */
const TEST_NAME_MARKER = /^tests?[_-]|[._-](?:tests?|spec)$|(?<=[a-z0-9])Tests?$/;

/**
 * Scores of matching tests, passed on to the files they are named after: tests and reports both describe expected
 * behavior. Runs after `passages`, whose scores it reads.
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

/** Every test with the files it is named after. */
const testedFiles = memoizeByIdentity((code: CodeTable): [test: number, files: number[]][] => {
  const { nonSource, source } = partitionFiles(code);
  const byStem = Map.groupBy(source, (file) => pathStem(code.filePath(file)));
  return nonSource.flatMap((test): [number, number[]][] => {
    const path = code.filePath(test);
    const stem = pathStem(path).replace(TEST_NAME_MARKER, '');
    const candidates = byStem.get(stem) ?? [];
    return candidates.length === 0 ? [] : [[test, closestByFolders(code, path, candidates)]];
  });
});

/** The files whose folders share the max names with those of the test. */
function closestByFolders(code: CodeTable, path: string, files: number[]): number[] {
  const folders = new Set(path.split('/').slice(0, -1));
  const shared = files.map(
    (file) =>
      code
        .filePath(file)
        .split('/')
        .filter((name) => folders.has(name)).length,
  );
  const max = Math.max(...shared);
  return files.filter((_, index) => shared[index] === max);
}
