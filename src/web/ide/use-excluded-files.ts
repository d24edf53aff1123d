import { useState } from 'react';
import { isWithin, movedPath } from './editor-tab.ts';
import type { Workspace } from './use-workspace.ts';

/** Files that a commit leaves out. One that is being moved is left out under its new path, too. */
export function useExcludedFiles({ moves }: Pick<Workspace, 'moves'>) {
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  return {
    isExcluded: (path: string) => excluded.has(path),
    toggle(path: string) {
      const move = moves.find(({ from }) => isWithin(path, from));
      const paths = move ? [path, movedPath(path, move.from, move.to)] : [path];
      const others = [...excluded].filter((one) => !paths.includes(one));
      setExcluded(new Set(excluded.has(path) ? others : [...others, ...paths]));
    },
  };
}
