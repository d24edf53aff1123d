import { useQuery } from '@tanstack/react-query';
import type { ModelUsage } from '#contract/models.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatFullDateTime } from '../ui/format-time.ts';
import { Section } from '../ui/section.tsx';

/** Language model usage of the user; hidden when nothing is used or limited. */
export function ModelUsageSection() {
  const { t } = useTranslation('settings');
  const use = useQuery(apiQuery('GET /model/usage')).data;
  if (!use) return null;
  const isLimited = [use.day, use.month].some(({ budget }) => budget.tokens !== null || budget.cost !== null);
  if (!isLimited && use.month.tokens === 0) return null;
  return (
    <Section title={t('quota.title')}>
      <p className="mb-2 max-w-[68ch] text-muted">{t(isLimited ? 'quota.limited' : 'quota.free')}</p>
      <DescriptionList
        borderless
        items={{
          [t('quota.day')]: <UsageRow span={use.day} currency={use.currency} />,
          [t('quota.month')]: <UsageRow span={use.month} currency={use.currency} />,
        }}
      />
    </Section>
  );
}

function UsageRow({ span, currency }: { span: ModelUsage['day']; currency: string | null }) {
  const { t, i18n } = useTranslation('settings');
  const number = (value: number) => value.toLocaleString(i18n.language);
  const money = (value: number) =>
    value.toLocaleString(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const tokens = t(span.budget.tokens === null ? 'quota.tokens' : 'quota.tokens_of', {
    taken: number(span.tokens),
    of: number(span.budget.tokens ?? 0),
  });
  const cost = `${money(span.cost)}${span.budget.cost === null ? '' : ` / ${money(span.budget.cost)}`} ${currency}`;
  const isLimited = span.budget.tokens !== null || span.budget.cost !== null;
  return (
    <span className="flex flex-wrap gap-x-3 tabular-nums">
      <span>{tokens}</span>
      {currency && <span>{cost}</span>}
      {isLimited && (
        <span className="text-muted">
          {t('quota.until', { at: formatFullDateTime(span.resets_at, i18n.language) })}
        </span>
      )}
    </span>
  );
}
