import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { OAuthProviderName } from '#contract/identities.ts';
import { ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const PROVIDER_NAMES: Record<OAuthProviderName, string> = { github: 'GitHub', google: 'Google' };
const PROVIDERS = Object.keys(PROVIDER_NAMES) as OAuthProviderName[];

interface OAuthButtonsProps {
  /** Page to open after sign-in. */
  next: string | null;
  remember?: boolean;
  /** Invitation token. */
  invitation?: string | undefined;
}

/** Sign-in with GitHub and Google; providers without configuration are disabled. */
export function OAuthButtons({ next, remember = false, invitation }: OAuthButtonsProps) {
  const { t } = useTranslation('auth');
  const id = useId();
  const { data } = useQuery(apiQuery('GET /auth/setup'));
  const [pendingProvider, setPendingProvider] = useState<OAuthProviderName | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const unavailable = PROVIDERS.filter((service) => !data?.oauth_providers[service]);

  const startOAuth = async (service: OAuthProviderName) => {
    setPendingProvider(service);
    setFailure(null);
    try {
      const body = { next: next ?? undefined, remember, invitation };
      location.assign(
        (await api('POST /auth/social/:provider', { params: { provider: service }, body })).url,
      );
    } catch (error) {
      setPendingProvider(null);
      setFailure(error instanceof ApiError ? error.message : t('social.failed'));
    }
  };

  return (
    <div className="mt-6 border-t border-border pt-4">
      {failure && (
        <Notice kind="error" className="mb-3">
          {failure}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-2">
        {PROVIDERS.map((service) =>
          unavailable.includes(service) ? (
            <Button key={service} disabled aria-describedby={id} title={t('social.not_configured')}>
              {PROVIDER_NAMES[service]}
            </Button>
          ) : (
            <Button
              key={service}
              loading={pendingProvider === service}
              onClick={() => void startOAuth(service)}
            >
              {PROVIDER_NAMES[service]}
            </Button>
          ),
        )}
      </div>
      {unavailable.length > 0 && (
        <p id={id} className="mt-2 text-sm text-muted">
          {unavailable.length === PROVIDERS.length
            ? t('social.not_configured')
            : t('social.provider_not_configured', { service: PROVIDER_NAMES[unavailable[0]!] })}
        </p>
      )}
    </div>
  );
}
