import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ErrorChange, ErrorChangeResult, ErrorGroup } from '#contract/error-groups.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';

/** Errors that one call changes. */
const MAX_CHANGES = 200;

interface ErrorEdit {
  errors: Pick<ErrorGroup, 'id'>[];
  change: ErrorChange;
}

/** Changes the state or the assignee of errors, with Undo in a toast. */
export function useErrorChanges() {
  const { t } = useTranslation('inbox');
  const refresh = useErrorRefresh();
  const toast = useToast();
  const save = async (changes: (ErrorChange & { id: string })[]) => {
    const results: ErrorChangeResult[] = [];
    for (let start = 0; start < changes.length; start += MAX_CHANGES) {
      const body = { changes: changes.slice(start, start + MAX_CHANGES) };
      results.push(...(await api('PATCH /errors', { body })).errors);
    }
    await refresh();
    return results;
  };
  return useMutation({
    mutationFn: ({ errors, change }: ErrorEdit) => save(errors.map(({ id }) => ({ ...change, id }))),
    onSuccess: (results, { change }) => {
      const undo = results.map(({ id, previous }) => ({ ...restoring(previous, change), id }));
      toast(t(`toast.${toastKey(change)}`, { count: results.length }), { onUndo: () => save(undo) });
    },
  });
}

/** Loads everything again that shows errors: lists, pages and answers. */
export function useErrorRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [...errorKeys.everywhere, debugSessionKeys.all, debugSessionKeys.details].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

/** Change back to the former values, of those fields alone that were changed. */
function restoring(previous: ErrorChangeResult['previous'], change: ErrorChange): ErrorChange {
  const { state, assignee, solved_in, solved_after, snooze } = previous;
  return {
    ...(change.assignee !== undefined && { assignee: assignee?.id ?? null }),
    ...(change.state !== undefined && { state, solved_in, solved_after, snooze }),
  };
}

function toastKey({ state, assignee }: ErrorChange): string {
  if (state !== undefined) return state === 'open' ? 'reopened' : state;
  return assignee === null ? 'unassigned' : 'assigned';
}
