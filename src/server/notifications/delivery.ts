import { sql } from 'kysely';
import { renderSentence } from '#contract/sentence.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import { renderEmail } from '#mail/emails.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { Deps } from '../deps.ts';
import { requestDailyDigest } from './daily-digest.ts';
import { isSecurityNotification, matchesScope } from './notification-scope.ts';
import { findRecipient } from './recipient.ts';
import { createUnsubscribeUrl } from './unsubscribe-token.ts';
import { sendPush } from './web-push.ts';

const PUSH_QUEUE = 'push';
const DIGEST_QUEUE = 'digest';
const RETRY_LIMIT = 5;
/**
 * Delay before the digest email, in seconds, so that it covers many notifications and skips those already read.
 */
const EMAIL_DELAY_S = { normal: 600, urgent: 60 } as const;
/** Newest unread notifications considered for a digest. */
const MAX_COUNTED = 500;

interface PushJob {
  userId: string;
  id: string;
}
interface DigestJob {
  userId: string;
  origin: string;
  urgent: boolean;
}

type DeliveryDeps = Pick<Deps, 'db' | 'jobs' | 'keys' | 'egress' | 'config' | 'now'> & { mailer: Mailer };

/** Enqueues the delivery of a notification: immediately as web push, later as a digest email. */
export async function requestDelivery(
  deps: Pick<Deps, 'db' | 'jobs' | 'config' | 'now'>,
  notification: { userId: string; id: string; titleCode: string; origin: string },
): Promise<void> {
  const { db, jobs, config } = deps;
  const { userId, id, origin, titleCode } = notification;
  await jobs.send<PushJob>(PUSH_QUEUE, { userId, id });
  if (config.mail.smtpUrl === null) return;
  const urgent = isSecurityNotification(titleCode);
  const isDaily = (await findRecipient(db, userId))?.email_frequency === 'daily';
  if (isDaily && !urgent) return await requestDailyDigest(deps, { userId, origin });
  await jobs.send<DigestJob>(
    DIGEST_QUEUE,
    { userId, origin, urgent },
    { delayS: urgent ? EMAIL_DELAY_S.urgent : EMAIL_DELAY_S.normal },
  );
}

/** Returns the job that sends web push notifications. */
export function pushJob(deps: DeliveryDeps): JobDefinition<PushJob> {
  return {
    name: PUSH_QUEUE,
    concurrency: 2,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ userId, id }) => `${userId} ${id}`,
    run: async (job) => await sendPushNotification(deps, job),
  };
}

/** Returns the job that sends digest emails. */
export function digestJob(deps: DeliveryDeps): JobDefinition<DigestJob> {
  return {
    name: DIGEST_QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ userId, urgent }) => `${userId} ${urgent}`,
    run: async (job) => await sendDigest(deps, job),
  };
}

async function sendPushNotification(deps: DeliveryDeps, { userId, id }: PushJob): Promise<void> {
  const user = await findRecipient(deps.db, userId);
  if (!user?.push_notifications) return;
  const notification = await deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!notification || !matchesScope(notification, user.notification_scope)) return;
  await sendPush(deps, userId, {
    title: renderSentence(notification.title, user.language),
    body: renderSentence(notification.message, user.language),
    url: notification.action_url?.startsWith('/') ? notification.action_url : '/notifications',
    tag: id,
  });
}

/**
 * Emails the number of unread notifications since the last digest. Their texts are omitted: they contain
 * user-chosen names (of projects, of people), which this server must not send to other people’s mailboxes.
 */
async function sendDigest(deps: DeliveryDeps, { userId, origin, urgent }: DigestJob): Promise<void> {
  const user = await findRecipient(deps.db, userId);
  if (!user?.email_notifications || user.email_verified_at === null) return;
  const isDailyReader = user.email_frequency === 'daily';
  if (isDailyReader && !urgent) return await requestDailyDigest(deps, { userId, origin });
  const rows = await deps.db
    .selectFrom('notifications')
    .select(['title', 'watch'])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', user.notification_email_sent_at ?? new Date(0))
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED)
    .execute();
  const count = rows.filter(
    (row) =>
      matchesScope(row, user.notification_scope) &&
      (!isDailyReader || isSecurityNotification(row.title.code)),
  ).length;
  if (count === 0) return;
  const email = { kind: 'notification_digest', language: user.language, name: user.username, count } as const;
  const unsubscribeUrl = createUnsubscribeUrl(deps.keys, { userId, origin });
  await deps.mailer.send(user.email, {
    ...renderEmail({ ...email, link: `${origin}/notifications` }),
    unsubscribeUrl,
  });
  await deps.db
    .updateTable('users')
    .set({ notification_email_sent_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}
