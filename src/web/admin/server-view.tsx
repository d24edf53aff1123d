import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ServerState } from '#contract/admin.ts';
import { read } from '../query.ts';
import { Details } from '../ui/details.tsx';
import { fullTime } from '../ui/time.ts';
import { Loaded } from './loaded.tsx';
import { sizeInWords } from './size-in-words.ts';

const EVERY_MS = 30_000;

/** How the server does, what is set up, and how much it is used. */
export function ServerView() {
  const state = useQuery({ ...read('GET /admin/server'), staleTime: 0, refetchInterval: EVERY_MS });
  return <Loaded query={state}>{(data) => <Facts state={data} />}</Loaded>;
}

function Facts({ state }: { state: ServerState }) {
  const { t, i18n } = useTranslation('admin');
  const count = (value: number) => value.toLocaleString(i18n.language);
  const size = (bytes: number) => sizeInWords(bytes, i18n.language);
  const of = (part: number, whole: number) => t('server.of', { part: size(part), whole: size(whole) });
  const isSet = (on: boolean) => t(on ? 'server.set_up' : 'server.not_set_up');
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
      <section>
        <h2 className="mb-2">{t('server.health')}</h2>
        <Details
          of={{
            [t('server.version')]: state.version,
            [t('server.node')]: state.node,
            [t('server.started')]: fullTime(state.started_at, i18n.language),
            [t('server.memory')]: of(state.memory.process, state.memory.total),
            [t('server.disk')]: t('server.free', { size: of(state.disk.free, state.disk.total) }),
            [t('server.database')]: t('server.database_value', {
              version: state.database.version,
              size: size(state.database.size),
            }),
          }}
        />
      </section>
      <section>
        <h2 className="mb-2">{t('server.usage')}</h2>
        <Details
          of={{
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
        <Details
          of={{
            [t('server.model')]: state.model
              ? `${state.model.name} (${state.model.provider})`
              : t('server.no_model'),
            [t('server.mail')]: state.mail ? t('server.set_up') : t('server.no_mail'),
            [t('server.payments')]: isSet(state.payments),
            GitHub: isSet(state.services.github),
            Google: isSet(state.services.google),
          }}
        />
      </section>
    </div>
  );
}
