import { clsx } from 'clsx';
import { Suspense, useDeferredValue } from 'react';
import type { ApiReply } from '#contract/api.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { accusedCommit } from '../parts/verdict-claims.ts';
import { SessionProofs } from '../proof-slots.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { type FailingCode, FailingCodePanel, findFailingCode } from './failing-code.tsx';
import { Verdict } from './verdict.tsx';

/** Loaded after the page, at the same time as its session. */
const AnswerDetails = lazyComponent(
  () => import('./answer-details.tsx').then((module) => module.AnswerDetails),
  { early: true },
);

// The answer waits for those of these that it shows, so that nothing moves; later ones are there already.
const EnvironmentFacts = lazyComponent(
  () => import('./environment-facts.tsx').then((module) => module.EnvironmentFacts),
  { early: true },
);
const InsufficientEvidence = lazyComponent(
  () => import('./insufficient-evidence.tsx').then((module) => module.InsufficientEvidence),
  { early: true },
);
const SuspectPanel = lazyComponent(
  () => import('./suspect-panel.tsx').then((module) => module.SuspectPanel),
  { early: true },
);
const ChangedSincePanel = lazyComponent(
  () => import('./changed-since-panel.tsx').then((module) => module.ChangedSincePanel),
  { early: true },
);
const GuardPanel = lazyComponent(() => import('./guard-panel.tsx').then((module) => module.GuardPanel), {
  early: true,
});
const ResolutionSection = lazyComponent(
  () => import('./resolution.tsx').then((module) => module.ResolutionSection),
  { early: true },
);

export type Session = ApiReply<'GET /debug/sessions/:id'>;

/** A debug answer: verdict, failing code beside its cause, actions; then fix, evidence and follow-up. */
export function Answer({ session }: { session: Session }) {
  const { answer } = session;
  const code = findFailingCode(session);
  // What is below the first screen is rendered after it, in slices; prerendered pages have it at once.
  const showsDetails = useDeferredValue(true, typeof document === 'undefined');
  return (
    <EvidenceProvider projectId={session.project_id}>
      <article className="flex max-w-[1440px] min-w-0 flex-col gap-4">
        <Verdict session={session} />
        {session.resolution && <ResolutionSection session={session} />}
        {answer.abstained && !answer.other_project && <InsufficientEvidence session={session} />}
        <Panels session={session} code={code} />
        {answer.environment?.length ? <EnvironmentFacts session={session} /> : null}
        <AnswerActions session={session} range={code.range} />
        <Suspense>{session.proofs?.length ? <SessionProofs session={session} /> : null}</Suspense>
        <Suspense fallback={<DetailsPlaceholder />}>
          {showsDetails ? <AnswerDetails session={session} code={code} /> : <DetailsPlaceholder />}
        </Suspense>
      </article>
    </EvidenceProvider>
  );
}

/** Keeps the height of a screen free for the details, so that nothing moves when they are there. */
function DetailsPlaceholder() {
  return (
    <div className="mt-2 min-h-screen">
      <Skeleton rows={['20%', '64%', '48%', '30%', '56%']} />
    </div>
  );
}

/** The failing code, next to the commit that broke it, that changed it since, or the check that raises the error. */
function Panels({ session, code }: { session: Session; code: FailingCode }) {
  const { answer } = session;
  const suspect = accusedCommit(answer);
  const causePanel = suspect ? (
    <SuspectPanel session={session} suspect={suspect} />
  ) : answer.changed_since ? (
    <ChangedSincePanel projectId={session.project_id} change={answer.changed_since} />
  ) : answer.guard ? (
    <GuardPanel session={session} guard={answer.guard} />
  ) : null;
  if (!code.range && !causePanel) return null;
  return (
    <div
      className={clsx(
        'grid gap-4',
        code.range && causePanel && 'lg:grid-cols-[minmax(0,1fr)_minmax(0,1.12fr)]',
      )}
    >
      <FailingCodePanel session={session} code={code} cause={suspect !== null} />
      {causePanel}
    </div>
  );
}
