import { createContext, type MouseEvent, type ReactNode, use } from 'react';
import { Link } from 'react-router';
import { type CitedLocation, citationLabel, citationUrl } from './citation.ts';
import { Verbatim } from './verbatim.tsx';

/** Opens a citation in the evidence sheet; null outside of an EvidenceProvider. */
export const OpenEvidenceContext = createContext<((citation: CitedLocation) => void) | null>(null);

interface CitationChipProps {
  projectId: string;
  citation: CitedLocation;
  /** Label instead of the path or hash: the number of a reference. */
  children?: ReactNode;
}

/** Citation link. A plain click opens the evidence sheet where there is one; modified clicks open the page. */
export function CitationChip({ projectId, citation, children }: CitationChipProps) {
  const open = use(OpenEvidenceContext);
  const onClick = (event: MouseEvent) => {
    if (!open || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(citation);
  };
  return (
    <Link
      to={citationUrl(projectId, citation)}
      onClick={onClick}
      className="inline-block max-w-full rounded-sm border border-border bg-surface px-[5px] align-baseline font-mono text-sm font-medium break-all text-action hover:border-action"
    >
      {children ? (
        <span title={citationLabel(citation)}>{children}</span>
      ) : (
        <Verbatim text={citationLabel(citation)} />
      )}
    </Link>
  );
}
