import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { NoProjects } from '../parts/no-projects.tsx';
import { useProjects } from '../parts/use-project.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ListingPage } from '../ui/page-width.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useToast } from '../ui/toast.tsx';
import { FilterBar } from './filter-bar.tsx';
import { groupByDay, localDay } from './group-by-day.ts';
import { NotificationRow } from './notification-row.tsx';
import { type NotificationFilters, useNotifications, useUpdateNotifications } from './use-notifications.ts';

const DAY_MS = 86_400_000;

/** `/notifications`: list of notifications by day, with filters. */
export function Component() {
  const { t } = useTranslation('notifications');
  const [filters, setFilters] = useState<NotificationFilters>({});
  const notifications = useNotifications(filters);
  const change = useUpdateNotifications();
  const known = notifications.data?.pages.flat();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <ListingPage>
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
      {(isFiltered || (known && known.length > 0)) && <FilterBar filters={filters} onChange={setFilters} />}
      <NotificationList
        notifications={notifications}
        change={change.mutate}
        onReset={isFiltered ? () => setFilters({}) : null}
      />
      {notifications.hasNextPage && (
        <Button
          className="mt-4"
          loading={notifications.isFetchingNextPage}
          onClick={() => void notifications.fetchNextPage()}
        >
          {t('more')}
        </Button>
      )}
    </ListingPage>
  );
}

interface ListProps {
  notifications: ReturnType<typeof useNotifications>;
  change: ReturnType<typeof useUpdateNotifications>['mutate'];
  /** Takes the filters away; null where there are none. */
  onReset: (() => void) | null;
}

/** No notification ever came: readers without projects connect one here, others choose what is sent. */
function NothingYet() {
  const { t } = useTranslation('notifications');
  const { data: projects } = useProjects();
  if (projects?.length === 0) return <NoProjects title={t('empty.title')}>{t('empty.text')}</NoProjects>;
  return (
    <EmptyState
      title={t('empty.title')}
      action={<ButtonLink to="/settings#notifications">{t('empty.settings')}</ButtonLink>}
    >
      {t('empty.text')}
    </EmptyState>
  );
}

function NotificationList({ notifications, change, onReset }: ListProps) {
  const { t } = useTranslation('notifications');
  const toast = useToast();
  const formatDay = useDayLabel();
  const remove = (id: string) => {
    change({ kind: 'delete', id });
    toast(t('deleted'), { onUndo: () => change({ kind: 'restore', id }) });
  };
  return (
    <QueryState
      query={notifications}
      showStaleError
      errorText={({ message }) => t('failed', { message })}
      errorClassName="mb-4"
      loading={['46%', '72%', '38%', '64%', '52%', '70%']}
      empty={onReset ? <NothingMatches onReset={onReset} /> : <NothingYet />}
      isEmpty={({ pages }) => pages.flat().length === 0}
    >
      {({ pages }) =>
        groupByDay(pages.flat()).map(({ day, notifications: ofDay }) => (
          <section key={day} aria-label={formatDay(day)} className="mb-6">
            <h2 className="border-b border-border pb-1.5 text-sm text-muted">{formatDay(day)}</h2>
            <ul>
              {ofDay.map((notification) => (
                <NotificationRow
                  key={notification.id}
                  notification={notification}
                  onRead={() => change({ kind: 'read', id: notification.id })}
                  onDelete={() => remove(notification.id)}
                />
              ))}
            </ul>
          </section>
        ))
      }
    </QueryState>
  );
}

function NothingMatches({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation('notifications');
  return (
    <EmptyState title={t('filtered.title')} action={<Button onClick={onReset}>{t('filtered.reset')}</Button>}>
      {t('filtered.text')}
    </EmptyState>
  );
}

/** Formats a day: Today, Yesterday or its date. */
function useDayLabel(): (day: string) => string {
  const { t, i18n } = useTranslation('notifications');
  return (day) => {
    const now = Date.now();
    if (day === localDay(new Date(now))) return t('day.today');
    if (day === localDay(new Date(now - DAY_MS))) return t('day.yesterday');
    return formatLongDate(`${day}T12:00:00`, i18n.language) ?? day;
  };
}
