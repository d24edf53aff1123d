import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Confidence } from '../parts/confidence.tsx';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { IndexFreshnessLine } from '../parts/index-freshness-line.tsx';
import { CodeSpans, useSentence } from '../parts/sentence-text.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-header.tsx';
import { AnswerAside } from './answer-aside.tsx';
import { FeedbackForm } from './feedback.tsx';
import { FollowUp } from './follow-up.tsx';
import { InsufficientEvidence } from './insufficient-evidence.tsx';
import { RecommendedFix } from './recommended-fix.tsx';
import { ResolutionSection, SolvedEarlier } from './resolution.tsx';
import { Timeline } from './timeline.tsx';

export type Session = ApiReply<'GET /debug/sessions/:id'>;

/** A debug answer: root cause, confidence, timeline, fix, feedback and follow-up. */
export function Answer({ session }: { session: Session }) {
  const { answer } = session;
  return (
    <EvidenceProvider projectId={session.project_id}>
      <div className="bleed grid min-h-[calc(100vh-48px)] xl:grid-cols-[minmax(0,1fr)_372px]">
        <article className="max-w-[920px] min-w-0 px-(--page-x) pt-(--page-y) pb-16">
          <AnswerHeader session={session} />
          <ResolutionSection session={session} />
          <SolvedEarlier session={session} />
          {answer.abstained && <InsufficientEvidence session={session} />}
          <Timeline session={session} />
          <RecommendedFix session={session} />
          <FeedbackForm session={session} />
          <FollowUp session={session} />
        </article>
        <AnswerAside session={session} />
      </div>
    </EvidenceProvider>
  );
}

function AnswerHeader({ session }: { session: Session }) {
  const { t, i18n } = useTranslation('debug');
  const sentence = useSentence();
  const { answer } = session;
  const cause = answer.root_cause ? sentence(answer.root_cause) : t('insufficient_evidence.title');
  return (
    <header>
      <PageTitle>{`#${session.number} ${cause.replaceAll('`', '')}`}</PageTitle>
      <div className="mb-3 flex flex-wrap items-center gap-2 text-muted">
        <nav aria-label={t('crumbs')} className="flex min-w-0 flex-1 flex-wrap gap-2">
          <Link to="/debug" className="hover:text-action">
            {t('crumb')}
          </Link>
          <span aria-hidden>/</span>
          <Link to={`/projects/${session.project_id}`} className="hover:text-action">
            {session.project_name}
          </Link>
          <span aria-hidden>/</span>
          <span className="font-mono text-sm">#{session.number}</span>
        </nav>
        {!answer.abstained && (
          <ButtonLink to="/debug" state={{ request: session.request }}>
            {t('ask_again')}
          </ButtonLink>
        )}
      </div>
      <h1 className="max-w-[62ch] tracking-[-.003em] wrap-anywhere">
        <CodeSpans text={cause} />
      </h1>
      <div className="mt-3 mb-6 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        <h2 className="font-semibold text-foreground">{t('solution')}</h2>
        <Confidence value={answer.confidence} />
        {answer.calibration && <span>{t('calibration', { count: answer.calibration.sample_count })}</span>}
        {answer.freshness ? (
          <IndexFreshnessLine freshness={answer.freshness} projectId={session.project_id} />
        ) : (
          <span className="inline-flex items-center gap-1.5">
            {t('at')}
            <CitationChip
              projectId={session.project_id}
              citation={{ kind: 'commit', hash: answer.indexed_commit }}
            />
          </span>
        )}
        <span>
          {t('took', { value: new Intl.NumberFormat(i18n.language).format(Math.round(answer.took_ms)) })}
        </span>
      </div>
    </header>
  );
}
