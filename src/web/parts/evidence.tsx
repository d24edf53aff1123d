import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { CitedLocation } from './citation.ts';
import { OpenEvidenceContext } from './citation-chip.tsx';

const EvidenceSheet = lazy(() =>
  import('./evidence-sheet.tsx').then((module) => ({ default: module.EvidenceSheet })),
);

/** Opens the citations of its children in a sheet beside the text. */
export function EvidenceProvider({ projectId, children }: { projectId: string; children: ReactNode }) {
  const [shown, setShown] = useState<CitedLocation | null>(null);
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
