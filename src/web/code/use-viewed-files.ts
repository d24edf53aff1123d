import { useState } from 'react';

/** Diffs whose viewed files are remembered, newest last. */
const MAX_DIFFS = 100;
const STORAGE_KEY = 'code.viewed';

/** Paths of a diff that the reader has marked as viewed, remembered in this browser. */
export function useViewedFiles(key: string) {
  const [viewed, set] = useState<ReadonlySet<string>>(() => new Set(read()[key] ?? []));
  const setViewed = (path: string, isViewed: boolean) => {
    const next = new Set(viewed);
    if (isViewed) next.add(path);
    else next.delete(path);
    set(next);
    write(key, [...next]);
  };
  return { viewed, setViewed };
}

function read(): Record<string, string[]> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, string[]>;
  } catch {
    return {};
  }
}

function write(key: string, paths: string[]): void {
  const { [key]: _, ...others } = read();
  const entries = [...Object.entries(others), [key, paths] as const].slice(-MAX_DIFFS);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // Without storage the marks last as long as the page.
  }
}
