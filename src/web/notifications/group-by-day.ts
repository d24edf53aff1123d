import type { ListedNotification } from './use-notifications.ts';

/** Notifications of one day. */
interface NotificationDay {
  /** Local day, as `2026-11-23`. */
  day: string;
  notifications: ListedNotification[];
}

/** Groups a list, newest first, by the local day of each notification. */
export function groupByDay(notifications: readonly ListedNotification[]): NotificationDay[] {
  const days: NotificationDay[] = [];
  for (const notification of notifications) {
    const day = localDay(new Date(notification.created_at));
    const last = days.at(-1);
    if (last?.day === day) last.notifications.push(notification);
    else days.push({ day, notifications: [notification] });
  }
  return days;
}

/** Local day of a time, as `2026-11-23`. */
export function localDay(time: Date): string {
  return `${time.getFullYear()}-${String(time.getMonth() + 1).padStart(2, '0')}-${String(time.getDate()).padStart(2, '0')}`;
}
