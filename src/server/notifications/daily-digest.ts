import { sql } from 'kysely';
import type { NotificationSubject } from '#contract/notifications.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import { formatMessage } from '#locales/format-message.ts';
import type { Language } from '#locales/languages.ts';
import { renderEmail } from '#mail/emails.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { Deps } from '../deps.ts';
import { isSecurityNotification, matchesScope, subjectOf } from './notification-scope.ts';
import { listForDigest } from './queries.ts';
import { findRecipient } from './recipient.ts';
import { createUnsubscribeUrl } from './unsubscribe-token.ts';

const QUEUE = 'daily-digest';
const RETRY_LIMIT = 5;
/** Hour of UTC at which daily emails are sent. */
const HOUR = 6;
const DAY_MS = 24 * 3_600_000;
/** A notification that is created just before the hour may be delivered after it, and is then reported the next day. */
const OVERLAP_MS = 3_600_000;
/** Newest unread notifications that one email counts. */
const MAX_COUNTED = 1_000;
const MAX_PROJECTS = 30;
const MAX_NAME_LENGTH = 40;

interface DailyDigestJob {
  userId: string;
  origin: string;
  /** End of the period, as ISO 8601. */
  until: string;
}

type DigestDeps = Pick<Deps, 'db' | 'keys'> & { mailer: Mailer };

/** Enqueues the daily email of a user, once for each day on which there is something to report. */
export async function requestDailyDigest(
  { jobs, now }: Pick<Deps, 'jobs' | 'now'>,
  { userId, origin }: { userId: string; origin: string },
): Promise<void> {
  const until = nextDigestTime(now());
  const delayS = Math.ceil((until.getTime() - now().getTime()) / 1000);
  await jobs.send<DailyDigestJob>(QUEUE, { userId, origin, until: until.toISOString() }, { delayS });
}

/** Returns the job that sends daily emails. It reports each day once, however often and wherever it runs. */
export function dailyDigestJob(deps: DigestDeps): JobDefinition<DailyDigestJob> {
  return {
    name: QUEUE,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ userId, until }) => `${userId} ${until}`,
    run: async (job) => {
      // The row stays locked until the email is sent, so that two runs cannot both send it.
      await deps.db.transaction().execute(async (trx) => {
        await sql`select 1 from users where id = ${job.userId} for no key update`.execute(trx);
        await sendDailyDigest({ ...deps, db: trx }, job);
      });
    },
  };
}

function nextDigestTime(now: Date): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), HOUR);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}

async function sendDailyDigest(deps: DigestDeps, job: DailyDigestJob): Promise<void> {
  const { userId, origin } = job;
  const until = new Date(job.until);
  const user = await findRecipient(deps.db, userId);
  if (!user?.email_notifications || user.email_verified_at === null) return;
  if (user.daily_digest_at !== null && user.daily_digest_at >= until) return;
  const start = until.getTime() - DAY_MS - OVERLAP_MS;
  const since = new Date(Math.max(start, user.daily_digest_at?.getTime() ?? 0));
  const found = await listForDigest(deps.db, userId, { since, until, limit: MAX_COUNTED });
  const rows = found.filter(
    // Those about security were sent at once.
    (row) => matchesScope(row, user.notification_scope) && !isSecurityNotification(row.title.code),
  );
  if (rows.length === 0) return;
  const email = renderEmail({
    ...{ kind: 'daily_digest', language: user.language, name: user.username, count: rows.length },
    list: summarize(rows, user.language),
    link: `${origin}/notifications`,
  });
  const unsubscribeUrl = createUnsubscribeUrl(deps.keys, { userId, origin });
  await deps.mailer.send(user.email, { ...email, unsubscribeUrl });
  await deps.db.updateTable('users').set({ daily_digest_at: until }).where('id', '=', userId).execute();
}

type DigestRow = Awaited<ReturnType<typeof listForDigest>>[number];

/** One line per project: how many notifications of each subject it has. */
function summarize(rows: readonly DigestRow[], language: Language): string[] {
  const byProject = [...Map.groupBy(rows, ({ project_id }) => project_id)];
  return byProject.slice(0, MAX_PROJECTS).map(([, group]) => {
    const name = group[0]!.project;
    const bySubject = Map.groupBy(group, ({ title, watch }) => (watch ? 'watches' : subjectOf(title.code)));
    const counts = [...bySubject].map(([subject, { length }]) => formatCount(language, subject, length));
    const heading = name === null ? formatMessage(language, 'mail.daily_digest.account') : cleanName(name);
    return `${heading}: ${counts.join(', ')}`;
  });
}

function formatCount(language: Language, subject: NotificationSubject, count: number): string {
  return formatMessage(language, `mail.daily_digest.counts.${subject}`, { count });
}

/** Name of a project without anything that a mail program would make a link of: others may have chosen it. */
function cleanName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim();
  return clean.slice(0, MAX_NAME_LENGTH).toWellFormed() || '–';
}
