import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OAuthProviderName } from '#contract/identities.ts';
import { ApiError, api } from '../api.ts';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

const NAMES: Record<OAuthProviderName, string> = { github: 'GitHub', google: 'Google' };
const SERVICES = Object.keys(NAMES) as OAuthProviderName[];

interface SocialButtonsProps {
  /** The page that was wanted. */
  next: string | null;
  remember?: boolean;
  /** What the link of an invitation carries. */
  invitation?: string | undefined;
}

/** Other ways to sign in; what this server does not offer says so. */
export function SocialButtons({ next, remember = false, invitation }: SocialButtonsProps) {
  const { t } = useTranslation('auth');
  const id = useId();
  const { data } = useQuery(read('GET /auth/setup'));
  const [going, setGoing] = useState<OAuthProviderName | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const missing = SERVICES.filter((service) => !data?.oauth_providers[service]);

  const go = async (service: OAuthProviderName) => {
    setGoing(service);
    setFailure(null);
    try {
      const body = { next: next ?? undefined, remember, invitation };
      location.assign((await api('POST /auth/social/:provider', { params: { provider: service }, body })).url);
    } catch (error) {
      setGoing(null);
      setFailure(error instanceof ApiError ? error.message : t('social.failed'));
    }
  };

  return (
    <div className="mt-6 border-t border-rule pt-4">
      {failure && (
        <Notice kind="error" className="mb-3">
          {failure}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-2">
        {SERVICES.map((service) =>
          missing.includes(service) ? (
            <Button key={service} disabled aria-describedby={id} title={t('social.not_set_up')}>
              {NAMES[service]}
            </Button>
          ) : (
            <Button key={service} loading={going === service} onClick={() => void go(service)}>
              {NAMES[service]}
            </Button>
          ),
        )}
      </div>
      {missing.length > 0 && (
        <p id={id} className="mt-2 text-sm text-muted">
          {missing.length === SERVICES.length
            ? t('social.not_set_up')
            : t('social.one_not_set_up', { service: NAMES[missing[0]!] })}
        </p>
      )}
    </div>
  );
}
