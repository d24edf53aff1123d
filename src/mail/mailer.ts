import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import type { Email } from './emails.ts';

/** Sends emails. */
export interface Mailer {
  /** Resolves when the mail server has accepted the email, or its file is written. Throws when both fail. */
  send(to: string, email: Email): Promise<void>;
}

interface MailerOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; null: emails become files. */
  smtpUrl: string | null;
  /** The sender, such as `Hindsight <hindsight@example.org>`. */
  from: string;
  /** Folder for emails without a mail server. */
  folder: string;
  log: Logger;
}

/** Bounds a job whose mail server does not answer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** A mailer over the operator's mail server, or over a folder where there is none. */
export function createMailer({ smtpUrl, from, folder, log }: MailerOptions): Mailer {
  if (smtpUrl === null) return createFolderMailer({ from, folder, log });
  let transport: Promise<Transporter> | undefined;
  return {
    async send(to, { unsubscribeUrl, ...email }) {
      const headers = { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) };
      transport ??= openTransport(smtpUrl);
      await (await transport).sendMail({ from, to, ...email, headers });
    },
  };
}

/** Connects to a mail server and signs in. Throws in its words. */
export async function verifyMailServer(smtpUrl: string): Promise<void> {
  const transport = await openTransport(smtpUrl);
  await transport.verify();
}

/** Loads the package with the first email, so that starting takes less time. */
async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url: smtpUrl, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
}

/** Headers by which mail programs offer to unsubscribe, in one click. */
function unsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/** Writes emails to files and logs each path as a warning. */
function createFolderMailer({ from, folder, log }: Omit<MailerOptions, 'smtpUrl'>): Mailer {
  return {
    async send(to, { subject, text, replyTo, unsubscribeUrl }) {
      const now = new Date();
      const head = {
        Date: now.toUTCString(),
        From: from,
        To: to,
        ...(replyTo && { 'Reply-To': replyTo }),
        Subject: subject,
        'MIME-Version': '1.0',
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Transfer-Encoding': '8bit',
        ...unsubscribeHeaders(unsubscribeUrl),
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
      const file = join(folder, `${now.toISOString().replaceAll(':', '-')}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(file, `${lines.join('\n')}\n\n${text}`, { mode: 0o600, flag: 'wx' });
      log.warn({ file }, 'SMTP_URL is not set: an email was written to a file');
    },
  };
}
