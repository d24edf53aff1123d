import { Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DebugEvents } from '#contract/debug.ts';
import { Confidence } from '../parts/confidence.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Thread, ThreadStep } from '../parts/thread.tsx';
import { Button, Settling } from '../ui/button.tsx';
import type { DebugStep } from './use-ask.ts';

const STEPS = ['born', 'fixed_before', 'suspect', 'first_seen', 'now'] as const;

interface OutlookProps {
  step: DebugStep | null;
  /** What is known while a model still writes. */
  found: DebugEvents['found'] | null;
  onStop: () => void;
}

/** The place of the answer before there is one: the steps that it will have; while it is sought, what is being done. */
export function Outlook({ step, found, onStop }: OutlookProps) {
  const { t } = useTranslation('debug');
  return (
    <section className="mt-8 border-t border-rule pt-6">
      <div className="mb-3 flex min-h-8 items-center gap-2.5">
        {step && <Settling />}
        <h2 className="min-w-0 font-semibold">
          <span role="status">{step ? t(`doing.${step}`) : t('outlook.title')}</span>
        </h2>
        {step && (
          <Button size="small" className="ml-auto" onClick={onStop}>
            <Square aria-hidden className="size-3.5" />
            {t('doing.stop')}
          </Button>
        )}
      </div>
      {step && found?.root_cause && (
        <div className="mb-4 flex flex-col gap-2">
          <p className="max-w-[62ch] text-answer wrap-anywhere">
            <SentenceText sentence={found.root_cause} />
          </p>
          <p>
            <Confidence value={found.confidence} />
          </p>
        </div>
      )}
      <Thread label={t('timeline')} pending>
        {STEPS.map((kind) => (
          <ThreadStep key={kind}>
            <p>
              <b className="font-semibold">{t(`step.${kind}`)}</b>{' '}
              <span className="text-muted">{t(`outlook.${kind}`)}</span>
            </p>
          </ThreadStep>
        ))}
      </Thread>
    </section>
  );
}
