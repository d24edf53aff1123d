import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile } from '#contract/account.ts';
import type { ApiReply } from '#contract/api.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys } from '../query-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import { AuthenticatorSetup } from './authenticator-setup.tsx';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import type { TwoFactorStep } from './two-factor.tsx';

interface TwoFactorDialogProps {
  step: TwoFactorStep;
  user: Profile;
  hasPassword: boolean;
  onClose: () => void;
}

/** Enables or disables two-factor authentication, or creates new recovery codes. */
export function TwoFactorDialog({ step, user, hasPassword, onClose }: TwoFactorDialogProps) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const toast = useToast();
  const [key, setKey] = useState<ApiReply<'POST /auth/two-factor'> | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  const invalidate = async () => {
    await Promise.all(
      [accountKeys.twoFactor, accountKeys.me, accountKeys.sessions].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
  };
  const showCodes = async (reply: { recovery_codes: string[] }) => {
    setCodes(reply.recovery_codes);
    await invalidate();
  };
  const submitByStep = {
    enable: async (current_password?: string) =>
      setKey(await api('POST /auth/two-factor', { body: { current_password } })),
    codes: async (current_password?: string) =>
      showCodes(await api('POST /auth/two-factor/recovery-codes', { body: { current_password } })),
    disable: async (current_password?: string) => {
      await api('DELETE /auth/two-factor', { body: { current_password } });
      await invalidate();
      toast(t('two_factor.disabled'));
      onClose();
    },
  };

  const title = t(codes ? 'two_factor.codes_title' : `two_factor.${step}_title`);
  return (
    <Dialog open onClose={onClose} size="narrow" title={title}>
      {codes && <RecoveryCodes codes={codes} onClose={onClose} />}
      {!codes && key && (
        <AuthenticatorSetup secret={key.secret} uri={key.uri} onConfirmed={showCodes} onCancel={onClose} />
      )}
      {!codes && !key && (
        <ReauthenticationForm
          submit={[t(`two_factor.${step}_submit`), t('two_factor.working')]}
          kind={step === 'disable' ? 'danger' : 'primary'}
          requirePassword={step !== 'enable' && hasPassword}
          username={user.username}
          onSubmit={submitByStep[step]}
          onCancel={onClose}
        >
          <p>{t(`two_factor.${step}_text`)}</p>
        </ReauthenticationForm>
      )}
    </Dialog>
  );
}
