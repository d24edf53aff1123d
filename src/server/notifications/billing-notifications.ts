import { titleAndMessage } from './build-notification.ts';
import type { NewNotification } from './queries.ts';

/** The trial of a user ends soon. */
export function trialEndingNotification({
  userId,
  endsAt,
}: {
  userId: string;
  endsAt: string;
}): NewNotification {
  return {
    userIds: [userId],
    // Of equal events only the first notifies.
    key: `trial-ending:${endsAt}`,
    type: 'info',
    ...titleAndMessage('trial_ending', { date: endsAt.slice(0, 10) }),
    actionUrl: '/subscription',
  };
}

/** A payment of a user failed. */
export function paymentFailedNotification({
  userId,
  paymentId,
}: {
  userId: string;
  paymentId: string;
}): NewNotification {
  return {
    userIds: [userId],
    key: `payment-failed:${paymentId}`,
    type: 'error',
    ...titleAndMessage('payment_failed', {}),
    actionUrl: '/subscription',
  };
}

/** The model budget of a user is used up until it renews. */
export function budgetUsedNotification({
  userId,
  span,
  until,
}: {
  userId: string;
  span: 'day' | 'month';
  until: string;
}): NewNotification {
  return {
    userIds: [userId],
    key: `budget:${span}:${until}`,
    type: 'warning',
    ...titleAndMessage('budget_used', { until: `${until.slice(0, 16).replace('T', ' ')} UTC` }),
    actionUrl: '/settings',
  };
}
