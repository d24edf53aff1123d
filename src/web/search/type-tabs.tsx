import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Link } from 'react-router';
import { SEARCH_TYPES, type SearchType, withFilter, withoutFilters } from '#contract/search-query.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ownBranchesField, type SearchState, searchStateUrl } from './search-state.ts';

interface TypeTabsProps extends Pick<SearchState, 'match' | 'ownBranches'> {
  q: string;
  type: SearchType;
  /** True once the results of the chosen type are there, so that counting the others does not delay them. */
  ready: boolean;
}

/** Types of results as links, with their counts. */
export function TypeTabs({ q, match, ownBranches, type, ready }: TypeTabsProps) {
  const { t, i18n } = useTranslation('search');
  const counts = useQuery({
    ...apiQuery('GET /search/counts', {
      query: { q, match, own_branches: ownBranchesField({ ownBranches }) },
    }),
    enabled: ready,
    retry: false,
    staleTime: 60_000,
  });
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <nav aria-label={t('types')} className="mt-3 tab-strip flex gap-5 border-b border-border">
      {SEARCH_TYPES.map((one) => {
        const count = counts.data?.counts.find((counted) => counted.type === one);
        const kept = match === 'regex' && one !== 'code' ? 'words' : match;
        const target =
          one === 'code' ? withoutFilters(q, ({ key }) => key === 'type') : withFilter(q, 'type', one);
        return (
          <Link
            key={one}
            to={searchStateUrl({ q: target, match: kept, ownBranches })}
            aria-current={one === type ? 'page' : undefined}
            className={clsx(
              '-mb-px flex h-9 shrink-0 items-center gap-1.5 border-b-2 hover:text-foreground focus-visible:-outline-offset-2',
              one === type ? 'border-action font-semibold' : 'border-transparent text-muted',
            )}
          >
            {t(`type.${one}`)}
            {count && (
              <span className="text-sm font-normal text-muted tabular-nums">
                {format.format(count.total)}
                {!count.complete && '+'}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
