import { useEffect, useRef, useState } from 'react';
import type { EditorFailure } from './editor-tab.ts';

/** Duration of the banner, from the specification. */
const BANNER_MS = 5_000;

/** Failed operations: the last in a banner for five seconds, all in a list until cleared. */
export function useFailures() {
  const [failures, setFailures] = useState<EditorFailure[]>([]);
  const [banner, setBanner] = useState<EditorFailure | null>(null);
  const count = useRef(0);
  useEffect(() => {
    if (banner === null) return;
    const timer = setTimeout(() => setBanner(null), BANNER_MS);
    return () => clearTimeout(timer);
  }, [banner]);
  return {
    failures,
    banner,
    reportFailure(path: string | null, error: unknown) {
      if (!(error instanceof Error)) throw error;
      count.current += 1;
      const failure = { id: count.current, path, message: error.message };
      setFailures((known) => [...known, failure]);
      setBanner(failure);
    },
    clear: () => setFailures([]),
  };
}
