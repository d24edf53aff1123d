import { CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import type { Proof, ProofEnding } from '#contract/proofs.ts';
import { useTranslation } from '../i18n.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Notice } from '../ui/notice.tsx';
import { OutputText } from './output-text.tsx';

const GOOD = [CircleCheck, 'text-success'] as const;
const DOUBTFUL = [CircleHelp, 'text-warning'] as const;
const BAD = [CircleX, 'state-solid'] as const;

const MARKS: Record<ProofEnding, readonly [LucideIcon, string]> = {
  reproduced: GOOD,
  other_message: DOUBTFUL,
  passes: DOUBTFUL,
  proven: GOOD,
  proven_failure: DOUBTFUL,
  inconclusive: DOUBTFUL,
  fails_before: DOUBTFUL,
  verified: GOOD,
  still_fails: BAD,
  check_worse: BAD,
  flaky: DOUBTFUL,
  untestable: DOUBTFUL,
};

/** Endings after which the reader can do something. */
const ADVISED: ReadonlySet<ProofEnding> = new Set([
  ...(['reproduced', 'other_message', 'passes', 'proven_failure', 'inconclusive', 'fails_before'] as const),
  ...(['still_fails', 'check_worse', 'flaky', 'untestable'] as const),
]);
/** Endings that the output of a failure explains. */
const EXPLAINED: ReadonlySet<ProofEnding> = new Set([
  ...(['other_message', 'still_fails', 'check_worse', 'untestable'] as const),
]);

/** Conclusion of an ended proof with the next step, or the reason why it has none. */
export function ProofConclusion({ proof }: { proof: Proof }) {
  const { t } = useTranslation('proofs');
  const { ending, message, state, result, project_id: projectId } = proof;
  if (state === 'failed') {
    return (
      <Notice kind="error" className="m-3">
        {message}
      </Notice>
    );
  }
  if (ending === null) return null;
  const [Icon, color] = MARKS[ending];
  return (
    <div role="status" className="flex flex-col gap-2 border-b border-border px-3 py-2.5">
      <p className="flex items-start gap-2 font-semibold">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
        <span className="min-w-0 wrap-anywhere">
          <EndingText proof={proof} ending={ending} />
        </span>
      </p>
      {ADVISED.has(ending) && <p className="text-muted">{t(`advice.${ending}`)}</p>}
      {EXPLAINED.has(ending) && result?.failure && (
        <OutputText label={t('output')} text={result.failure} className="max-h-48" />
      )}
      {result && result.candidates.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          <span className="text-muted">{t('candidates')}</span>
          {result.candidates.map((hash) => (
            <CitationChip key={hash} projectId={projectId} citation={{ kind: 'commit', hash }} />
          ))}
        </p>
      )}
    </div>
  );
}

/** The sentence of an ending; a commit in it is linked. */
function EndingText({ proof, ending }: { proof: Proof; ending: ProofEnding }) {
  const { t } = useTranslation('proofs');
  const { result, project_id: projectId } = proof;
  const count = result?.candidates.length ?? 0;
  const [before = '', after] = t(`ending.${ending}`, { commit: '\0', count }).split('\0');
  if (after === undefined || proof.first_bad === null) return before;
  return (
    <>
      {before}
      <CitationChip projectId={projectId} citation={{ kind: 'commit', hash: proof.first_bad }} />
      {after}
    </>
  );
}
