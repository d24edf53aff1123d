import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ErrorGroup, ErrorState } from '#contract/error-groups.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { debugSessionKeys, errorKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';

const PAGE_SIZE = 50;
const FILTERS = ['state', 'project', 'kind', 'q'] as const;

/** Filters of the inbox, as they are in the address. */
export type InboxFilters = Record<(typeof FILTERS)[number], string>;

/** Filters in the address; `unsolved` is the state when none is given, and `all` shows every one. */
export function useInboxFilters() {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? ''])) as InboxFilters;
  const setFilter = (name: keyof InboxFilters, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const isFiltered = FILTERS.some((name) => filters[name] !== '');
  return { filters, setFilter, isFiltered, clear: () => setParams({}, { preventScrollReset: true }) };
}

/** Pages of the errors that match the filters. */
export function useInbox({ state, project, kind, q }: InboxFilters) {
  const filters = {
    ...(state !== 'all' && { state: state || 'unsolved' }),
    ...(project !== '' && { project_id: project }),
    ...(kind !== '' && { kind }),
    ...(q !== '' && { q }),
  } as Record<string, string>;
  return useInfiniteQuery({
    queryKey: errorKeys.inbox(filters),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: String(PAGE_SIZE), ...(pageParam && { cursor: pageParam }) };
      return api('GET /errors', { query }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** Resolves or reopens errors, with Undo in a toast. */
export function useErrorStates() {
  const { t } = useTranslation('inbox');
  const client = useQueryClient();
  const toast = useToast();
  const save = async (changes: { id: string; state: ErrorState }[]) => {
    const { errors } = await api('PATCH /errors', { body: { changes } });
    await Promise.all(
      [errorKeys.all, debugSessionKeys.all, debugSessionKeys.details].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
    return errors;
  };
  return useMutation({
    mutationFn: ({ errors, state }: { errors: Pick<ErrorGroup, 'id'>[]; state: ErrorState }) =>
      save(errors.map(({ id }) => ({ id, state }))),
    onSuccess: (changed, { state }) => {
      const undo = changed.map(({ id, previous_state }) => ({ id, state: previous_state }));
      toast(t(state === 'solved' ? 'toast.solved' : 'toast.reopened', { count: changed.length }), {
        onUndo: () => save(undo),
      });
    },
  });
}
