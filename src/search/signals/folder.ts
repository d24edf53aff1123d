import type { NeighbourSignal } from './signal.ts';

/** The mean of the first scores of the other files in the file's folder: good files stand together. */
export const folder: NeighbourSignal = ({ code }, first) => {
  const folderOf = Array.from({ length: code.fileCount }, (_, file) => {
    const path = code.filePath(file);
    return path.slice(0, path.lastIndexOf('/') + 1);
  });
  const sums = new Map<string, { total: number; count: number }>();
  folderOf.forEach((name, file) => {
    const sum = sums.get(name) ?? { total: 0, count: 0 };
    sums.set(name, { total: sum.total + first[file]! ** 2, count: sum.count + 1 });
  });
  return Float32Array.from(folderOf, (name, file) => {
    const { total, count } = sums.get(name)!;
    return Math.sqrt(Math.max(0, total - first[file]! ** 2) / Math.max(1, count - 1));
  });
};
