import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import type { NeighborSignal } from './signal.ts';

/** Root mean square of the first-pass scores of the other files in the folder: relevant files cluster. */
export const folder: NeighborSignal = ({ code }, { rough }) => {
  const { folderOf, counts } = filesByFolder(code);
  const totals = new Float64Array(counts.length);
  for (let file = 0; file < folderOf.length; file++) totals[folderOf[file]!]! += rough[file]! ** 2;
  return Float32Array.from(folderOf, (of, file) =>
    Math.sqrt(Math.max(0, totals[of]! - rough[file]! ** 2) / Math.max(1, counts[of]! - 1)),
  );
};

/** The folder number of each file, and the number of files in each folder. */
const filesByFolder = memoizeByIdentity((code: CodeTable) => {
  const numbers = new Map<string, number>();
  const folderOf = new Uint32Array(code.fileCount);
  const counts: number[] = [];
  for (let file = 0; file < code.fileCount; file++) {
    const path = code.filePath(file);
    const name = path.slice(0, path.lastIndexOf('/') + 1);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    folderOf[file] = number;
    counts[number] = (counts[number] ?? 0) + 1;
  }
  return { folderOf, counts };
});
