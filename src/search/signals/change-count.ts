import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { FileHistory } from '../lexical/workspace.ts';
import type { Signal } from './signal.ts';

/** Logarithm of the number of commits that changed the file: often fixed files tend to be fixed again. */
export const changeCount: Signal = ({ history }) => countChanges(history);

const countChanges = memoizeByIdentity(({ files, messageLengths }: FileHistory) => {
  const counts = new Float32Array(messageLengths.length);
  for (const file of files) counts[file]!++;
  return counts.map((count) => Math.log1p(count));
});
