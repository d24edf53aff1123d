import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';

/** Fixed comments of the specification, repeated here so that the page loads no schemas. */
const COMMENTS = { yes: 'Solution was helpful', no: 'Solution needs improvement' };

/** Feedback on a solution; can be changed later. */
export function FeedbackForm({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const client = useQueryClient();
  const submit = useMutation({
    mutationFn: (helpful: boolean) =>
      api('POST /history/feedback', {
        body: {
          debug_query_id: session.id,
          helpful,
          comments: helpful ? COMMENTS.yes : COMMENTS.no,
        },
      }),
    onSuccess: (feedback) => {
      client.setQueryData(
        debugSessionKeys.detail(session.id),
        (known) => known && { ...known, feedback: [feedback] },
      );
      return Promise.all(
        [debugSessionKeys.all, debugSessionKeys.feedback, errorKeys.all].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const verdict = submit.data?.helpful ?? session.feedback[0]?.helpful;
  return (
    <section aria-label={t('feedback.question')} className="ml-auto max-sm:ml-0 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-1 font-normal text-muted">{t('feedback.question')}</h2>
        {([true, false] as const).map((helpful) => (
          <Button
            key={String(helpful)}
            aria-pressed={verdict === helpful}
            className="aria-pressed:border-action aria-pressed:bg-select"
            loading={submit.isPending && submit.variables === helpful}
            onClick={() => submit.mutate(helpful)}
          >
            {t(helpful ? 'feedback.yes' : 'feedback.no')}
          </Button>
        ))}
        <span role="status" className="text-muted empty:-ml-2">
          {verdict !== undefined && !submit.error && t('feedback.thanks')}
        </span>
      </div>
      {submit.error && (
        <Notice
          kind="error"
          className="mt-3"
          onRetry={submit.variables === undefined ? undefined : () => submit.mutate(submit.variables)}
        >
          {submit.error.message}
        </Notice>
      )}
    </section>
  );
}
