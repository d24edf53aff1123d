import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Profile } from '#contract/account.ts';
import { apiQuery } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Section } from './section.tsx';

const TwoFactorDialog = lazy(() =>
  import('./two-factor-dialog.tsx').then((module) => ({ default: module.TwoFactorDialog })),
);

/** What the open dialog is about. */
export type TwoFactorStep = 'enable' | 'disable' | 'codes';

/** Fewer recovery codes than this are few. */
const MIN_RECOVERY_CODES = 3;

/** The second factor: whether it is asked for, and turning it on and off. */
export function TwoFactor({ user, hasPassword }: { user: Profile; hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(apiQuery('GET /auth/two-factor'));
  const [step, setStep] = useState<TwoFactorStep | null>(null);
  return (
    <Section title={t('two_factor.title')} lead={t('two_factor.lead')}>
      {!data && error && (
        <Notice kind="error" onRetry={() => refetch()}>
          {error.message}
        </Notice>
      )}
      {!data && !error && <Skeleton rows={['46%']} />}
      {data && !data.enabled && (
        <>
          <p>{t('two_factor.off')}</p>
          <Button className="self-start" onClick={() => setStep('enable')}>
            {t('two_factor.enable')}
          </Button>
        </>
      )}
      {data?.enabled && (
        <>
          <p>{t('two_factor.on')}</p>
          {data.recovery_codes_remaining < MIN_RECOVERY_CODES ? (
            <Notice>{t('two_factor.few', { count: data.recovery_codes_remaining })}</Notice>
          ) : (
            <p className="text-muted">{t('two_factor.left', { count: data.recovery_codes_remaining })}</p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep('codes')}>{t('two_factor.codes')}</Button>
            <Button onClick={() => setStep('disable')}>{t('two_factor.disable')}</Button>
          </div>
        </>
      )}
      {step && (
        <Suspense>
          <TwoFactorDialog step={step} user={user} hasPassword={hasPassword} onClose={() => setStep(null)} />
        </Suspense>
      )}
    </Section>
  );
}
