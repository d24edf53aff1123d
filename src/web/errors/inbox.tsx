import { Suspense, useRef, useState } from 'react';
import type { ErrorGroup } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxRow } from './inbox-row.tsx';
import { InboxToolbar } from './inbox-toolbar.tsx';
import { useErrorKeys } from './use-error-keys.ts';
import { useInbox, useInboxFilters } from './use-inbox.ts';
import { isOneProject, type Triage, useTriage } from './use-triage.ts';

const OccurrenceChart = lazyComponent(() =>
  import('./occurrence-chart.tsx').then((module) => module.OccurrenceChart),
);

const TriageDialogs = lazyComponent(() =>
  import('./triage-dialogs.tsx').then((module) => module.TriageDialogs),
);

interface InboxProps {
  /** Errors of one project; of all projects when absent. */
  projectId?: string;
}

/** Errors with filters in the address, their occurrences, selection, bulk actions and keys. */
export function Inbox({ projectId }: InboxProps) {
  const { t } = useTranslation(['inbox', 'errors-page']);
  const { filters, setFilter, isFiltered, clear } = useInboxFilters();
  const query = useInbox(filters, projectId);
  const errors = query.data?.pages.flatMap((page) => page.errors) ?? [];
  const counts = query.data?.pages[0]?.counts ?? null;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const triage = useTriage(() => setChosen(new Set()));
  // An error that a filter hides is not changed with the others.
  const selected = errors.filter(({ id }) => chosen.has(id));
  const toggle = ({ id }: ErrorGroup) =>
    setChosen((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));

  const hasErrors = counts !== null && Object.values(counts).some((count) => count > 0);
  // Nothing to filter and nothing to select.
  const isNew = counts !== null && !hasErrors && !isFiltered;

  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useInboxKeys({ list, errors, selected, triage, onToggle: toggle, onSearch: () => search.current?.focus() });
  return (
    <section aria-labelledby="inbox">
      <InboxHeading errors={errors} />
      {!isNew && (
        <InboxToolbar
          filters={filters}
          setFilter={setFilter}
          projectId={projectId}
          counts={counts}
          shown={errors}
          selected={selected}
          triage={triage}
          searchRef={search}
          onSelect={(all) => setChosen(new Set(all.map(({ id }) => id)))}
        />
      )}
      {triage.error && (
        <Notice kind="error" className="my-2" onRetry={triage.retry}>
          {triage.error.message}
        </Notice>
      )}
      <QueryState
        query={query}
        showStaleError
        errorClassName="my-2"
        loading={['82%', '64%', '76%', '58%']}
        isEmpty={() => errors.length === 0}
        empty={
          <InboxEmpty isFiltered={isFiltered} hasErrors={hasErrors} projectId={projectId} onClear={clear} />
        }
      >
        {() => (
          <ul ref={list} aria-busy={query.isPlaceholderData}>
            {errors.map((error) => (
              <InboxRow
                key={error.id}
                error={error}
                showsProject={projectId === undefined}
                isSelected={chosen.has(error.id)}
                onToggle={() => toggle(error)}
                triage={triage}
              />
            ))}
          </ul>
        )}
      </QueryState>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        {query.hasNextPage && (
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
        {errors.length > 0 && <KeyHints />}
      </div>
      <InboxDialogs triage={triage} onDone={() => setChosen(new Set())} />
    </section>
  );
}

function InboxHeading({ errors }: { errors: ErrorGroup[] }) {
  const { t } = useTranslation('inbox');
  return (
    <div className="mb-2 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
      <h2 id="inbox" className="text-answer">
        {t('title')}
      </h2>
      {errors.length > 0 && <ListChart errors={errors} />}
    </div>
  );
}

function InboxDialogs({ triage, onDone }: { triage: Triage; onDone: () => void }) {
  if (!triage.dialog) return null;
  return (
    <Suspense fallback={null}>
      <TriageDialogs triage={triage} onMerged={onDone} onDeleted={onDone} />
    </Suspense>
  );
}

interface InboxKeys {
  list: React.RefObject<HTMLUListElement | null>;
  errors: ErrorGroup[];
  selected: ErrorGroup[];
  triage: Triage;
  onToggle: (error: ErrorGroup) => void;
  onSearch: () => void;
}

/** Keys of the inbox; those that change errors take the selected ones, or else the one with the focus. */
function useInboxKeys({ list, errors, selected, triage, onToggle, onSearch }: InboxKeys): void {
  useErrorKeys((event) => {
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('.row a[data-error]') ?? [])];
    const row = (event.target as HTMLElement).closest?.('.row');
    const current = row ? links.findIndex((link) => row.contains(link)) : -1;
    const focused = errors[current];
    const affected = selected.length > 0 ? selected : focused ? [focused] : [];
    return {
      j: () => links[Math.min(links.length - 1, current + 1)]?.focus(),
      k: () => links[Math.max(0, current - 1)]?.focus(),
      x: () => focused && onToggle(focused),
      e: () => triage.toggleSolved(affected),
      a: () => triage.ask('assign', affected),
      s: () => triage.ask('snooze', affected),
      i: () => triage.change(affected, { state: 'ignored' }),
      m: () => isOneProject(affected) && triage.ask('merge', affected),
      '/': onSearch,
    };
  });
}

/** Occurrences of the shown errors together. */
function ListChart({ errors }: { errors: ErrorGroup[] }) {
  const { t } = useTranslation('inbox');
  const weeks = (errors[0]?.weeks ?? []).map((_, week) =>
    errors.reduce((sum, error) => sum + (error.weeks[week] ?? 0), 0),
  );
  const className = 'min-h-13 w-full max-w-80 max-md:hidden';
  return (
    <Suspense fallback={<div className={className} />}>
      <OccurrenceChart
        label={t('chart', { count: errors.length })}
        unit="week"
        values={weeks}
        isCompact
        className={className}
      />
    </Suspense>
  );
}

const KEYS = ['j', 'k', 'x', 'e', 'a', 's', 'i', 'm', '/'] as const;

function KeyHints() {
  const { t } = useTranslation('inbox');
  return (
    <p className="ml-auto flex flex-wrap gap-x-3 text-sm text-muted max-md:hidden">
      {KEYS.map((key) => (
        <span key={key}>
          <Kbd>{key}</Kbd> {t(`keys.${key === '/' ? 'slash' : key}`)}
        </span>
      ))}
    </p>
  );
}
