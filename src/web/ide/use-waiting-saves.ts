import { useEffect, useEffectEvent, useState } from 'react';
import { isWithin, movedPath } from './editor-tab.ts';
import type { Workspace } from './use-workspace.ts';

interface WaitingSave {
  path: string;
  /** Path of the file once it is moved. */
  next: string;
}

/** Saves of files that are being moved, which follow their move. */
export function useWaitingSaves(
  { moves, isOpen }: Pick<Workspace, 'moves' | 'isOpen'>,
  save: (path: string) => unknown,
) {
  const [waiting, setWaiting] = useState<readonly WaitingSave[]>([]);
  const moveOf = (path: string) => moves.find(({ from }) => isWithin(path, from));
  const saveReady = useEffectEvent(() => {
    const ready = waiting.filter(({ path }) => !moveOf(path));
    if (ready.length === 0) return;
    setWaiting((all) => all.filter((one) => !ready.includes(one)));
    for (const { path, next } of ready) void save(isOpen(next) ? next : path);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: both say that a save may begin.
  useEffect(() => saveReady(), [moves, waiting]);
  return {
    isWaiting: (path: string) => waiting.some((one) => one.path === path),
    /** Lets the save of a file wait that is being moved; false for others. */
    waitForMove(path: string) {
      const move = moveOf(path);
      if (!move) return false;
      const next = movedPath(path, move.from, move.to);
      setWaiting((all) => [...all.filter((one) => one.path !== path), { path, next }]);
      return true;
    },
  };
}
