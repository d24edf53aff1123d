import { CheckCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useToast } from '../ui/toast.tsx';
import { NotificationRow } from './notification-row.tsx';
import { useNotifications, useUpdateNotifications } from './use-notifications.ts';

/** `/notifications`: list of notifications. */
export function Component() {
  const { t } = useTranslation('notifications');
  const notifications = useNotifications();
  const change = useUpdateNotifications();
  const known = notifications.data?.pages.flat();
  return (
    <div className="max-w-[920px]">
      <PageHeader
        title={t('title')}
        actions={
          known?.some(({ read }) => !read) && (
            <Button onClick={() => change.mutate({ kind: 'read-all' })}>
              <CheckCheck aria-hidden="true" className="size-4" />
              {t('mark_all_read')}
            </Button>
          )
        }
      />
      {change.error && (
        <Notice kind="error" className="mb-4" onRetry={() => change.mutate(change.variables)}>
          {change.error.message}
        </Notice>
      )}
      <NotificationList notifications={notifications} change={change.mutate} />
      {notifications.hasNextPage && (
        <Button
          className="mt-4"
          loading={notifications.isFetchingNextPage}
          onClick={() => void notifications.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </div>
  );
}

interface ListProps {
  notifications: ReturnType<typeof useNotifications>;
  change: ReturnType<typeof useUpdateNotifications>['mutate'];
}

function NotificationList({ notifications, change }: ListProps) {
  const { t } = useTranslation('notifications');
  const toast = useToast();
  const remove = (id: string) => {
    change({ kind: 'delete', id });
    toast(
      <span className="flex items-center gap-3">
        {t('deleted')}
        <button type="button" className="link" onClick={() => change({ kind: 'restore', id })}>
          {t('undo')}
        </button>
      </span>,
    );
  };
  return (
    <QueryState
      query={notifications}
      showStaleError
      errorText={({ message }) => t('failed', { message })}
      errorClassName="mb-4"
      loading={['46%', '72%', '38%', '64%', '52%', '70%']}
      empty={<EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>}
      isEmpty={({ pages }) => pages.flat().length === 0}
    >
      {({ pages }) => (
        <ul className="border-t border-border">
          {pages.flat().map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onRead={() => change({ kind: 'read', id: notification.id })}
              onDelete={() => remove(notification.id)}
            />
          ))}
        </ul>
      )}
    </QueryState>
  );
}
