import { clsx } from 'clsx';
import { CircleAlert, X } from 'lucide-react';
import {
  type SearchFilter,
  type SearchProblem,
  type SearchQuery,
  withoutFilters,
} from '#contract/search-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';

interface FilterChipsProps {
  /** Id of the list of problems. */
  id: string;
  q: string;
  query: SearchQuery;
  onChange: (q: string) => void;
}

/** Filters of the query, each removable, and what is wrong with them. */
export function FilterChips({ id, q, query, onChange }: FilterChipsProps) {
  const { t } = useTranslation('search');
  const { filters, problems } = query;
  const shown = filters.filter(({ key }) => key !== 'type');
  const wrong = new Set(problems.map(({ filter }) => filter?.from));
  const remove = (filter: SearchFilter) => onChange(withoutFilters(q, ({ from }) => from === filter.from));
  if (shown.length === 0 && problems.length === 0) return null;
  return (
    <div className="mt-2 flex flex-col gap-2">
      {shown.length > 0 && (
        <ul className="flex flex-wrap items-center gap-1.5" aria-label={t('filters')}>
          {shown.map((filter) => (
            <li key={filter.from}>
              <button
                type="button"
                title={t('remove_filter')}
                onClick={() => remove(filter)}
                className={clsx(
                  'flex h-6 max-w-80 items-center gap-1 rounded-sm border bg-surface pr-1 pl-2 font-mono text-sm hover:bg-select',
                  wrong.has(filter.from) ? 'border-foreground' : 'border-border',
                )}
              >
                <span className="min-w-0 truncate">
                  <span className="text-muted">
                    {filter.negated ? '-' : ''}
                    {filter.key}:
                  </span>
                  <Verbatim text={filter.value} />
                </span>
                <X aria-hidden className="size-3.5 shrink-0 text-muted" />
                <span className="sr-only">{t('remove_filter')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <ul id={id} className="flex flex-col gap-1">
          {problems.map((problem) => (
            <li
              key={`${problem.code}${problem.filter?.from}`}
              className="flex flex-wrap items-center gap-x-2"
            >
              <CircleAlert aria-hidden className="state-solid size-3.5 shrink-0" />
              <span className="font-medium">
                <ProblemText problem={problem} type={query.type} />
              </span>
              {problem.filter && (
                <Button size="small" onClick={() => remove(problem.filter!)}>
                  {t('remove_filter')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ProblemText({
  problem: { code, filter },
  type,
}: {
  problem: SearchProblem;
  type: SearchQuery['type'];
}) {
  const { t } = useTranslation('search');
  return t(`problem.${code}`, {
    key: `${filter?.key}:`,
    value: filter?.value,
    type: t(`type.${type}`),
  });
}
