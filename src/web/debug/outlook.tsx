import { useTranslation } from 'react-i18next';
import { Thread, ThreadStep } from '../parts/thread.tsx';
import { Settling } from '../ui/button.tsx';

const STEPS = ['born', 'fixed_before', 'suspect', 'first_seen', 'now'] as const;

/** The place of the answer before there is one: the steps that it will have; while it is sought, it says so. */
export function Outlook({ busy }: { busy: boolean }) {
  const { t } = useTranslation('debug');
  return (
    <section className="mt-8 border-t border-rule pt-6">
      <h2 className="mb-3 flex items-center gap-2.5 font-semibold">
        {busy && <Settling />}
        <span role="status">{t(busy ? 'outlook.busy' : 'outlook.title')}</span>
      </h2>
      <Thread label={t('timeline')} pending>
        {STEPS.map((step) => (
          <ThreadStep key={step}>
            <p>
              <b className="font-semibold">{t(`step.${step}`)}</b>{' '}
              <span className="text-muted">{t(`outlook.${step}`)}</span>
            </p>
          </ThreadStep>
        ))}
      </Thread>
    </section>
  );
}
