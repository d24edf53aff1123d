import { useRef, useState } from 'react';
import type { ErrorGroup, ErrorState } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorRow } from '../parts/error-row.tsx';
import { Button } from '../ui/button.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxToolbar } from './inbox-toolbar.tsx';
import { useErrorStates, useInbox, useInboxFilters } from './use-inbox.ts';
import { useInboxKeys } from './use-inbox-keys.ts';

/** Errors of all projects with filters in the address, selection, bulk actions and keys. */
export function Inbox() {
  const { t } = useTranslation('inbox');
  const { filters, setFilter, isFiltered, clear } = useInboxFilters();
  const query = useInbox(filters);
  const change = useErrorStates();
  const errors = query.data?.pages.flatMap((page) => page.errors) ?? [];
  const counts = query.data?.pages[0]?.counts;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // An error that a filter hides is not changed with the others.
  const selected = errors.filter(({ id }) => chosen.has(id));
  const toggle = ({ id }: ErrorGroup) =>
    setChosen((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id])));
  const setState = (changed: ErrorGroup[], state: ErrorState) =>
    change.mutate({ errors: changed, state }, { onSuccess: () => setChosen(new Set()) });

  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useInboxKeys({
    links: () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])],
    onSelect: (index) => errors[index] && toggle(errors[index]),
    onResolve: (index) => {
      const current = index === null ? undefined : errors[index];
      const affected = selected.length > 0 ? selected : current ? [current] : [];
      if (affected.length === 0) return;
      setState(affected, affected.every(({ state }) => state === 'solved') ? 'open' : 'solved');
    },
    onSearch: () => search.current?.focus(),
  });
  return (
    <section aria-labelledby="inbox">
      <h2 id="inbox" className="mb-2 text-answer">
        {t('title')}
      </h2>
      <InboxToolbar
        filters={filters}
        setFilter={setFilter}
        counts={counts ?? null}
        shown={errors}
        selected={selected}
        isPending={change.isPending}
        searchRef={search}
        onSelect={(all) => setChosen(new Set(all.map(({ id }) => id)))}
        onChange={(state) => setState(selected, state)}
      />
      {change.error && (
        <Notice
          kind="error"
          className="my-2"
          onRetry={() => change.variables && change.mutate(change.variables)}
        >
          {change.error.message}
        </Notice>
      )}
      <QueryState
        query={query}
        showStaleError
        errorClassName="my-2"
        loading={['82%', '64%', '76%', '58%']}
        isEmpty={() => errors.length === 0}
        empty={
          <InboxEmpty isFiltered={isFiltered} hasErrors={counts !== null && hasAny(counts)} onClear={clear} />
        }
      >
        {() => (
          <ul ref={list} aria-busy={query.isPlaceholderData}>
            {errors.map((error) => (
              <InboxRow
                key={error.id}
                error={error}
                isSelected={chosen.has(error.id)}
                onToggle={() => toggle(error)}
                onChange={(state) => setState([error], state)}
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
    </section>
  );
}

function hasAny(counts: Record<ErrorState, number> | undefined): boolean {
  return counts !== undefined && Object.values(counts).some((count) => count > 0);
}

interface InboxRowProps {
  error: ErrorGroup;
  isSelected: boolean;
  onToggle: () => void;
  onChange: (state: ErrorState) => void;
}

function InboxRow({ error, isSelected, onToggle, onChange }: InboxRowProps) {
  const { t } = useTranslation('inbox');
  const isSolved = error.state === 'solved';
  return (
    <li className="border-b border-border">
      <ErrorRow
        error={error}
        selected={isSelected}
        before={
          // The checkbox and the actions lie above the link, which covers the row.
          <input
            type="checkbox"
            className="checkbox relative z-10 size-4 shrink-0"
            aria-label={t('select', { title: error.title })}
            checked={isSelected}
            onChange={onToggle}
          />
        }
        actions={
          <Button size="small" onClick={() => onChange(isSolved ? 'open' : 'solved')}>
            {t(isSolved ? 'reopen' : 'resolve')}
          </Button>
        }
      />
    </li>
  );
}

const KEYS = ['j', 'k', 'x', 'e', '/'] as const;

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
