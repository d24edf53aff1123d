import { useEffect, useEffectEvent, useState } from 'react';
import type { Workspace } from './use-workspace.ts';

/** Files that one visit opens again. */
const MAX_RESTORED = 30;

/** Opens the files of this browser tab's last visit, and those with unsaved changes, after the requested one. */
export function useRestoredTabs(workspace: Workspace, requestedFile: string | null): void {
  const { tabs, active, revision } = workspace;
  const key = `editor-tabs:${workspace.storageKey}`;
  const [isRestored, setIsRestored] = useState(false);
  const restore = useEffectEvent(async () => {
    const stored = readStored(key);
    const paths = new Set([...workspace.listDrafts(), ...stored.paths]);
    if (requestedFile !== null) paths.delete(requestedFile);
    for (const path of [...paths].slice(0, MAX_RESTORED)) await workspace.restore(path);
    if (requestedFile === null && stored.active !== null && paths.has(stored.active)) show(stored.active);
    setIsRestored(true);
  });
  const show = useEffectEvent((path: string) => {
    if (workspace.active === null && workspace.tabOf(path)) workspace.setActive(path);
  });
  useEffect(() => {
    if (revision === null) void restore();
  }, [revision]);
  useEffect(() => {
    if (!isRestored) return;
    const paths = tabs.filter(({ isPreview }) => !isPreview).map(({ path }) => path);
    sessionStorage.setItem(key, JSON.stringify({ paths, active }));
  }, [isRestored, key, tabs, active]);
}

function readStored(key: string): { paths: string[]; active: string | null } {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as {
      paths?: unknown;
      active?: unknown;
    } | null;
    const paths = Array.isArray(value?.paths) ? value.paths.filter((path) => typeof path === 'string') : [];
    return { paths, active: typeof value?.active === 'string' ? value.active : null };
  } catch {
    return { paths: [], active: null };
  }
}
