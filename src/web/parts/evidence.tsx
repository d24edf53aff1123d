import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import type { CitedLocation } from './citation.ts';
import { OpenEvidenceContext } from './citation-chip.tsx';

const EvidenceSheet = lazyComponent(() =>
  import('./evidence-sheet.tsx').then((module) => module.EvidenceSheet),
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
