import { z } from 'zod';
import { id, MAX_PAGE, okReply, paging, sentence, timestamp } from './common.ts';
import { route } from './route.ts';
import { watchRef } from './watches.ts';

/** Target of a notification: a page of this application, or an http(s) URL. */
const actionUrl = z.string().regex(/^(?:\/(?![/\\])|https?:\/\/)/, 'action_url_format');

/** Reason that a notification was sent: the user's projects, errors, watches, members, answers, account, or plan. */
const NOTIFICATION_SUBJECTS = [
  'projects',
  'errors',
  'watches',
  'members',
  'answers',
  'account',
  'plan',
] as const;
export type NotificationSubject = (typeof NOTIFICATION_SUBJECTS)[number];

export const notification = z.object({
  id: z.string(),
  type: z.enum(['info', 'success', 'warning', 'error']),
  about: z.enum(NOTIFICATION_SUBJECTS),
  /** In English, as are `message` and the texts of `sentence`. */
  title: z.string(),
  message: z.string(),
  /** Both again, for clients that speak the reader's language. */
  sentence: z.object({ title: sentence, message: sentence }),
  read: z.boolean(),
  created_at: timestamp,
  action_url: actionUrl.nullable(),
  /** The reader's watch that it was sent for; null for other reasons. */
  watch: watchRef.nullable(),
});
export type Notification = z.infer<typeof notification>;

const params = z.object({ id });

/** Web Push subscription of a browser: endpoint and encryption keys (RFC 8291). */
const pushSubscription = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(2048),
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{80,100}={0,2}$/, 'push_key_format'),
    auth: z.string().regex(/^[\w-]{20,30}={0,2}$/, 'push_secret_format'),
  }),
});
export type PushSubscription = z.infer<typeof pushSubscription>;

export const notificationRoutes = {
  list: route({
    method: 'GET',
    path: '/notifications',
    apiKey: 'read',
    summary: "List the caller's notifications, newest first",
    query: paging.extend({
      unread: z.enum(['true', 'false']).optional(),
      about: z.enum(NOTIFICATION_SUBJECTS).optional(),
    }),
    reply: z.array(notification).max(MAX_PAGE),
  }),
  push: route({
    method: 'GET',
    path: '/notifications/push',
    summary: 'Get the public VAPID key for Web Push',
    reply: z.object({ public_key: z.string() }),
  }),
  subscribe: route({
    method: 'POST',
    path: '/notifications/push',
    allowedWhenDiskFull: true,
    summary: 'Subscribe this browser to Web Push for the current session',
    body: pushSubscription,
    reply: okReply,
  }),
  unsubscribe: route({
    method: 'POST',
    path: '/notifications/push/unsubscribe',
    allowedWhenDiskFull: true,
    summary: 'Unsubscribe this browser from Web Push',
    description: 'A POST request, because the push URL is a secret that must not appear in logs.',
    body: z.object({ endpoint: z.string().max(2048) }),
    reply: okReply,
  }),
  unsubscribeEmail: route({
    method: 'POST',
    path: '/notifications/email/unsubscribe',
    access: 'visitor',
    kind: 'form',
    allowedWhenDiskFull: true,
    rateLimits: [{ bucket: 'unsubscribe', limit: 'resetPerIp', per: 'ip' }],
    summary: 'End emails of notifications by the link of one, without signing in (RFC 8058)',
    query: z.object({ key: z.string().max(200) }),
    body: z.object({ 'List-Unsubscribe': z.string().max(100).optional() }),
    reply: okReply,
  }),
  unreadCount: route({
    method: 'GET',
    path: '/notifications/unread-count',
    apiKey: 'read',
    summary: 'Count unread notifications',
    reply: z.object({ count: z.number() }),
  }),
  read: route({
    method: 'POST',
    path: '/notifications/:id/read',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Mark a notification as read',
    params,
    reply: notification,
  }),
  readAll: route({
    method: 'POST',
    path: '/notifications/read-all',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Mark all notifications as read',
    reply: okReply,
  }),
  remove: route({
    method: 'DELETE',
    path: '/notifications/:id',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Delete a notification; it can be restored for one day',
    params,
    reply: okReply,
  }),
  restore: route({
    method: 'POST',
    path: '/notifications/:id/restore',
    apiKey: 'write',
    allowedWhenDiskFull: true,
    summary: 'Restore a deleted notification',
    params,
    reply: notification,
  }),
};
