import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Profile } from '#contract/account.ts';
import type { Service } from '#contract/identities.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from './section.tsx';

const OwnerDialog = lazy(() =>
  import('./owner-dialog.tsx').then((module) => ({ default: module.OwnerDialog })),
);

const NAMES: Record<Service, string> = { github: 'GitHub', google: 'Google' };
const SERVICES = Object.keys(NAMES) as Service[];

/** Accounts of other services that open this one. */
export function ConnectedAccounts({ user }: { user: Profile }) {
  const { t } = useTranslation('settings');
  const linked = useSearchParams()[0].get('linked');
  const { data } = useQuery(read('GET /auth/identities'));
  const setup = useQuery(read('GET /auth/setup')).data;
  const client = useQueryClient();
  const [connecting, setConnecting] = useState<Service | null>(null);
  const unlink = useMutation({
    mutationFn: (service: Service) => api('DELETE /auth/identities/:service', { params: { service } }),
    onSettled: () => client.invalidateQueries({ queryKey: read('GET /auth/identities').queryKey }),
  });
  const nameOf = (service: Service) =>
    data?.identities.find((identity) => identity.service === service)?.name;
  return (
    <Section title={t('connected.title')} lead={t('connected.lead')}>
      {linked === 'done' && <Notice>{t('connected.done')}</Notice>}
      {linked !== null && linked !== 'done' && <Notice kind="error">{t('connected.taken')}</Notice>}
      {unlink.error && <Notice kind="error">{unlink.error.message}</Notice>}
      <ul className="-mt-1.5 border-b border-rule">
        {SERVICES.map((service) => {
          const name = nameOf(service);
          const offered = setup?.services[service] ?? false;
          return (
            <li
              key={service}
              className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-rule py-1.5 not-first:border-t"
            >
              <span className="w-20 font-semibold">{NAMES[service]}</span>
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
          <OwnerDialog
            title={t('connected.connect_title', { service: NAMES[connecting] })}
            text={t('connected.connect_text', { service: NAMES[connecting] })}
            submit={[t('connected.go'), t('connected.going')]}
            asks={false}
            username={user.username}
            onSubmit={async (current_password) => {
              const params = { service: connecting };
              const body = { current_password };
              location.assign((await api('POST /auth/identities/:service', { params, body })).address);
            }}
            onClose={() => setConnecting(null)}
          />
        </Suspense>
      )}
    </Section>
  );
}
