import { Suspense, useState } from 'react';
import type { Profile } from '#contract/account.ts';
import { clearSessionAndRedirect } from '../access-token.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import { useToast } from '../ui/toast.tsx';

const ReauthenticationDialog = lazyComponent(() =>
  import('./reauthentication-dialog.tsx').then((module) => module.ReauthenticationDialog),
);

/** Sign-in page with the notice that the account will be deleted. */
const LOGIN_AFTER_DELETION = '/login?reset=deleted';

/** Data export and account deletion. */
export function AccountData({ user, hasPassword }: { user: Profile; hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const toast = useToast();
  const [open, setOpen] = useState<'export' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const submitByAction = {
    async export(current_password?: string) {
      const { url } = await api('POST /auth/me/export', { body: { current_password } });
      close();
      toast(t('data.export_started'));
      // The response is an attachment, so the page stays.
      location.assign(url);
    },
    async remove(current_password?: string) {
      await api('POST /auth/me/delete', { body: { current_password } });
      clearSessionAndRedirect(LOGIN_AFTER_DELETION);
    },
  };
  return (
    <Section anchor="data" title={t('data.title')} lead={t('data.lead')}>
      {(['export', 'remove'] as const).map((what) => (
        <div key={what} className="flex flex-col items-start gap-1">
          <Button onClick={() => setOpen(what)}>{t(`data.${what}`)}</Button>
          <p className="text-sm text-muted">{t(`data.${what}_hint`)}</p>
        </div>
      ))}
      {open && (
        <Suspense>
          <ReauthenticationDialog
            title={t(`data.${open}_title`)}
            text={t(`data.${open}_text`)}
            submit={[t(`data.${open}_submit`), t(`data.${open}_working`)]}
            kind={open === 'remove' ? 'danger' : 'primary'}
            requirePassword={open === 'remove' && hasPassword}
            username={user.username}
            onSubmit={submitByAction[open]}
            onClose={close}
          />
        </Suspense>
      )}
    </Section>
  );
}
