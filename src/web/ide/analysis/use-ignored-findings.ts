import { useState } from 'react';
import type { Diagnostic } from '#contract/analysis.ts';

/** Most findings that stay ignored in one tab. */
const MAX_IGNORED = 500;

/** Key of a finding that holds when lines move. */
export function findingKey({ source, message, line }: Diagnostic): string {
  return `${source}\n${message}\n${line}`;
}

/** Remembers dismissed findings of a project, until the browser tab is closed. */
export function useIgnoredFindings(projectId: string) {
  const storageKey = `ignored-findings:${projectId}`;
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => readKeys(storageKey));
  const keyOf = (path: string, { source, message }: Diagnostic) => [path, source, message].join('\n');
  const save = (next: string[]) => {
    const kept = next.slice(-MAX_IGNORED);
    sessionStorage.setItem(storageKey, JSON.stringify(kept));
    setKeys(new Set(kept));
  };
  return {
    has: (path: string, finding: Diagnostic) => keys.has(keyOf(path, finding)),
    /** Dismisses a finding, and others of the file with the same words. */
    add: (path: string, finding: Diagnostic) => save([...keys, keyOf(path, finding)]),
    /** Shows the dismissed findings of a file again. */
    restore: (path: string) => save([...keys].filter((key) => !key.startsWith(`${path}\n`))),
  };
}

function readKeys(storageKey: string): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []);
  } catch {
    return new Set();
  }
}
