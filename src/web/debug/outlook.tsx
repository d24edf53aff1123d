import { Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Thread, ThreadStep } from '../parts/thread.tsx';
import { Button, Settling } from '../ui/button.tsx';
import type { DebugStep } from './use-ask.ts';

const STEPS = ['born', 'fixed_before', 'suspect', 'first_seen', 'now'] as const;

/** The place of the answer before there is one: the steps that it will have; while it is sought, what is being done. */
export function Outlook({ step, onStop }: { step: DebugStep | null; onStop: () => void }) {
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
