import { Link, useSearchParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { buttonClass } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';
import { PROJECT_SORTS, PROJECT_STATES, type readListOptions } from './project-selection.ts';

/** Changes parameters of the address; empty values are removed, and paging starts again. */
function useListQuery() {
  const [query, setQuery] = useSearchParams();
  return (name: string, value: string, preset: string) => {
    const changed = new URLSearchParams(query);
    changed.delete('page');
    if (value === preset) changed.delete(name);
    else changed.set(name, value);
    setQuery(changed, { replace: true });
  };
}

interface ProjectFiltersProps {
  options: ReturnType<typeof readListOptions>;
  /** Projects that match. */
  total: number;
}

/** Search, state and order of the list of projects, which the address holds. */
export function ProjectFilters({ options, total }: ProjectFiltersProps) {
  const { t, i18n } = useTranslation('projects');
  const set = useListQuery();
  return (
    <search className="mb-3 flex flex-wrap items-center gap-3">
      <div className="w-64 max-w-full">
        <Input
          type="search"
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          value={options.q}
          onChange={(event) => set('q', event.target.value, '')}
        />
      </div>
      <Select
        aria-label={t('list.state')}
        value={options.state}
        onChange={(event) => set('state', event.target.value, 'all')}
      >
        {PROJECT_STATES.map((state) => (
          <option key={state} value={state}>
            {t(`list.states.${state}`)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('list.sort')}
        value={options.sort}
        onChange={(event) => set('sort', event.target.value, 'newest')}
      >
        {PROJECT_SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {t(`list.sorts.${sort}`)}
          </option>
        ))}
      </Select>
      <p role="status" className="ml-auto text-muted">
        {t('list.count', { count: total, value: new Intl.NumberFormat(i18n.language).format(total) })}
      </p>
    </search>
  );
}

/** Links to the previous and the next page; nothing for a single one. */
export function ProjectPages({ page, pages }: { page: number; pages: number }) {
  const { t } = useTranslation('projects');
  const [query] = useSearchParams();
  if (pages === 1) return null;
  const to = (number: number) => {
    const changed = new URLSearchParams(query);
    changed.set('page', String(number));
    return `?${changed}`;
  };
  return (
    <nav aria-label={t('list.pages')} className="mt-4 flex items-center gap-3">
      {page > 1 && (
        <Link to={to(page - 1)} className={buttonClass()}>
          {t('list.previous')}
        </Link>
      )}
      <span className="text-muted">{t('list.page', { page: Math.min(page, pages), pages })}</span>
      {page < pages && (
        <Link to={to(page + 1)} className={buttonClass()}>
          {t('list.next')}
        </Link>
      )}
    </nav>
  );
}
