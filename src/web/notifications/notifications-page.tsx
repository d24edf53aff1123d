import { CheckCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useToast } from '../ui/toast.tsx';
import { NotificationRow } from './notification-row.tsx';
import { type Notification, useNotifications, useUpdateNotifications } from './use-notifications.ts';

/** `/notifications`: what happened to the reader's projects, solutions and account. */
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
      <NotificationList notifications={notifications} known={known} change={change.mutate} />
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
  known: Notification[] | undefined;
  change: ReturnType<typeof useUpdateNotifications>['mutate'];
}

function NotificationList({ notifications, known, change }: ListProps) {
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
  const { error, refetch } = notifications;
  return (
    <>
      {error && (
        <Notice kind="error" className="mb-4" onRetry={() => refetch()}>
          {t('failed', { message: error.message })}
        </Notice>
      )}
      {!known && !error && <Skeleton rows={['46%', '72%', '38%', '64%', '52%', '70%']} />}
      {known?.length === 0 && <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>}
      {known && known.length > 0 && (
        <ul className="border-t border-rule">
          {known.map((notification) => (
            <NotificationRow
              key={notification.id}
              notification={notification}
              onRead={() => change({ kind: 'read', id: notification.id })}
              onDelete={() => remove(notification.id)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
