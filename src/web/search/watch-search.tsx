import { useState } from 'react';
import { type SearchMatch, withoutFilters } from '#contract/search-query.ts';
import type { ScopedProject } from '#contract/search-results.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { WatchButton } from '../parts/watch-button.tsx';
import { Button } from '../ui/button.tsx';

interface WatchSearchProps {
  q: string;
  match: SearchMatch;
  projects: readonly ScopedProject[];
}

/** Watches the current search in a project; of several, the reader chooses. */
export function WatchSearch({ q, match, projects }: WatchSearchProps) {
  const { t } = useTranslation('watches');
  const [isOpen, setOpen] = useState(false);
  const value = withoutFilters(q, ({ key }) => key === 'repo');
  const subject = (project_id: string) => ({ project_id, kind: 'query' as const, value, match });
  const [only] = projects;
  if (value === '' || !only) return null;
  if (projects.length === 1) return <WatchButton size="small" subject={subject(only.id)} />;
  if (!isOpen) {
    return (
      <Button size="small" onClick={() => setOpen(true)}>
        {t('watch')}
      </Button>
    );
  }
  return (
    <section className="w-full max-w-120 rounded-md border border-border bg-surface p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-sm font-semibold">{t('choose')}</h2>
        <Button size="small" kind="ghost" onClick={() => setOpen(false)}>
          {t('close')}
        </Button>
      </div>
      <ul className="max-h-80 overflow-y-auto">
        {projects.map(({ id, name }) => (
          <li key={id} className="flex min-h-8 items-center justify-between gap-3">
            <span className="min-w-0 truncate">
              <Verbatim text={name} />
            </span>
            <WatchButton size="small" subject={subject(id)} name={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
