import { CircleCheck } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import type { Session } from './answer.tsx';

type Proven = NonNullable<Session['answer']['proven']>;

/** The proven commit and what proves it, in place of the probability of the cause. */
export function ProvenLine({ projectId, proven }: { projectId: string; proven: Proven }) {
  const { t } = useTranslation('proofs');
  const { commit, command, source, proof_id: id } = proven;
  const [before = '', after = ''] = t('proven.text', { commit: '\0' }).split('\0');
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5 text-foreground">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
      <span className="min-w-0 font-semibold wrap-anywhere">
        {before}
        <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit.hash }} />
        {after}
      </span>
      <a href={`#proof-${id}`} className="link min-w-0 wrap-anywhere">
        <CodeSpans text={t(source === 'upload' ? 'proven.how_upload' : 'proven.how', { command })} />
      </a>
    </span>
  );
}
