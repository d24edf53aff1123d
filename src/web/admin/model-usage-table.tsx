import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { QueryState } from '../ui/query-state.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';
import { Table } from './table.tsx';

/** Language model usage of this month by user, highest first. */
export function UsageByModelTable() {
  const { t, i18n } = useTranslation('admin');
  const use = useQuery({ ...apiQuery('GET /admin/model/usage'), staleTime: 0 });
  const count = (value: number) => value.toLocaleString(i18n.language);
  return (
    <section>
      <h2 className="mb-2">{t('model.usage.title')}</h2>
      <QueryState query={use} loading={SKELETON_ROWS}>
        {({ users, currency }) =>
          users.length === 0 ? (
            <p className="text-muted">{t('model.usage.none')}</p>
          ) : (
            <Table
              label={t('model.usage.title')}
              columns={[
                { name: t('model.usage.user') },
                { name: t('model.usage.answers'), numeric: true },
                { name: t('model.usage.tokens'), numeric: true },
                ...(currency === null ? [] : [{ name: t('model.usage.cost', { currency }), numeric: true }]),
              ]}
              rows={users.map(({ id, username, answers, tokens, cost }) => ({
                key: id,
                cells: [
                  username,
                  count(answers),
                  count(tokens),
                  ...(currency === null
                    ? []
                    : [cost.toLocaleString(i18n.language, { maximumFractionDigits: 2 })]),
                ],
              }))}
            />
          )
        }
      </QueryState>
    </section>
  );
}
