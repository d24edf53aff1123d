import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Profile } from '#contract/account.ts';
import type { ApiReply } from '#contract/api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';

const TwoFactorDialog = lazyComponent(() =>
  import('./two-factor-dialog.tsx').then((module) => module.TwoFactorDialog),
);

/** Step of the open dialog. */
export type TwoFactorStep = 'enable' | 'disable' | 'codes';

/** Below this number of codes a notice is shown. */
const MIN_RECOVERY_CODES = 3;

/** Status of two-factor authentication with its actions. */
export function TwoFactor({ user, hasPassword }: { user: Profile; hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const query = useQuery(apiQuery('GET /auth/two-factor'));
  const [step, setStep] = useState<TwoFactorStep | null>(null);
  return (
    <Section anchor="two_factor" title={t('two_factor.title')} lead={t('two_factor.lead')}>
      <QueryState query={query} loading={['46%']}>
        {(state) => <TwoFactorState state={state} onStep={setStep} />}
      </QueryState>
      {step && (
        <Suspense>
          <TwoFactorDialog step={step} user={user} hasPassword={hasPassword} onClose={() => setStep(null)} />
        </Suspense>
      )}
    </Section>
  );
}

interface TwoFactorStateProps {
  state: ApiReply<'GET /auth/two-factor'>;
  onStep: (step: TwoFactorStep) => void;
}

/** Current state with the actions that apply to it. */
function TwoFactorState({ state, onStep }: TwoFactorStateProps) {
  const { t } = useTranslation('settings');
  if (!state.enabled) {
    return (
      <>
        <p>{t('two_factor.off')}</p>
        <Button className="self-start" onClick={() => onStep('enable')}>
          {t('two_factor.enable')}
        </Button>
      </>
    );
  }
  const count = state.recovery_codes_remaining;
  return (
    <>
      <p>{t('two_factor.on')}</p>
      {count < MIN_RECOVERY_CODES ? (
        <Notice>{t('two_factor.few', { count })}</Notice>
      ) : (
        <p className="text-muted">{t('two_factor.left', { count })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onStep('codes')}>{t('two_factor.codes')}</Button>
        <Button onClick={() => onStep('disable')}>{t('two_factor.disable')}</Button>
      </div>
    </>
  );
}
