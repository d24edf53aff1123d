import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type Ref, useEffect, useEffectEvent, useState } from 'react';
import type { ErrorGroup, ErrorState, VerdictKind } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';
import type { InboxFilters } from './use-inbox.ts';

const KINDS = [
  'regression',
  'defect',
  'raised_on_purpose',
  'caller',
  'environment',
  'other_project',
  'unclear',
] as const satisfies VerdictKind[];

interface InboxToolbarProps extends FilterProps {
  shown: ErrorGroup[];
  selected: ErrorGroup[];
  isPending: boolean;
  onSelect: (errors: ErrorGroup[]) => void;
  onChange: (state: ErrorState) => void;
}

/** Filters of the inbox; actions in their place while errors are selected. */
export function InboxToolbar({
  shown,
  selected,
  isPending,
  onSelect,
  onChange,
  ...filters
}: InboxToolbarProps) {
  const { t } = useTranslation('inbox');
  const isAll = selected.length > 0 && selected.length === shown.length;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 border-b border-border py-1">
      <input
        type="checkbox"
        className="checkbox size-4 shrink-0"
        aria-label={t('select_all')}
        disabled={shown.length === 0}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = selected.length > 0 && !isAll;
        }}
        onChange={() => onSelect(isAll ? [] : shown)}
      />
      {selected.length > 0 ? (
        <>
          <span role="status" className="font-semibold">
            {t('selected', { count: selected.length })}
          </span>
          <Button size="small" loading={isPending} onClick={() => onChange('solved')}>
            {t('resolve')}
          </Button>
          <Button size="small" loading={isPending} onClick={() => onChange('open')}>
            {t('reopen')}
          </Button>
          <Button size="small" kind="ghost" onClick={() => onSelect([])}>
            {t('deselect')}
          </Button>
        </>
      ) : (
        <Filters {...filters} />
      )}
    </div>
  );
}

interface FilterProps {
  filters: InboxFilters;
  setFilter: (name: keyof InboxFilters, value: string) => void;
  counts: Record<ErrorState, number> | null;
  searchRef: Ref<HTMLInputElement>;
}

function Filters({ filters, setFilter, counts, searchRef }: FilterProps) {
  const { t } = useTranslation('inbox');
  const projects = useQuery(apiQuery('GET /projects'));
  return (
    <>
      <StateFilter value={filters.state} counts={counts} onChange={(state) => setFilter('state', state)} />
      <Select
        aria-label={t('filter.project')}
        className="w-40 max-sm:w-[calc(50%-0.375rem)]"
        value={filters.project}
        onChange={(event) => setFilter('project', event.target.value)}
      >
        <option value="">{t('filter.all_projects')}</option>
        {projects.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t('filter.kind')}
        className="w-44 max-sm:w-[calc(50%-0.375rem)]"
        value={filters.kind}
        onChange={(event) => setFilter('kind', event.target.value)}
      >
        <option value="">{t('filter.all_kinds')}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`ui:state.${kind}`)}
          </option>
        ))}
      </Select>
      <SearchField ref={searchRef} value={filters.q} onChange={(text) => setFilter('q', text)} />
    </>
  );
}

const STATES = ['', 'regressed', 'solved', 'all'] as const;

interface StateFilterProps {
  value: string;
  counts: Record<ErrorState, number> | null;
  onChange: (state: string) => void;
}

/** States as a row of buttons with their numbers. */
function StateFilter({ value, counts, onChange }: StateFilterProps) {
  const { t, i18n } = useTranslation('inbox');
  const number = new Intl.NumberFormat(i18n.language);
  const countOf = { '': 0, regressed: 0, solved: 0, all: 0 };
  if (counts) {
    const { open, regressed, solved } = counts;
    Object.assign(countOf, { '': open + regressed, regressed, solved, all: open + regressed + solved });
  }
  return (
    <fieldset className="flex flex-wrap gap-1">
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
          {counts && <span className="font-normal text-muted">{number.format(countOf[state])}</span>}
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

/** Search in titles, applied after a pause in typing. */
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
    <div className="relative ml-auto w-64 max-sm:w-full">
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
