import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { getAccessToken } from '../access-token.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { AuthLayout } from './auth-layout.tsx';

type State = { at: 'start' } | { at: 'work' } | { at: 'done'; email: string } | { at: 'failed'; why: string };

/**
 * `/verify-email#<token>`, the link of the verification email. Confirmed by a click, since mail scanners follow
 * links.
 */
export function Component() {
  const { t } = useTranslation('auth');
  const secret = useLocation().hash.slice(1);
  const client = useQueryClient();
  const [state, setState] = useState<State>({ at: 'start' });

  const confirm = async () => {
    setState({ at: 'work' });
    try {
      const { email } = await api('POST /auth/verify-email', { body: { token: secret } });
      setState({ at: 'done', email });
      await client.invalidateQueries({ queryKey: accountKeys.me });
    } catch (error) {
      const isOver = error instanceof ApiError && error.reason === 'link_expired';
      setState({ at: 'failed', why: isOver ? t('verify.link_expired') : (error as Error).message });
    }
  };

  return (
    <AuthLayout
      title={t('verify.title')}
      lead={t('verify.lead')}
      foot={
        <Link to={getAccessToken() === null ? '/login' : '/settings'} className="link">
          {t(getAccessToken() === null ? 'forgot.back' : 'verify.to_settings')}
        </Link>
      }
    >
      <div className="flex flex-col gap-4">
        {secret === '' && <Notice kind="error">{t('verify.no_link')}</Notice>}
        {state.at === 'failed' && <Notice kind="error">{state.why}</Notice>}
        {state.at === 'done' && <Notice>{t('verify.done', { email: state.email })}</Notice>}
        {secret !== '' && state.at !== 'done' && (
          <Button kind="primary" loading={state.at === 'work'} onClick={() => void confirm()}>
            {t(state.at === 'work' ? 'verify.submitting' : 'verify.submit')}
          </Button>
        )}
      </div>
    </AuthLayout>
  );
}
