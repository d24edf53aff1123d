import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ModelUse } from '#contract/models.ts';
import { read } from '../query.ts';
import { Details } from '../ui/details.tsx';
import { fullTime } from '../ui/time.ts';
import { Section } from './section.tsx';

/** What the reader's answers took of the language model; nothing where none was used and none is limited. */
export function ModelUseSection() {
  const { t } = useTranslation('settings');
  const use = useQuery(read('GET /model/use')).data;
  if (!use) return null;
  const isLimited = [use.day, use.month].some(({ budget }) => budget.tokens !== null || budget.cost !== null);
  if (!isLimited && use.month.tokens === 0) return null;
  return (
    <Section title={t('model.title')}>
      <p className="mb-2 max-w-[68ch] text-muted">{t(isLimited ? 'model.limited' : 'model.free')}</p>
      <Details
        open
        of={{
          [t('model.day')]: <Span span={use.day} currency={use.currency} />,
          [t('model.month')]: <Span span={use.month} currency={use.currency} />,
        }}
      />
    </Section>
  );
}

function Span({ span, currency }: { span: ModelUse['day']; currency: string | null }) {
  const { t, i18n } = useTranslation('settings');
  const number = (value: number) => value.toLocaleString(i18n.language);
  const money = (value: number) =>
    value.toLocaleString(i18n.language, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
  const tokens = t(span.budget.tokens === null ? 'model.tokens' : 'model.tokens_of', {
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
        <span className="text-muted">{t('model.until', { at: fullTime(span.until, i18n.language) })}</span>
      )}
    </span>
  );
}
