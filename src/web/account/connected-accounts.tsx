import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Profile } from '#contract/account.ts';
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

const BUILT_IN = { github: 'GitHub', google: 'Google' };

/** Accounts of OpenID Connect issuers, GitHub and Google that are linked. */
export function ConnectedAccounts({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const linked = useSearchParams()[0].get('linked');
  const { data } = useQuery(apiQuery('GET /auth/identities'));
  const setup = useQuery(apiQuery('GET /auth/setup')).data;
  const client = useQueryClient();
  const [connecting, setConnecting] = useState<string | null>(null);
  const unlink = useMutation({
    mutationFn: (service: string) =>
      api('DELETE /auth/identities/:provider', { params: { provider: service } }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.identities }),
  });
  const nameOf = (service: string) =>
    data?.identities.find((identity) => identity.provider === service)?.name;
  const titles: Record<string, string> = {
    ...Object.fromEntries((setup?.issuers ?? []).map(({ id, name }) => [id, name])),
    ...BUILT_IN,
  };
  const isOffered = (service: string) =>
    service === 'github' || service === 'google'
      ? (setup?.oauth_providers[service] ?? false)
      : setup?.issuers.some(({ id }) => id === service);
  return (
    <Section anchor="connected" title={t('connected.title')} lead={t('connected.lead')}>
      {linked === 'done' && <Notice>{t('connected.done')}</Notice>}
      {linked !== null && linked !== 'done' && <Notice kind="error">{t('connected.taken')}</Notice>}
      {unlink.error && <Notice kind="error">{unlink.error.message}</Notice>}
      <ul className="-mt-1.5 border-b border-border">
        {Object.entries(titles).map(([service, title]) => {
          const name = nameOf(service);
          const offered = isOffered(service);
          return (
            <li
              key={service}
              className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-border py-1.5 not-first:border-t"
            >
              <span className="min-w-20 font-semibold">{title}</span>
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
            title={t('connected.connect_title', { service: titles[connecting] ?? connecting })}
            text={t('connected.connect_text', { service: titles[connecting] ?? connecting })}
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
