import { useQuery } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import type { ErrorDetail } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { TimeAgo } from '../parts/age-mark.tsx';
import { CitationChip } from '../parts/citation-chip.tsx';
import { Probability } from '../parts/confidence.tsx';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { useClaimLabel } from '../parts/use-claim-label.ts';
import { useHeadline } from '../parts/use-headline.ts';
import { useNow } from '../parts/use-now.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { accusedCommit, statedProbabilities } from '../parts/verdict-claims.ts';
import { Button, ButtonLink, Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useInvestigate } from './use-investigate.ts';

/** Newest answer to the error in short, or its progress. */
export function ErrorVerdict({ detail }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const { session_id: sessionId } = detail.error;
  return (
    <section aria-labelledby="verdict" className="rounded-md border border-border bg-surface px-3 py-2.5">
      <h2 id="verdict" className="sr-only">
        {t('verdict.title')}
      </h2>
      {sessionId === null ? <MissingAnswer detail={detail} /> : <AnswerSummary sessionId={sessionId} />}
    </section>
  );
}

function AnswerSummary({ sessionId }: { sessionId: string }) {
  const query = useQuery(apiQuery('GET /debug/sessions/:id', { params: { id: sessionId } }));
  return (
    <QueryState query={query} loading={['72%', '40%']}>
      {(session) => <Summary session={session} />}
    </QueryState>
  );
}

function Summary({ session }: { session: ApiReply<'GET /debug/sessions/:id'> }) {
  const { t } = useTranslation('errors-page');
  const label = useClaimLabel();
  const now = useNow();
  const headline = useHeadline()(session);
  const suspect = accusedCommit(session.answer);
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-96">
        <p className="max-w-[88ch] text-answer font-semibold wrap-anywhere">
          <CodeSpans text={headline} />
        </p>
        <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
          {statedProbabilities(session.answer).map((one) => (
            <Probability key={one.claim} label={label(one)} value={one.value} cause={one.claim === 'cause'} />
          ))}
          {suspect && (
            <span className="min-w-0">
              <CitationChip
                projectId={session.project_id}
                citation={{ kind: 'commit', hash: suspect.hash }}
              />{' '}
              <Verbatim text={suspect.author} />, <TimeAgo timestamp={suspect.timestamp} now={now} />
            </span>
          )}
        </p>
      </div>
      <ButtonLink to={`/debug/${session.id}`}>{t('verdict.open')}</ButtonLink>
    </div>
  );
}

/** Reason that there is no answer yet, and the way to one now. */
function MissingAnswer({ detail: { error, is_editable: isEditable } }: { detail: ErrorDetail }) {
  const { t } = useTranslation('errors-page');
  const { investigation } = error;
  const investigate = useInvestigate();
  const start = () => investigate.mutate(error);
  const isRunning = investigation === 'running' || (investigate.isSuccess && investigation === 'waiting');
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="flex min-w-0 flex-1 basis-72 items-center gap-2 text-muted">
        {isRunning && <Spinner />}
        {t(`verdict.${isRunning ? 'running' : investigation}`)}
      </p>
      {isEditable && !isRunning && error.event_count > 0 && investigation !== 'done' && (
        <Button loading={investigate.isPending} onClick={start}>
          {t('verdict.now')}
        </Button>
      )}
      {investigate.error && (
        <Notice kind="error" className="w-full" onRetry={start}>
          {investigate.error.message}
        </Notice>
      )}
    </div>
  );
}
