import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { FileHistory } from '../workspace.ts';
import type { Signal } from './signal.ts';

/** How often the file was changed, by logarithm: what was mended often will be mended again. */
export const changeCount: Signal = ({ history }) => countChanges(history);

const countChanges = memoizeByIdentity(({ files, messageLengths: storyLengths }: FileHistory) => {
  const counts = new Float32Array(storyLengths.length);
  for (const file of files) counts[file]!++;
  return counts.map((count) => Math.log1p(count));
});
