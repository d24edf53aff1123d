import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Citation } from './citation.ts';
import { OpenEvidenceContext } from './citation-chip.tsx';

const EvidenceSheet = lazy(() =>
  import('./evidence-sheet.tsx').then((module) => ({ default: module.EvidenceSheet })),
);

/** Gives every citation inside a place to open: a sheet beside the text, so that the reader stays where they are. */
export function EvidenceProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const [shown, setShown] = useState<Citation | null>(null);
  return (
    <OpenEvidenceContext value={setShown}>
      {children}
      {shown && (
        <Suspense>
          <EvidenceSheet projectId={projectId} citation={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </OpenEvidenceContext>
  );
}
