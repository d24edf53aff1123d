import type { SubmitEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { CommitFilters } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, Input, Select } from '../ui/field.tsx';

const TEXTS = ['q', 'author', 'path'] as const;
const DAYS = ['since', 'until'] as const;
const KINDS = ['fix', 'revert', 'merge'] as const;

/** Filters of a list of commits, stored in the address. */
export function CommitFilterBar({ projectId, filters }: { projectId: string; filters: CommitFilters }) {
  const { t } = useTranslation('code');
  const [search, setSearch] = useSearchParams();
  const isFiltered = Object.keys(filters).length > 0;
  const isGraph = search.get('graph') === '1';
  const apply = (form: HTMLFormElement) => {
    const next = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value === 'string' && value.trim() !== '') next.set(name, value.trim());
    }
    setSearch(next, { preventScrollReset: true });
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(event.currentTarget);
  };
  return (
    <search>
      <form
        // Fields follow the address, as after Back.
        key={JSON.stringify(filters)}
        onSubmit={onSubmit}
        aria-label={t('filters.label')}
        className="commit-filters mb-4"
      >
        {TEXTS.map((name) => (
          <Field key={name} label={t(`filters.${name}`)}>
            <Input
              name={name}
              defaultValue={filters[name] ?? ''}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              placeholder={t(`filters.${name}_hint`)}
            />
          </Field>
        ))}
        {DAYS.map((name) => (
          <Field key={name} label={t(`filters.${name}`)}>
            <Input
              type="date"
              name={name}
              defaultValue={filters[name] ?? ''}
              onChange={(event) => event.currentTarget.form && apply(event.currentTarget.form)}
            />
          </Field>
        ))}
        <Field label={t('filters.kind')}>
          <Select
            name="kind"
            defaultValue={filters.kind ?? ''}
            onChange={(event) => event.currentTarget.form && apply(event.currentTarget.form)}
          >
            <option value="">{t('filters.any')}</option>
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`filters.kinds.${kind}`)}
              </option>
            ))}
          </Select>
        </Field>
        <div className="flex flex-wrap items-end gap-2">
          <Button type="submit">{t('filters.apply')}</Button>
          {isFiltered ? (
            <ButtonLink kind="ghost" to="?">
              {t('filters.clear')}
            </ButtonLink>
          ) : (
            <ButtonLink kind="ghost" to={isGraph ? '?' : '?graph=1'}>
              {t(isGraph ? 'filters.list' : 'filters.graph')}
            </ButtonLink>
          )}
          <Link to={`/projects/${projectId}/compare`} className="link flex h-8 items-center">
            {t('compare.open')}
          </Link>
        </div>
      </form>
    </search>
  );
}
