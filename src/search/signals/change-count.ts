import { onceFor } from '../memoize-by-identity.ts';
import type { History } from '../workspace.ts';
import type { Signal } from './signal.ts';

/** How often the file was changed, by logarithm: what was mended often will be mended again. */
export const changes: Signal = ({ history }) => countChanges(history);

const countChanges = onceFor(({ files, storyLengths }: History) => {
  const counts = new Float32Array(storyLengths.length);
  for (const file of files) counts[file]!++;
  return counts.map((count) => Math.log1p(count));
});
