import { createContext, type MouseEvent, type ReactNode, use } from 'react';
import { Link } from 'react-router';
import { type Citation, citationLabel, citationUrl } from './citation.ts';
import { Verbatim } from './verbatim.tsx';

/** Opens a citation beside the answer; null where there is no such place, and a chip is only a link. */
export const OpenEvidenceContext = createContext<((citation: Citation) => void) | null>(null);

interface CitationChipProps {
  projectId: string;
  citation: Citation;
  /** Instead of path and line, or hash: the number under which an answer cites it. */
  children?: ReactNode;
}

/**
 * A citation as a chip. A plain click opens the evidence beside the text where the page has a place for it; with a
 * modifier key, or elsewhere, it goes to the page of the file or commit.
 */
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
      className="inline-block max-w-full rounded-sm border border-rule bg-surface px-[5px] align-baseline font-mono text-sm font-medium break-all text-action hover:border-action"
    >
      {children ? (
        <span title={citationLabel(citation)}>{children}</span>
      ) : (
        <Verbatim text={citationLabel(citation)} />
      )}
    </Link>
  );
}
