import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import {
  budgetUsedNotification,
  paymentFailedNotification,
  trialEndingNotification,
} from './billing-notifications.ts';
import {
  accountChangedNotification,
  credentialRevokedNotification,
  feedbackNotification,
  fixSuggestedNotification,
  ingestFailedNotification,
  newSignInNotification,
  passwordChangedNotification,
  planChangedNotification,
  projectIndexedNotification,
  projectSharedNotification,
  tokenReuseNotification,
} from './build-notification.ts';
import { requestDelivery } from './delivery.ts';
import { errorChangedNotification, watchedErrorAssignedNotification } from './error-notifications.ts';
import { insertNotifications, type NewNotification } from './queries.ts';
import { queueWebhooks } from './queue-webhooks.ts';
import { fixedLinesChangedNotification, fixUndoneNotification } from './undone-fix-notification.ts';
import { watchMatchedNotification } from './watch-notifications.ts';

/**
 * Creates notifications from events. Every process receives each event; the unique event key lets only one insert
 * the rows, and that one notifies the sockets of all.
 */
export function subscribeNotifications(app: FastifyInstance, deps: Deps): void {
  const notify = async (pending: Promise<NewNotification | null> | NewNotification) => {
    try {
      const notification = await pending;
      if (!notification) return;
      const origin = resolvePublicUrl(app, deps.config);
      await queueWebhooks(deps, notification, origin);
      const rows = await insertNotifications(deps.db, notification);
      for (const { user_id, id } of rows) {
        deps.events.emit({ type: 'notifications-changed', userId: user_id, notificationId: id });
      }
      const delivery = { titleCode: notification.title.code, origin };
      for (const { user_id, id } of rows) await requestDelivery(deps, { userId: user_id, id, ...delivery });
    } catch (error) {
      app.log.error({ err: error }, 'notification could not be created');
    }
  };
  const { subscribe } = deps.events;
  const unsubscribers = [
    subscribe('project-indexed', (event) => void notify(projectIndexedNotification(deps, event))),
    subscribe('project-failed', (event, id) => void notify(ingestFailedNotification(deps, event, id))),
    subscribe('feedback-given', (event) => void notify(feedbackNotification(deps, event))),
    subscribe('error-changed', (event) => void notify(errorChangedNotification(deps, event))),
    subscribe('error-changed', (event) => void notify(watchedErrorAssignedNotification(deps, event))),
    subscribe('fix-suggested', (event) => void notify(fixSuggestedNotification(deps, event))),
    subscribe('fix-undone', (event) => void notify(fixUndoneNotification(deps, event))),
    subscribe('fixed-lines-changed', (event) => void notify(fixedLinesChangedNotification(deps, event))),
    subscribe('watch-matched', (event) => void notify(watchMatchedNotification(deps, event))),
    subscribe('project-shared', (event, id) => void notify(projectSharedNotification(deps, event, id))),
    subscribe('invitation-taken', (event, id) => void notify(projectSharedNotification(deps, event, id))),
    subscribe(
      'credential-revoked',
      (event, id) => void notify(credentialRevokedNotification(deps, event, id)),
    ),
    subscribe('signed-in', (event) => void notify(newSignInNotification(deps, event))),
    subscribe('sign-in-copied', (event) => void notify(tokenReuseNotification(deps, event))),
    subscribe('password-changed', (event, id) => void notify(passwordChangedNotification(event, id))),
    subscribe('account-changed', (event, id) => void notify(accountChangedNotification(event, id))),
    subscribe('plan-changed', (event, id) => void notify(planChangedNotification(event, id))),
    subscribe('trial-ending', (event) => void notify(trialEndingNotification(event))),
    subscribe('payment-failed', (event) => void notify(paymentFailedNotification(event))),
    subscribe('budget-used', (event) => void notify(budgetUsedNotification(event))),
  ];
  app.addHook('preClose', async () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  });
}
