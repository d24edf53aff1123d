import { useQuery } from '@tanstack/react-query';
import type { ServerStatus } from '#contract/admin.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatFullDateTime } from '../ui/format-time.ts';
import { QueryState } from '../ui/query-state.tsx';
import { formatBytes } from './format-bytes.ts';
import { SKELETON_ROWS } from './skeleton-rows.ts';

const POLL_INTERVAL_MS = 30_000;

/** Health, usage and configuration of the server. */
export function ServerView() {
  const state = useQuery({
    ...apiQuery('GET /admin/server'),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL_MS,
  });
  return (
    <QueryState query={state} loading={SKELETON_ROWS}>
      {(data) => <ServerDetails state={data} />}
    </QueryState>
  );
}

function ServerDetails({ state }: { state: ServerStatus }) {
  const { t, i18n } = useTranslation('admin');
  const count = (value: number) => value.toLocaleString(i18n.language);
  const size = (bytes: number) => formatBytes(bytes, i18n.language);
  const formatOf = (part: number, whole: number) => t('server.of', { part: size(part), whole: size(whole) });
  const isSet = (on: boolean) => t(on ? 'server.set_up' : 'server.not_set_up');
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <section>
        <h2 className="mb-2">{t('server.health')}</h2>
        <DescriptionList
          items={{
            [t('server.version')]: state.version,
            [t('server.node')]: state.node,
            [t('server.started')]: formatFullDateTime(state.started_at, i18n.language),
            [t('server.memory')]: formatOf(state.memory.process, state.memory.total),
            [t('server.disk')]: t('server.free', { size: formatOf(state.disk.free, state.disk.total) }),
            [t('server.database')]: t('server.database_value', {
              version: state.database.version,
              size: size(state.database.size),
            }),
          }}
        />
      </section>
      <section>
        <h2 className="mb-2">{t('server.usage')}</h2>
        <DescriptionList
          items={{
            [t('server.accounts')]: t('server.accounts_value', {
              total: count(state.usage.accounts),
              active: count(state.usage.active_accounts),
            }),
            [t('server.projects')]: count(state.usage.projects),
            [t('server.errors')]: count(state.usage.recent_errors),
            [t('server.questions')]: count(state.usage.recent_questions),
          }}
        />
      </section>
      <section>
        <h2 className="mb-2">{t('server.settings')}</h2>
        <DescriptionList
          items={{
            [t('server.model')]: state.model
              ? `${state.model.name} (${state.model.provider})`
              : t('server.no_model'),
            [t('server.mail')]: state.mail ? t('server.set_up') : t('server.no_mail'),
            [t('server.payments')]: isSet(state.payments),
            GitHub: isSet(state.oauth_providers.github),
            Google: isSet(state.oauth_providers.google),
          }}
        />
      </section>
    </div>
  );
}
