import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { parseLineFragment } from '../parts/citation.ts';
import type { Workspace } from './use-workspace.ts';

/** Opens the patch or the file with which the page was entered, and names the shown file in the URL. */
export function useEditorUrl(workspace: Workspace): { requestedFile: string | null } {
  const [query, setQuery] = useSearchParams();
  const { hash, key, state } = useLocation();
  const requestedFile = query.get('file');
  const { patch } = (state ?? {}) as { patch?: string };
  const isPatchOpened = useRef(false);
  const openRequested = useEffectEvent(() => {
    const isPatch = patch !== undefined && !isPatchOpened.current;
    isPatchOpened.current = true;
    if (isPatch) return void workspace.openPatch(patch);
    const lines = parseLineFragment(hash) ?? undefined;
    // The URL that follows the shown file asks for nothing.
    if (requestedFile && (lines || requestedFile !== workspace.active))
      void workspace.open(requestedFile, { lines });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette, Back and links name another file or other lines.
  useEffect(() => openRequested(), [requestedFile, hash, key]);

  const show = useEffectEvent((file: string) => {
    // Lines stay in the URL as long as their file is shown.
    if (file === requestedFile) return;
    setQuery(
      (now) => {
        now.set('file', file);
        return now;
      },
      { replace: true, state },
    );
  });
  const { active } = workspace;
  useEffect(() => {
    if (active !== null) show(active);
  }, [active]);
  return { requestedFile };
}
