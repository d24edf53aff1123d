import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const PROVIDER_NAMES = { github: 'GitHub', google: 'Google' };
type BuiltInProvider = keyof typeof PROVIDER_NAMES;
const PROVIDERS = Object.keys(PROVIDER_NAMES) as BuiltInProvider[];

interface OAuthButtonsProps {
  /** Page to open after sign-in. */
  next: string | null;
  remember?: boolean;
  /** Invitation token. */
  invitation?: string | undefined;
}

/** Sign-in with OpenID Connect issuers, GitHub and Google. The last two are disabled without configuration, unless there is an issuer. */
export function OAuthButtons({ next, remember = false, invitation }: OAuthButtonsProps) {
  const { t } = useTranslation('auth');
  const id = useId();
  const { data } = useQuery(apiQuery('GET /auth/setup'));
  const [pendingProvider, setPendingProvider] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const issuers = data?.issuers ?? [];
  const unavailable = PROVIDERS.filter((service) => !data?.oauth_providers[service]);
  // Where people sign in with their organization, services without configuration would only confuse.
  const services = PROVIDERS.filter((service) => issuers.length === 0 || !unavailable.includes(service));
  const isExplained = issuers.length === 0 && unavailable.length > 0;

  const startOAuth = async (service: string) => {
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
        {issuers.map(({ id: service, name }) => (
          <Button
            key={service}
            className="col-span-2"
            loading={pendingProvider === service}
            onClick={() => void startOAuth(service)}
          >
            <span className="truncate">{t('social.continue', { name })}</span>
          </Button>
        ))}
        {services.map((service) =>
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
      {isExplained && (
        <p id={id} className="mt-2 text-sm text-muted">
          {unavailable.length === PROVIDERS.length
            ? t('social.not_configured')
            : t('social.provider_not_configured', { service: PROVIDER_NAMES[unavailable[0]!] })}
        </p>
      )}
    </div>
  );
}
