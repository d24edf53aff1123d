import { useMutation } from '@tanstack/react-query';
import type { Profile } from '#contract/account.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';
import { useUpdateProfile } from '../user.ts';

/** Notice of an unverified email with actions; nothing when verified. */
export function EmailVerificationNotice({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const toast = useToast();
  const save = useUpdateProfile();
  const resend = useMutation({
    mutationFn: () => api('POST /auth/me/verify-email'),
    onSuccess: () => toast(t('email_state.sent')),
  });
  const cancelChange = useMutation({ mutationFn: () => save({ email: user.email }) });
  if (user.pending_email === null && user.email_verification !== 'pending') return null;
  const failure = resend.error ?? cancelChange.error;
  return (
    <Notice
      kind={failure ? 'error' : 'info'}
      action={
        <div className="flex gap-2">
          <Button size="small" loading={resend.isPending} onClick={() => resend.mutate()}>
            {t('email_state.resend')}
          </Button>
          {user.pending_email !== null && (
            <Button size="small" loading={cancelChange.isPending} onClick={() => cancelChange.mutate()}>
              {t('email_state.cancel_change')}
            </Button>
          )}
        </div>
      }
    >
      {failure?.message ??
        (user.pending_email === null
          ? t('email_state.waiting', { email: user.email })
          : t('email_state.pending', { email: user.pending_email }))}
    </Notice>
  );
}
