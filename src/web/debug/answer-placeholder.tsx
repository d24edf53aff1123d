import { clsx } from 'clsx';
import { Square } from 'lucide-react';
import type { DebugEvents } from '#contract/debug.ts';
import { useTranslation } from '../i18n.ts';
import { Confidence } from '../parts/confidence.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { TimelineItem, TimelineList } from '../parts/timeline-list.tsx';
import { Button, Spinner } from '../ui/button.tsx';
import type { DebugStep } from './use-debug-request.ts';

const STEPS = ['introduced', 'fixed_before', 'suspect', 'first_seen', 'now'] as const;

interface AnswerPlaceholderProps {
  step: DebugStep | null;
  /** Findings that arrive before the model has finished. */
  findings: DebugEvents['findings'] | null;
  onStop: () => void;
}

/** Placeholder of the answer: expected steps, or progress while a request runs. */
export function AnswerPlaceholder({ step, findings, onStop }: AnswerPlaceholderProps) {
  const { t } = useTranslation('debug');
  return (
    <section>
      <div className={clsx('mb-3 flex items-center gap-2.5', step && 'min-h-8')}>
        {step && <Spinner />}
        <h2 className="min-w-0 font-semibold">
          <span role="status">{step ? t(`parts:progress.${step}`) : t('preview.title')}</span>
        </h2>
        {step && (
          <Button size="small" className="ml-auto" onClick={onStop}>
            <Square aria-hidden className="size-3.5" />
            {t('parts:progress.stop')}
          </Button>
        )}
      </div>
      {step && findings?.root_cause && (
        <div className="mb-4 flex flex-col gap-2">
          <p className="max-w-[62ch] text-answer wrap-anywhere">
            <SentenceText sentence={findings.root_cause} />
          </p>
          <p>
            <Confidence value={findings.confidence} />
          </p>
        </div>
      )}
      <TimelineList label={t('timeline')} pending>
        {STEPS.map((kind) => (
          <TimelineItem key={kind}>
            <p>
              <b className="font-semibold">{t(`step.${kind}`)}</b>{' '}
              <span className="text-muted">{t(`preview.${kind}`)}</span>
            </p>
          </TimelineItem>
        ))}
      </TimelineList>
    </section>
  );
}
