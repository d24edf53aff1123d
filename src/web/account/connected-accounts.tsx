import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Profile } from '#contract/account.ts';
import type { OAuthProviderName } from '#contract/identities.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';

const ReauthenticationDialog = lazyComponent(() =>
  import('./reauthentication-dialog.tsx').then((module) => module.ReauthenticationDialog),
);

const PROVIDER_NAMES: Record<OAuthProviderName, string> = { github: 'GitHub', google: 'Google' };
const PROVIDERS = Object.keys(PROVIDER_NAMES) as OAuthProviderName[];

/** Linked GitHub and Google accounts. */
export function ConnectedAccounts({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const linked = useSearchParams()[0].get('linked');
  const { data } = useQuery(apiQuery('GET /auth/identities'));
  const setup = useQuery(apiQuery('GET /auth/setup')).data;
  const client = useQueryClient();
  const [connecting, setConnecting] = useState<OAuthProviderName | null>(null);
  const unlink = useMutation({
    mutationFn: (service: OAuthProviderName) =>
      api('DELETE /auth/identities/:provider', { params: { provider: service } }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.identities }),
  });
  const nameOf = (service: OAuthProviderName) =>
    data?.identities.find((identity) => identity.provider === service)?.name;
  return (
    <Section title={t('connected.title')} lead={t('connected.lead')}>
      {linked === 'done' && <Notice>{t('connected.done')}</Notice>}
      {linked !== null && linked !== 'done' && <Notice kind="error">{t('connected.taken')}</Notice>}
      {unlink.error && <Notice kind="error">{unlink.error.message}</Notice>}
      <ul className="-mt-1.5 border-b border-border">
        {PROVIDERS.map((service) => {
          const name = nameOf(service);
          const offered = setup?.oauth_providers[service] ?? false;
          return (
            <li
              key={service}
              className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-border py-1.5 not-first:border-t"
            >
              <span className="w-20 font-semibold">{PROVIDER_NAMES[service]}</span>
              <span className="min-w-0 flex-1 truncate text-muted">
                {name ?? t(offered ? 'connected.none' : 'connected.not_set_up')}
              </span>
              {name !== undefined && (
                <Button
                  size="small"
                  loading={unlink.isPending && unlink.variables === service}
                  onClick={() => unlink.mutate(service)}
                >
                  {t('connected.disconnect')}
                </Button>
              )}
              {name === undefined && offered && (
                <Button size="small" onClick={() => setConnecting(service)}>
                  {t('connected.connect')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {connecting && (
        <Suspense>
          <ReauthenticationDialog
            title={t('connected.connect_title', { service: PROVIDER_NAMES[connecting] })}
            text={t('connected.connect_text', { service: PROVIDER_NAMES[connecting] })}
            submit={[t('connected.continue'), t('connected.redirecting')]}
            requirePassword={false}
            username={user.username}
            onSubmit={async (current_password) => {
              const params = { provider: connecting };
              const body = { current_password };
              location.assign((await api('POST /auth/identities/:provider', { params, body })).url);
            }}
            onClose={() => setConnecting(null)}
          />
        </Suspense>
      )}
    </Section>
  );
}
