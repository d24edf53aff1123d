import type { Session } from './answer.tsx';
import { AnswerAside } from './answer-aside.tsx';
import { ChangedLater } from './changed-later.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import type { FailingCode } from './failing-code.tsx';
import { FollowUp } from './follow-up.tsx';
import { RecommendedFix } from './recommended-fix.tsx';
import { SolvedEarlier } from './resolution.tsx';

/** Details of an answer: earlier solution, later change, fix, evidence and follow-up; beside them similar errors and contacts. */
export function AnswerDetails({ session, code }: { session: Session; code: FailingCode }) {
  const later = session.answer.changed_later;
  return (
    <div className="mt-2 grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_348px]">
      <div className="flex min-w-0 flex-col gap-8">
        <SolvedEarlier session={session} />
        {later && <ChangedLater projectId={session.project_id} change={later} />}
        <RecommendedFix session={session} />
        <EvidenceSection session={session} code={code} />
        <FollowUp session={session} />
      </div>
      <AnswerAside session={session} />
    </div>
  );
}
