import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import type { MeasuredScope } from '#contract/evolution.ts';
import { useTranslation } from '../i18n.ts';
import { Field, Input } from '../ui/field.tsx';
import { useEvolutionScope } from './use-evolution-scope.ts';

interface ScopeControlsProps {
  scope: MeasuredScope;
  /** Folders below the current one, to complete what is typed. */
  folders: readonly string[];
}

/** Lengths of time up to the last day, in months; null for everything. */
const RANGES = [
  ['quarter', 3],
  ['year', 12],
  ['five_years', 60],
  ['all', null],
] as const;

/** Period and folder of the page: presets, days, and the way to the folder. All of them are addresses. */
export function ScopeControls({ scope, folders }: ScopeControlsProps) {
  const { t } = useTranslation('evolution');
  const { query, searchFor, change } = useEvolutionScope();
  const listId = useId();
  const last = scope.last_day ?? scope.to;
  return (
    <div className="mb-6 flex flex-wrap items-end gap-x-6 gap-y-3 print:hidden">
      <nav aria-label={t('range.label')} className="flex h-8 items-center gap-4 max-sm:w-full">
        {RANGES.map(([name, months]) => {
          const from = months === null ? (scope.first_day ?? undefined) : monthsBefore(last, months);
          const target = name === 'year' ? {} : { from };
          const isCurrent = query.to === undefined && (query.from ?? '') === (target.from ?? '');
          return (
            <Link
              key={name}
              to={searchFor({ from: target.from, to: undefined })}
              preventScrollReset
              aria-current={isCurrent ? 'true' : undefined}
              className="text-muted hover:text-foreground aria-[current]:font-semibold aria-[current]:text-foreground"
            >
              {t(`range.${name}`)}
            </Link>
          );
        })}
      </nav>
      {(['from', 'to'] as const).map((end) => (
        <Field key={end} label={t(`range.${end}`)}>
          <Input
            key={scope[end]}
            type="date"
            defaultValue={scope[end]}
            min={scope.first_day ?? undefined}
            max={last}
            className="w-34"
            onBlur={({ target }) => {
              if (target.value && target.value !== scope[end])
                change({ from: scope.from, to: scope.to, [end]: target.value });
            }}
            onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          />
        </Field>
      ))}
      <form
        className="min-w-56 flex-1"
        onSubmit={(event) => {
          event.preventDefault();
          const path = new FormData(event.currentTarget).get('path');
          change({
            path: String(path ?? '')
              .trim()
              .replace(/^\/+|\/+$/g, ''),
          });
        }}
      >
        <Field label={t('range.path')}>
          <Input
            key={scope.path}
            name="path"
            defaultValue={scope.path}
            placeholder={t('range.all_folders')}
            list={listId}
            maxLength={1000}
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        <datalist id={listId}>
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </form>
    </div>
  );
}

/** The way from the whole project to the folder of the page. */
export function FolderTrail({ path }: { path: string }) {
  const { t } = useTranslation('evolution');
  const { searchFor } = useEvolutionScope();
  if (path === '') return null;
  const parts = path.split('/');
  return (
    <nav aria-label={t('range.trail')} className="mb-4 flex flex-wrap items-center gap-1 font-mono text-code">
      <Link to={searchFor({ path: undefined })} className="link font-sans">
        {t('range.all_folders')}
      </Link>
      {parts.map((part, index) => {
        const target = parts.slice(0, index + 1).join('/');
        return (
          <span key={target} className="flex items-center gap-1">
            <ChevronRight aria-hidden className="size-3 text-muted" />
            {index === parts.length - 1 ? (
              part
            ) : (
              <Link to={searchFor({ path: target })} className="link">
                {part}
              </Link>
            )}
          </span>
        );
      })}
    </nav>
  );
}

function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}
