import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import {
  type FilterKey,
  filterValues,
  type SearchQuery,
  withFilter,
  withoutFilters,
} from '#contract/search-query.ts';
import type { SearchFacet } from '#contract/search-results.ts';
import { useTranslation } from '../i18n.ts';
import { languageName } from '../parts/language-names.ts';
import { Verbatim } from '../parts/verbatim.tsx';

/** Filter that a value of a facet sets; a state is shown without one. */
const FILTER_OF: Record<SearchFacet['key'], FilterKey | null> = {
  project: 'repo',
  language: 'lang',
  folder: 'path',
  author: 'author',
  state: null,
};

interface FacetListProps {
  facets: SearchFacet[];
  q: string;
  query: SearchQuery;
  total: number;
  complete: boolean;
  onChange: (q: string) => void;
}

/** Counts of the results by project, language, folder, author and state; a value narrows the search. */
export function FacetList({ facets, q, query, total, complete, onChange }: FacetListProps) {
  const { t, i18n } = useTranslation('search');
  const format = new Intl.NumberFormat(i18n.language);
  if (facets.length === 0) return null;
  return (
    <div className="flex flex-col gap-5">
      {!complete && <p className="text-sm text-muted">{t('facets_sample', { count: total })}</p>}
      {facets.map(({ key, values, more }) => (
        <section key={key}>
          <h2 className="mb-1 text-sm font-semibold">{t(`facet.${key}`)}</h2>
          <ul>
            {values.map(({ value, label, count }) => (
              <li key={value}>
                <FacetValue
                  {...{ q, query, onChange, count: format.format(count) }}
                  label={key === 'language' ? languageName(label) : label}
                  filter={FILTER_OF[key]}
                  value={key === 'project' ? label : value}
                />
              </li>
            ))}
          </ul>
          {more > 0 && <p className="px-1.5 text-sm text-muted">{t('facet_more', { count: more })}</p>}
        </section>
      ))}
    </div>
  );
}

interface FacetValueProps extends Pick<FacetListProps, 'q' | 'query' | 'onChange'> {
  filter: FilterKey | null;
  value: string;
  label: string;
  count: string;
}

function FacetValue({ q, query, onChange, filter, value, label, count }: FacetValueProps) {
  const { t } = useTranslation('search');
  const content = (
    <>
      <span className="min-w-0 flex-1 truncate text-left">
        {filter === null ? t(`state.${label}`) : <Verbatim text={label} />}
      </span>
      <span className="shrink-0 text-muted tabular-nums">{count}</span>
    </>
  );
  if (filter === null) return <div className="flex h-6 items-center gap-2 px-1.5 text-sm">{content}</div>;
  const isChosen = filterValues(query, filter).some((one) => one.toLowerCase() === value.toLowerCase());
  const isSame = (one: { key: FilterKey; value: string }) =>
    one.key === filter && one.value.toLowerCase() === value.toLowerCase();
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChange(isChosen ? withoutFilters(q, isSame) : withFilter(q, filter, value))}
      className={clsx(
        'flex h-6 w-full items-center gap-2 rounded-sm px-1.5 text-sm hover:bg-select',
        isChosen && 'bg-select font-semibold',
      )}
    >
      {isChosen && <Check aria-hidden className="size-3.5 shrink-0 text-action" />}
      {content}
    </button>
  );
}
