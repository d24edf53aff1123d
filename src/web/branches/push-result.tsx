import type { Push } from '#contract/branches.ts';
import { useTranslation } from '../i18n.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { StateMark } from '../ui/state-mark.tsx';

interface PushResultProps {
  push: Push;
  canOpenRequest: boolean;
  onPullRequest: () => void;
  onReview: () => void;
  onClose: () => void;
}

/** State of a push, and what the git server said. */
export function PushOutcome({ push, canOpenRequest, onPullRequest, onReview, onClose }: PushResultProps) {
  const { t } = useTranslation('branches');
  const { state, outcome, failure, message, url, target, head } = push;
  const isRunning = state === 'queued' || state === 'running';
  return (
    <div aria-live="polite">
      {isRunning && <StateMark state="running">{t('result.running', { target })}</StateMark>}
      {state === 'done' && (
        <Notice kind="success">
          {t(`result.${outcome ?? 'updated'}`, { target, commit: head.slice(0, 7) })}
        </Notice>
      )}
      {failure && (
        <Notice kind="error">
          <SentenceText sentence={failure} />
        </Notice>
      )}
      {message && (
        <section className="mt-4">
          <h3 className="mb-1 font-semibold">{t('result.message')}</h3>
          <pre className="max-h-60 overflow-auto rounded-md border border-border bg-background p-3 font-mono text-sm whitespace-pre-wrap">
            <Verbatim text={message} />
          </pre>
        </section>
      )}
      {!isRunning && (
        <DialogActions>
          {url && (
            <a href={url} target="_blank" rel="noreferrer" className="link mr-auto self-center">
              {t('result.open')}
            </a>
          )}
          <Button onClick={onClose}>{t('close')}</Button>
          {state === 'failed' && (
            <Button kind="primary" onClick={onReview}>
              {t('result.review_again')}
            </Button>
          )}
          {state === 'done' && canOpenRequest && (
            <Button kind="primary" onClick={onPullRequest}>
              {t('pull_request')}
            </Button>
          )}
        </DialogActions>
      )}
    </div>
  );
}
