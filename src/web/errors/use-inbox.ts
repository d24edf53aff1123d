import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api } from '../api.ts';
import { errorKeys } from '../query-keys.ts';

const PAGE_SIZE = 50;
const FILTERS = [
  'state',
  'project',
  'kind',
  'q',
  'assignee',
  'release',
  'new_in',
  'regressed_in',
  'environment',
  'tag',
  'since',
  'sort',
] as const;
/** Filter of the inbox by its name in the address. */
export type FilterName = (typeof FILTERS)[number];

/** Filters of the inbox, as they are in the address. */
export type InboxFilters = Record<FilterName, string>;

const HOUR_MS = 3_600_000;
/** Ages to which the list can be limited, by their names in the address. */
export const SINCE_HOURS = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;

/** Filters in the address; `unsolved` is the state when none is given, and `all` shows every one. */
export function useInboxFilters() {
  const [params, setParams] = useSearchParams();
  const filters = Object.fromEntries(FILTERS.map((name) => [name, params.get(name) ?? ''])) as InboxFilters;
  const setFilter = (name: FilterName, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const isFiltered = FILTERS.some((name) => name !== 'sort' && filters[name] !== '');
  return { filters, setFilter, isFiltered, clear: () => setParams({}, { preventScrollReset: true }) };
}

/** Pages of the errors that match the filters, of one project when `projectId` is given. */
export function useInbox({ state, project, since, ...rest }: InboxFilters, projectId?: string) {
  const filters: Record<string, string> = Object.fromEntries(
    Object.entries({
      ...rest,
      state: state === 'all' ? '' : state || 'unsolved',
      project_id: projectId ?? project,
    }).filter(([, value]) => value !== ''),
  );
  return useInfiniteQuery({
    queryKey: errorKeys.inbox({ ...filters, since }),
    queryFn: ({ pageParam, signal }) => {
      const hours = SINCE_HOURS[since as keyof typeof SINCE_HOURS];
      const query = {
        ...filters,
        ...(hours && { since: new Date(Date.now() - hours * HOUR_MS).toISOString() }),
        limit: String(PAGE_SIZE),
        ...(pageParam && { cursor: pageParam }),
      };
      return api('GET /errors', { query }, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}
