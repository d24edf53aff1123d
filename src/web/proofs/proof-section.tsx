import { Suspense, useId, useState } from 'react';
import type { Proof } from '#contract/proofs.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { ProofConclusion } from './proof-conclusion.tsx';
import type { ProvedSession } from './proof-dialog.tsx';
import type { ProofDraft } from './proof-draft.ts';
import { ProofProgress } from './proof-progress.tsx';
import { RunTimeline } from './run-timeline.tsx';
import { useCancelProof, useProof } from './use-proof.ts';

const ProofDialog = lazyComponent(() => import('./proof-dialog.tsx').then((module) => module.ProofDialog));

/** Proofs of an answer: the newest with its runs, live while it runs, and earlier ones behind it. */
export function ProofSection({ session }: { session: ProvedSession }) {
  const { t } = useTranslation('proofs');
  const [showsAll, setShowsAll] = useState(false);
  const id = useId();
  const [newest, ...earlier] = session.proofs ?? [];
  if (!newest) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-answer font-semibold">
        {t('section.title')}
      </h2>
      <ProofPanel key={newest.id} session={session} id={newest.id} />
      {earlier.length > 0 && (
        <Button
          size="small"
          className="self-start"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {t('section.earlier')} ({earlier.length})
        </Button>
      )}
      {showsAll && earlier.map((proof) => <ProofPanel key={proof.id} session={session} id={proof.id} />)}
    </section>
  );
}

function ProofPanel({ session, id }: { session: ProvedSession; id: string }) {
  const query = useProof(id);
  return (
    <article id={`proof-${id}`} className="scroll-mt-16 rounded-md border border-border bg-surface">
      <QueryState query={query} loading={['30%', '60%', '44%']} errorClassName="m-3">
        {(proof) => (
          <>
            <ProofHeader session={session} proof={proof} />
            <ProofConclusion proof={proof} />
            <RunTimeline proof={proof} />
          </>
        )}
      </QueryState>
    </article>
  );
}

const STATE_MARKS = {
  queued: 'queued',
  running: 'running',
  done: 'ready',
  failed: 'failed',
  cancelled: 'off',
} as const satisfies Record<Proof['state'], Parameters<typeof StateMark>[0]['state']>;

function ProofHeader({ session, proof }: { session: ProvedSession; proof: Proof }) {
  const { t } = useTranslation('proofs');
  const cancel = useCancelProof(proof.id);
  const isCancelling = cancel.isPending || cancel.isSuccess;
  return (
    <header className="flex flex-col gap-1 border-b border-border px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="font-semibold">{t(`kind.${proof.kind}`)}</h3>
        <StateMark state={STATE_MARKS[proof.state]}>{t(`state.${proof.state}`)}</StateMark>
        <ProofProgress proof={proof} />
        <span className="ml-auto flex gap-2">
          {proof.is_cancellable && (
            <Button size="small" loading={isCancelling} onClick={() => cancel.mutate()}>
              {t(isCancelling ? 'cancelling' : 'cancel')}
            </Button>
          )}
          <RunAgain session={session} proof={proof} />
        </span>
      </div>
      <code className="min-w-0 font-mono text-code wrap-anywhere">
        <Verbatim text={proof.command} />
      </code>
      {proof.setup !== null && (
        <p className="text-sm text-muted">
          {t('plan.setup')}: <CodeSpans text={`\`${proof.setup}\``} />
        </p>
      )}
      {cancel.error && <Notice kind="error">{cancel.error.message}</Notice>}
    </header>
  );
}

/** Opens the dialog with the inputs of an ended proof. */
function RunAgain({ session, proof }: { session: ProvedSession; proof: Proof }) {
  const { t } = useTranslation('proofs');
  const [draft, setDraft] = useState<Partial<ProofDraft> | null>(null);
  const hasEnded = proof.state !== 'queued' && proof.state !== 'running';
  if (!hasEnded || !session.error.is_editable) return null;
  const next = (): Partial<ProofDraft> => ({
    kind: proof.ending === 'reproduced' || proof.ending === 'flaky' ? 'bisect' : proof.kind,
    command: proof.command,
    script: proof.script,
    ...(proof.check !== null && { check: proof.check }),
  });
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setDraft(next())}>
        {t(proof.ending === 'reproduced' || proof.ending === 'flaky' ? 'kind.bisect' : 'section.again')}
      </Button>
      {draft && (
        <Suspense>
          <ProofDialog session={session} initial={draft} onClose={() => setDraft(null)} />
        </Suspense>
      )}
    </>
  );
}
