import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { ownAddress } from '../http/public-url.ts';
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
import { insertNotifications, type NewNotification } from './queries.ts';

/**
 * Turns what happens anywhere into notifications. Every process hears of it; the key of the notice lets one of
 * them write it, and that one tells the sockets of all.
 */
export function subscribeNotifications(app: FastifyInstance, deps: Deps): void {
  const tell = async (notice: Promise<NewNotification | null> | NewNotification) => {
    try {
      const made = await notice;
      if (!made) return;
      const rows = await insertNotifications(deps.db, made);
      for (const { user_id, id } of rows) {
        deps.events.emit({ type: 'notifications-changed', userId: user_id, notificationId: id });
      }
      const about = { titleCode: made.title.code, origin: ownAddress(app, deps.config) };
      for (const { user_id, id } of rows) await requestDelivery(deps, { userId: user_id, id, ...about });
    } catch (error) {
      app.log.error({ err: error }, 'a notification was lost');
    }
  };
  const { subscribe } = deps.events;
  const stops = [
    subscribe('project-indexed', (event) => void tell(projectIndexedNotification(deps, event))),
    subscribe('project-failed', (event, id) => void tell(ingestFailedNotification(deps, event, id))),
    subscribe('feedback-given', (event) => void tell(feedbackNotification(deps, event))),
    subscribe('fix-suggested', (event) => void tell(fixSuggestedNotification(deps, event))),
    subscribe('project-shared', (event, id) => void tell(projectSharedNotification(deps, event, id))),
    subscribe('invitation-taken', (event, id) => void tell(projectSharedNotification(deps, event, id))),
    subscribe('credential-revoked', (event, id) => void tell(credentialRevokedNotification(deps, event, id))),
    subscribe('signed-in', (event) => void tell(newSignInNotification(deps, event))),
    subscribe('sign-in-copied', (event) => void tell(tokenReuseNotification(deps, event))),
    subscribe('password-changed', (event, id) => void tell(passwordChangedNotification(event, id))),
    subscribe('account-changed', (event, id) => void tell(accountChangedNotification(event, id))),
    subscribe('plan-changed', (event, id) => void tell(planChangedNotification(event, id))),
  ];
  app.addHook('preClose', async () => {
    for (const stop of stops) stop();
  });
}
