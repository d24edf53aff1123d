import { useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { formatShortDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';

type Feedback = ApiReply<'GET /history/feedback/:id'>[number];

/** Feedback on a project's solutions, newest first, each with its debug session. */
export function FeedbackList({ projectId }: { projectId: string }) {
  const { t } = useTranslation('history');
  const query = useQuery(
    apiQuery('GET /history/feedback/:id', { params: { id: projectId }, query: { scope: 'project' } }),
  );
  return (
    <QueryState
      query={query}
      loading={['46%', '62%', '38%']}
      empty={<p className="py-4 text-muted">{t('no_feedback')}</p>}
    >
      {(feedbacks) => (
        <>
          <p className="mb-2 text-muted">{t('responses', { count: feedbacks.length })}</p>
          <ul className="border-t border-border">
            {feedbacks.map((feedback) => (
              <FeedbackRow key={feedback.id} feedback={feedback} />
            ))}
          </ul>
        </>
      )}
    </QueryState>
  );
}

function FeedbackRow({ feedback }: { feedback: Feedback }) {
  const { t, i18n } = useTranslation(['history', 'parts']);
  const Icon = feedback.helpful ? ThumbsUp : ThumbsDown;
  const verdict = t(feedback.helpful ? 'helpful' : 'not_helpful');
  return (
    <li className="relative flex gap-3 border-b border-border bg-surface px-3 py-2 hover:bg-select">
      <span title={verdict} className="mt-0.5">
        <Icon
          aria-hidden="true"
          className={feedback.helpful ? 'size-4 text-success' : 'size-4 text-warning'}
        />
        <span className="sr-only">{verdict}</span>
      </span>
      <div className="grid min-w-0 flex-1 gap-x-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <Link
          to={`/debug/${feedback.session_id}`}
          className="min-w-0 truncate font-mono text-sm text-foreground after:absolute after:inset-0 hover:text-action"
        >
          <Verbatim text={feedback.session_title} />
        </Link>
        <time dateTime={feedback.created_at} className="text-muted max-sm:order-last">
          {formatShortDateTime(feedback.created_at, i18n.language) ?? t('parts:invalid_time')}
        </time>
        <p className="flex flex-wrap gap-x-3 sm:col-span-2">
          {feedback.comments && <span className="wrap-anywhere">{feedback.comments}</span>}
          <span className="text-muted">{t('by', { author: feedback.author })}</span>
        </p>
      </div>
    </li>
  );
}
