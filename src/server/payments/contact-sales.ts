import { newId } from '#db/ids.ts';
import type { JobDefinition } from '#db/job-queue.ts';
import type { Language } from '#locales/languages.ts';
import { renderEmail } from '#mail/emails.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { Deps } from '../deps.ts';

const SALES_JOB = 'sales-email';
const RETRY_LIMIT = 8;
/** Administrators who receive a message without `SALES_EMAIL`. */
const MAX_RECIPIENTS = 5;

/** A visitor's message about the Enterprise plan. */
interface SalesMessage {
  name: string;
  email: string;
  company: string;
  message: string;
}

interface SalesJob extends SalesMessage {
  id: string;
  to: string;
  recipient: string;
  language: Language;
  origin: string;
}

/** Enqueues a message for `SALES_EMAIL`, or for the administrators; returns false without a recipient. */
export async function sendToSales(
  { db, config, jobs }: Pick<Deps, 'db' | 'config' | 'jobs'>,
  message: SalesMessage,
  origin: string,
): Promise<boolean> {
  const admins = await db
    .selectFrom('users')
    .select(['email', 'username', 'language'])
    .where('role', '=', 'admin')
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null)
    .orderBy('id')
    .limit(MAX_RECIPIENTS)
    .execute();
  const language = admins[0]?.language ?? 'en';
  const recipients = config.salesEmail ? [{ email: config.salesEmail, username: 'sales', language }] : admins;
  for (const { email: to, username: recipient, language } of recipients) {
    await jobs.send<SalesJob>(SALES_JOB, { ...message, id: newId(), to, recipient, language, origin });
  }
  return recipients.length > 0;
}

/** Returns the job that emails messages to sales, with the sender as the address for replies. */
export function salesEmailJob({ mailer }: { mailer: Mailer }): JobDefinition<SalesJob> {
  return {
    name: SALES_JOB,
    concurrency: 1,
    retryLimit: RETRY_LIMIT,
    singletonKey: ({ id }) => id,
    run: async ({ to, recipient, language, origin, name, email, company, message }) => {
      const sender = [name, company].filter(Boolean).join(', ');
      const quoted = [`${sender} <${email}>`, ...message.split(/\r?\n/)];
      const link = `${origin}/subscription`;
      const rendered = renderEmail({ kind: 'sales_message', language, name: recipient, link, quoted });
      await mailer.send(to, { ...rendered, replyTo: email });
    },
  };
}
