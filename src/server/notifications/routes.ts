import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { type Notification, notificationRoutes } from '#contract/notifications.ts';
import { parseWebUrl } from '#egress/send-message.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { subscribeNotifications } from './event-subscriptions.ts';
import { countUnread, findNotification, listNotifications, markRead, setDeleted } from './queries.ts';
import { verifyUnsubscribeToken } from './unsubscribe-token.ts';
import { registerWatches } from './watch-routes.ts';
import { deletePushSubscription, loadVapidKeys, savePushSubscription } from './web-push.ts';
import { registerWebhooks } from './webhook-routes.ts';

/** Registers the `notifications` routes and the event subscriptions that create them. */
export function registerNotifications(app: FastifyInstance, deps: Deps): void {
  registerWatches(app, deps);
  registerWebhooks(app, deps);
  const emitChanged = (userId: string) => deps.events.emit({ type: 'notifications-changed', userId });

  serve(app, notificationRoutes.list, async ({ caller, query }) =>
    listNotifications(deps.db, caller.userId, {
      ...query,
      about: query.about,
      unread: query.unread === 'true',
    }),
  );

  serve(app, notificationRoutes.push, async () => ({ public_key: (await loadVapidKeys(deps)).publicKey }));

  serve(app, notificationRoutes.subscribe, async ({ caller, body }) => {
    await deps.egress.check(parseWebUrl(body.endpoint));
    await savePushSubscription(deps, caller, body);
    return { ok: true as const };
  });

  serve(app, notificationRoutes.unsubscribe, async ({ caller, body }) => {
    await deletePushSubscription(deps.db, caller.userId, body.endpoint);
    return { ok: true as const };
  });

  serve(app, notificationRoutes.unsubscribeEmail, async ({ query }) => {
    const userId = verifyUnsubscribeToken(deps.keys, query.key);
    if (userId === null) throw new AppError('not_found', 'unsubscribe_link_invalid');
    await deps.db.updateTable('users').set({ email_notifications: false }).where('id', '=', userId).execute();
    return { ok: true as const };
  });

  serve(app, notificationRoutes.unreadCount, async ({ caller }) => ({
    count: await countUnread(deps.db, caller.userId),
  }));

  serve(app, notificationRoutes.read, async ({ caller, params }) => {
    if (await markRead(deps.db, caller.userId, params.id)) emitChanged(caller.userId);
    return await requireNotification(deps, caller.userId, params.id);
  });

  serve(app, notificationRoutes.readAll, async ({ caller }) => {
    if (await markRead(deps.db, caller.userId, null)) emitChanged(caller.userId);
    return { ok: true as const };
  });

  serve(app, notificationRoutes.remove, async ({ caller, params }) => {
    if (!(await setDeleted(deps.db, caller.userId, { id: params.id, deleted: true })))
      throw notificationNotFound();
    emitChanged(caller.userId);
    return { ok: true as const };
  });

  serve(app, notificationRoutes.restore, async ({ caller, params }) => {
    if (await setDeleted(deps.db, caller.userId, { id: params.id, deleted: false }))
      emitChanged(caller.userId);
    return await requireNotification(deps, caller.userId, params.id);
  });

  subscribeNotifications(app, deps);
}

async function requireNotification({ db }: Deps, userId: string, id: string): Promise<Notification> {
  const notification = await findNotification(db, userId, id);
  if (!notification) throw notificationNotFound();
  return notification;
}

function notificationNotFound(): AppError {
  return new AppError('not_found', 'notification_not_found');
}
