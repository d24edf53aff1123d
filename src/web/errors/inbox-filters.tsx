import { useQuery } from '@tanstack/react-query';
import { ListFilter, Search, X } from 'lucide-react';
import { type Ref, Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { ErrorState } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { type FilterProps, SelectFilter } from './select-filter.tsx';

const MoreFilters = lazyComponent(() => import('./more-filters.tsx').then((module) => module.MoreFilters));

interface FilterBarProps extends FilterProps {
  projectId: string | undefined;
  counts: Record<ErrorState, number> | null;
  searchRef: Ref<HTMLInputElement>;
}

/** Filters that are shown only on demand; each of them that is set has a chip. */
const MORE = [
  ...(['kind', 'assignee', 'since'] as const),
  ...(['release', 'new_in', 'regressed_in', 'environment', 'tag'] as const),
] as const;

/** States, search and order in one row; further filters in a second one. */
export function InboxFilterBar({ filters, setFilter, projectId, counts, searchRef }: FilterBarProps) {
  const { t } = useTranslation('inbox');
  const [isOpen, setIsOpen] = useState(false);
  const set = MORE.filter((name) => filters[name] !== '');
  const props = { filters, setFilter };
  return (
    <>
      <StateFilter value={filters.state} counts={counts} onChange={(state) => setFilter('state', state)} />
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full">
        <SearchField ref={searchRef} value={filters.q} onChange={(text) => setFilter('q', text)} />
        {projectId === undefined && <ProjectFilter {...props} />}
        <SelectFilter
          {...props}
          name="sort"
          label={t('sort.label')}
          className="w-36 max-sm:w-[calc(50%-0.25rem)]"
        >
          <option value="">{t('sort.last_seen')}</option>
          <option value="first_seen">{t('sort.first_seen')}</option>
          <option value="count">{t('sort.count')}</option>
        </SelectFilter>
        <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <ListFilter aria-hidden className="size-4" />
          {t('filter.more')}
        </Button>
      </div>
      {(isOpen || set.length > 0) && (
        <div className="flex w-full flex-wrap items-center gap-2 pb-1">
          {isOpen ? (
            <div className="grid w-full grid-cols-2 gap-2 sm:grid-cols-4">
              <Suspense>
                <MoreFilters {...props} projectId={projectId} />
              </Suspense>
            </div>
          ) : (
            <Chips {...props} names={set} projectId={projectId} />
          )}
        </div>
      )}
    </>
  );
}

function ProjectFilter(props: FilterProps) {
  const { t } = useTranslation('inbox');
  const projects = useQuery(apiQuery('GET /projects'));
  return (
    <SelectFilter
      {...props}
      name="project"
      label={t('filter.project')}
      className="w-40 max-sm:w-[calc(50%-0.25rem)]"
    >
      <option value="">{t('filter.all_projects')}</option>
      {projects.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectFilter>
  );
}

interface ChipsProps extends FilterProps {
  names: readonly (typeof MORE)[number][];
  projectId: string | undefined;
}

/** Filters that are set, each to be removed by a click. */
function Chips({ filters, setFilter, names, projectId }: ChipsProps) {
  const { t } = useTranslation('inbox');
  const id = projectId ?? filters.project;
  const { data } = useQuery({
    ...apiQuery('GET /projects/:id/members', { params: { id } }),
    enabled: id !== '' && !/^(?:me|none|)$/.test(filters.assignee),
  });
  const textOf = (name: (typeof MORE)[number]) => {
    const value = filters[name];
    if (name === 'kind') return t(`ui:state.${value}`);
    if (name !== 'since' && name !== 'assignee') return value;
    const member = data?.members.find(({ user_id }) => user_id === value)?.username;
    return member ?? t(`${name}.${value}`);
  };
  return names.map((name) => (
    <Button key={name} size="small" onClick={() => setFilter(name, '')} title={t('filter.remove')}>
      <span className="max-w-60 truncate">
        <span className="text-muted">{t(`label.${name}`)}</span> <Verbatim text={textOf(name)} />
      </span>
      <X aria-hidden className="size-3.5" />
      <span className="sr-only">{t('filter.remove')}</span>
    </Button>
  ));
}

const STATES = ['', 'regressed', 'solved', 'snoozed', 'ignored', 'all'] as const;

interface StateFilterProps {
  value: string;
  counts: Record<ErrorState, number> | null;
  onChange: (state: string) => void;
}

/** States as a row of buttons with their numbers. */
function StateFilter({ value, counts, onChange }: StateFilterProps) {
  const { t, i18n } = useTranslation('inbox');
  const number = new Intl.NumberFormat(i18n.language);
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const countOf = counts && { ...counts, '': counts.open + counts.regressed, all: all ?? 0 };
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1 max-sm:flex-1 max-sm:basis-0">
      <legend className="sr-only">{t('filter.state')}</legend>
      {STATES.map((state) => (
        <Button
          key={state}
          kind="ghost"
          size="small"
          aria-pressed={value === state}
          className="aria-pressed:bg-select aria-pressed:font-semibold"
          onClick={() => onChange(state)}
        >
          {t(`filter.${state || 'unsolved'}`)}
          {countOf && <span className="font-normal text-muted">{number.format(countOf[state])}</span>}
        </Button>
      ))}
    </fieldset>
  );
}

const SEARCH_DELAY_MS = 250;

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>;
  value: string;
  onChange: (text: string) => void;
}

/** Search in titles and places, applied after a pause in typing. */
function SearchField({ ref, value, onChange }: SearchFieldProps) {
  const { t } = useTranslation('inbox');
  const [text, setText] = useState(value);
  const apply = useEffectEvent(onChange);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => apply(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className="relative w-56 max-sm:w-full">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2 size-4 text-muted" />
      <Input
        ref={ref}
        type="search"
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        maxLength={200}
        className="pl-8"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}
