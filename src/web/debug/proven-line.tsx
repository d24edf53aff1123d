import { CircleCheck } from 'lucide-react';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import type { Session } from './answer.tsx';

/** The proven commit and what proves it, in place of the probability of the cause. */
export function ProvenLine({ session: { answer, project_id: projectId } }: { session: Session }) {
  const { t } = useTranslation('proofs');
  if (!answer.proven) return null;
  const { commit, command, source, proof_id: id } = answer.proven;
  // Where the headline accuses another commit or none, it names the proven one itself.
  const isStated = answer.suspect_commits[0]?.hash !== commit.hash;
  const [before = '', after = ''] = t('proven.text', { commit: '\0' }).split('\0');
  return (
    <span className="inline-flex min-w-0 items-start gap-1.5 text-foreground">
      <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
      <span className="min-w-0 wrap-anywhere">
        {!isStated && (
          <b className="mr-1.5 font-semibold">
            {before}
            <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: commit.hash }} />
            {after}
          </b>
        )}
        <a href={`#proof-${id}`} className="link">
          <CodeSpans text={t(source === 'upload' ? 'proven.how_upload' : 'proven.how', { command })} />
        </a>
      </span>
    </span>
  );
}
