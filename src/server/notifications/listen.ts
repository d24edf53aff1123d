import type { FastifyInstance } from 'fastify';
import type { Deps } from '../deps.ts';
import { ownAddress } from '../own-address.ts';
import { requestDelivery } from './deliver.ts';
import {
  accountNotice,
  copiedNotice,
  credentialNotice,
  failedNotice,
  feedbackNotice,
  fixNotice,
  indexedNotice,
  passwordNotice,
  planNotice,
  sharingNotice,
  signInNotice,
} from './notices.ts';
import { insertNotice, type Notice } from './queries.ts';

/**
 * Turns what happens anywhere into notifications. Every process hears of it; the key of the notice lets one of
 * them write it, and that one tells the sockets of all.
 */
export function listenForNotices(app: FastifyInstance, deps: Deps): void {
  const tell = async (notice: Promise<Notice | null> | Notice) => {
    try {
      const made = await notice;
      if (!made) return;
      const rows = await insertNotice(deps.db, made);
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
    subscribe('project-indexed', (event) => void tell(indexedNotice(deps, event))),
    subscribe('project-failed', (event, id) => void tell(failedNotice(deps, event, id))),
    subscribe('feedback-given', (event) => void tell(feedbackNotice(deps, event))),
    subscribe('fix-suggested', (event) => void tell(fixNotice(deps, event))),
    subscribe('project-shared', (event, id) => void tell(sharingNotice(deps, event, id))),
    subscribe('invitation-taken', (event, id) => void tell(sharingNotice(deps, event, id))),
    subscribe('credential-revoked', (event, id) => void tell(credentialNotice(deps, event, id))),
    subscribe('signed-in', (event) => void tell(signInNotice(deps, event))),
    subscribe('sign-in-copied', (event) => void tell(copiedNotice(deps, event))),
    subscribe('password-changed', (event, id) => void tell(passwordNotice(event, id))),
    subscribe('account-changed', (event, id) => void tell(accountNotice(event, id))),
    subscribe('plan-changed', (event, id) => void tell(planNotice(event, id))),
  ];
  app.addHook('preClose', async () => {
    for (const stop of stops) stop();
  });
}
