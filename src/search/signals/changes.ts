import type { Signal } from './signal.ts';

/** How often the file was changed, by logarithm: what was mended often will be mended again. */
export const changes: Signal = ({ code, history }) => {
  const counts = new Float32Array(code.fileCount);
  for (const file of history.files) counts[file]!++;
  return counts.map((count) => Math.log1p(count));
};
