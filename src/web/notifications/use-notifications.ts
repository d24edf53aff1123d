import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import type { NotificationSubject } from '#contract/notifications.ts';
import { ApiError, api } from '../api.ts';
import { notificationKeys } from '../query-keys.ts';

type NotificationPage = ApiReply<'GET /notifications'>;
export type ListedNotification = NotificationPage[number];

const PAGE_SIZE = 50;

/** Filters of the list. */
export interface NotificationFilters {
  unread?: 'true';
  about?: NotificationSubject;
}

/** The reader's notifications, newest first, in pages. */
export function useNotifications(filters: NotificationFilters) {
  return useInfiniteQuery<
    NotificationPage,
    ApiError,
    InfiniteData<NotificationPage, number>,
    readonly unknown[],
    number
  >({
    queryKey: [...notificationKeys.list, filters],
    queryFn: async ({ pageParam, signal }) => {
      try {
        const query = { ...filters, skip: String(pageParam), limit: String(PAGE_SIZE) };
        return await api('GET /notifications', { query }, { signal });
      } catch (error) {
        // As the specification has it, section 8: no such list is an empty one.
        if (error instanceof ApiError && error.status === 404) return [];
        throw error;
      }
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length === PAGE_SIZE ? pages.length * PAGE_SIZE : undefined),
  });
}

type NotificationChange = { kind: 'read' | 'delete' | 'restore'; id: string } | { kind: 'read-all' };

/** Optimistic updates, rolled back on failure; the unread count follows by socket. */
export function useUpdateNotifications() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onMutate: async (change: NotificationChange) => {
      await client.cancelQueries({ queryKey: notificationKeys.list });
      const lists = { queryKey: notificationKeys.list };
      const before = client.getQueriesData<InfiniteData<NotificationPage>>(lists);
      client.setQueriesData<InfiniteData<NotificationPage>>(
        lists,
        (known) => known && { ...known, pages: known.pages.map((page) => applyChange(page, change)) },
      );
      return before;
    },
    onError: (_error, _change, before) => {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: notificationKeys.list }),
        client.invalidateQueries({ queryKey: notificationKeys.unreadCount }),
      ]),
  });
}

function send(change: NotificationChange): Promise<unknown> {
  if (change.kind === 'read-all') return api('POST /notifications/read-all');
  const input = { params: { id: change.id } };
  if (change.kind === 'read') return api('POST /notifications/:id/read', input);
  if (change.kind === 'delete') return api('DELETE /notifications/:id', input);
  return api('POST /notifications/:id/restore', input);
}

/** Applies a change to a page; restored entries return with the next fetch. */
function applyChange(page: NotificationPage, change: NotificationChange): NotificationPage {
  if (change.kind === 'delete') return page.filter(({ id }) => id !== change.id);
  if (change.kind === 'restore') return page;
  return page.map((one) =>
    change.kind === 'read-all' || one.id === change.id ? { ...one, read: true } : one,
  );
}
