import { clsx } from 'clsx';
import type { ApiReply } from '#contract/api.ts';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AnswerAside } from './answer-aside.tsx';
import { EnvironmentFacts } from './environment-facts.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import { type FailingCode, FailingCodePanel, findFailingCode } from './failing-code.tsx';
import { FollowUp } from './follow-up.tsx';
import { GuardPanel } from './guard-panel.tsx';
import { InsufficientEvidence } from './insufficient-evidence.tsx';
import { RecommendedFix } from './recommended-fix.tsx';
import { ResolutionSection, SolvedEarlier } from './resolution.tsx';
import { SuspectPanel } from './suspect-panel.tsx';
import { Verdict } from './verdict.tsx';
import { accusedCommit } from './verdict-claims.ts';

export type Session = ApiReply<'GET /debug/sessions/:id'>;

/** A debug answer: verdict, failing code beside its cause, actions; then fix, evidence and follow-up. */
export function Answer({ session }: { session: Session }) {
  const { answer } = session;
  const code = findFailingCode(session);
  return (
    <EvidenceProvider projectId={session.project_id}>
      <article className="flex max-w-[1440px] min-w-0 flex-col gap-4">
        <Verdict session={session} />
        <ResolutionSection session={session} />
        {answer.abstained && !answer.other_project && <InsufficientEvidence session={session} />}
        <Panels session={session} code={code} />
        <EnvironmentFacts session={session} />
        <AnswerActions session={session} range={code.range} />
        <div className="mt-2 grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_348px]">
          <div className="flex min-w-0 flex-col gap-8">
            <SolvedEarlier session={session} />
            <RecommendedFix session={session} />
            <EvidenceSection session={session} code={code} />
            <FollowUp session={session} />
          </div>
          <AnswerAside session={session} />
        </div>
      </article>
    </EvidenceProvider>
  );
}

/** The failing code, next to the commit that broke it or the check that raises the error. */
function Panels({ session, code }: { session: Session; code: FailingCode }) {
  const { answer } = session;
  const suspect = accusedCommit(answer);
  const causePanel = suspect ? (
    <SuspectPanel session={session} suspect={suspect} />
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
