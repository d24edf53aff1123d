import type { Ref } from 'react';
import type { ErrorGroup, ErrorState } from '#contract/error-groups.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { InboxFilterBar } from './inbox-filters.tsx';
import { DeleteAction, MergeAction, TriageActions } from './triage-actions.tsx';
import type { FilterName, InboxFilters } from './use-inbox.ts';
import type { Triage } from './use-triage.ts';

interface InboxToolbarProps {
  filters: InboxFilters;
  setFilter: (name: FilterName, value: string) => void;
  projectId: string | undefined;
  counts: Record<ErrorState, number> | null;
  searchRef: Ref<HTMLInputElement>;
  shown: ErrorGroup[];
  selected: ErrorGroup[];
  triage: Triage;
  onSelect: (errors: ErrorGroup[]) => void;
}

/** States with their numbers and filters; actions in their place while errors are selected. */
export function InboxToolbar({ shown, selected, triage, onSelect, ...filters }: InboxToolbarProps) {
  const { t } = useTranslation(['inbox', 'errors-page']);
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
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <span role="status" className="mr-1 font-semibold">
            {t('selected', { count: selected.length })}
          </span>
          <TriageActions errors={selected} triage={triage} size="small" />
          {selected.length > 1 && (
            <MergeAction
              errors={selected}
              triage={triage}
              size="small"
              label={t('errors-page:actions.merge')}
            />
          )}
          <DeleteAction errors={selected} triage={triage} size="small" />
          <Button size="small" kind="ghost" onClick={() => onSelect([])}>
            {t('deselect')}
          </Button>
        </div>
      ) : (
        <InboxFilterBar {...filters} />
      )}
    </div>
  );
}
