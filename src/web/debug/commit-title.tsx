import { firstLine } from '#contract/first-line.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Verbatim } from '../parts/verbatim.tsx';

/** Title of the panel of a commit: its hash, and the subject of its message. */
export function CommitTitle({
  projectId,
  hash,
  message,
}: {
  projectId: string;
  hash: string;
  message: string;
}) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="shrink-0">
        <CitationChip projectId={projectId} citation={{ kind: 'commit', hash }} />
      </span>
      <b className="min-w-0 font-semibold wrap-anywhere">
        <Verbatim text={firstLine(message)} />
      </b>
    </span>
  );
}
