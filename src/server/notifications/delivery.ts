import { type Kysely, sql } from 'kysely';
import type { Database } from '#db/schema.ts';
import { writeLetter } from '#mail/letters.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { Deps } from '../deps.ts';
import { isSecurityNotification, matchesScope } from './notification-scope.ts';
import { renderSentence } from './notification-text.ts';
import { sendPush } from './web-push.ts';

const PUSH = 'push';
const NEWS = 'news';
const RETRIES = 5;
/** A letter waits, so that one is written about many, and none about what was read meanwhile. Seconds. */
const WAIT_S = { usual: 600, urgent: 60 } as const;
/** Of a reader who never looks, the newest are counted. */
const COUNTED = 500;

interface NoticeJob {
  userId: string;
  id: string;
}
interface NewsJob {
  userId: string;
  origin: string;
  urgent: boolean;
}

type Needs = Pick<Deps, 'db' | 'jobs' | 'keys' | 'egress' | 'config' | 'now'> & { mailer: Mailer };

/** Asks for a new notification to be sent to those who want it sent: at once to browsers, later by letter. */
export async function requestDelivery(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  notice: { userId: string; id: string; titleCode: string; origin: string },
): Promise<void> {
  const { userId, id, origin, titleCode } = notice;
  await jobs.send<NoticeJob>(PUSH, { userId, id });
  if (config.mail.smtpUrl === null) return;
  const urgent = isSecurityNotification(titleCode);
  await jobs.send<NewsJob>(
    NEWS,
    { userId, origin, urgent },
    { delayS: urgent ? WAIT_S.urgent : WAIT_S.usual },
  );
}

/** Registers the jobs that send notifications. */
export function defineDelivery(deps: Needs): void {
  deps.jobs.define<NoticeJob>(
    PUSH,
    { concurrency: 2, retryLimit: RETRIES, singleton: ({ userId, id }) => `${userId} ${id}` },
    async (job) => await push(deps, job),
  );
  deps.jobs.define<NewsJob>(
    NEWS,
    { concurrency: 1, retryLimit: RETRIES, singleton: ({ userId, urgent }) => `${userId} ${urgent}` },
    async (job) => await writeNews(deps, job),
  );
}

async function push(deps: Needs, { userId, id }: NoticeJob): Promise<void> {
  const user = await findReader(deps.db, userId);
  if (!user?.push_notifications) return;
  const notice = await deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!notice || !matchesScope(notice.title.code, user.notification_scope)) return;
  await sendPush(deps, userId, {
    title: renderSentence(notice.title, user.language),
    body: renderSentence(notice.message, user.language),
    url: notice.action_url?.startsWith('/') ? notice.action_url : '/notifications',
    tag: id,
  });
}

/**
 * Writes how many unread notifications there are since the last letter. Their texts hold names that anybody may have
 * chosen (of projects, of people), and this server shall not carry such a text to a stranger's mailbox.
 */
async function writeNews(deps: Needs, { userId, origin }: NewsJob): Promise<void> {
  const user = await findReader(deps.db, userId);
  if (!user?.email_notifications || user.email_verified_at === null) return;
  const rows = await deps.db
    .selectFrom('notifications')
    .select('title')
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', user.news_sent_at ?? new Date(0))
    .orderBy('id', 'desc')
    .limit(COUNTED)
    .execute();
  const count = rows.filter(({ title }) => matchesScope(title.code, user.notification_scope)).length;
  if (count === 0) return;
  const words = { kind: 'news', language: user.language, name: user.username, count } as const;
  await deps.mailer.send(user.email, writeLetter({ ...words, link: `${origin}/notifications` }));
  await deps.db
    .updateTable('users')
    .set({ news_sent_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute();
}

async function findReader(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('users')
    .select(['email', 'username', 'language', 'email_verified_at', 'news_sent_at'])
    .select(['email_notifications', 'push_notifications', 'notification_scope'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null)
    .executeTakeFirst();
}
