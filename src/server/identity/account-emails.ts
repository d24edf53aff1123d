import type { JobDefinition } from '#db/job-queue.ts';
import type { Language } from '#locales/languages.ts';
import { renderEmail } from '#mail/emails.ts';
import type { Mailer } from '#mail/mailer.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { issueToken } from './one-time-tokens.ts';
import type { UserRow } from './profile.ts';
import { findUser } from './user-store.ts';

const EMAIL_JOB = 'email';
/** Part of the key that encrypts queued links, so it never changes. */
const BOX_PURPOSE = 'letters';

/** With the delays of the queue, about five minutes, for short outages of the mail server. */
const MAX_RETRIES = 8;

const MINUTE = 60;
const PASSWORD_LINK_S = 30 * MINUTE;
/** Stated in the text of the email. */
const EMAIL_LINK_S = 24 * 60 * MINUTE;

/** Invitation to sign up, or to join a project. */
type InvitationKind = 'invitation' | 'project_invitation';

/** An email to send. `origin` is the public URL of this server. */
type EmailJob = { origin: string } & (
  | { kind: 'password_reset'; email: string }
  /** Sent to the pending email, else to the email of the account. */
  | { kind: 'email_confirm'; userId: string }
  /** Sent to the previous email of the account. */
  | { kind: 'email_changed'; userId: string; to: string }
  | { kind: 'account_deletion' | 'two_factor_reset'; userId: string }
  | { kind: 'invoice'; userId: string; path: string }
  | { kind: 'trial_ending'; userId: string; date: string }
  /** Sent in the language of the account with this email, else in `language`, that of the inviter. */
  | { kind: InvitationKind; to: string; language: Language; sealedLink: string }
);

type EmailDeps = Pick<Deps, 'db' | 'jobs' | 'keys' | 'now'> & { mailer: Mailer };

/**
 * Enqueues an email. Tokens are issued when it is sent, so that the queue holds none, and response times do not reveal
 * whether an account exists.
 */
export async function queueEmail({ jobs }: Pick<Deps, 'jobs'>, email: EmailJob): Promise<void> {
  await jobs.send<EmailJob>(EMAIL_JOB, email);
}

/** Enqueues an invitation email; its link is shown to the inviter too, and is encrypted in the queue. */
export async function queueInvitationEmail(
  deps: Pick<Deps, 'jobs' | 'keys'>,
  {
    link,
    kind = 'invitation',
    ...email
  }: { kind?: InvitationKind; to: string; language: Language; link: string; origin: string },
): Promise<void> {
  const sealedLink = createBox(deps.keys, BOX_PURPOSE).seal(link, email.to);
  await queueEmail(deps, { kind, ...email, sealedLink });
}

/** Returns the job that sends account emails. A second run sends a second email with a new link. */
export function emailJob(deps: EmailDeps): JobDefinition<EmailJob> {
  return {
    name: EMAIL_JOB,
    concurrency: 1,
    retryLimit: MAX_RETRIES,
    singletonKey: () => null,
    run: async (job) => await sendEmail(deps, job),
  };
}

async function sendEmail(deps: EmailDeps, job: EmailJob): Promise<void> {
  if ('sealedLink' in job) {
    const link = createBox(deps.keys, BOX_PURPOSE).open(job.sealedLink, job.to);
    const language = (await findUser(deps.db, job.to))?.language ?? job.language;
    return await deps.mailer.send(job.to, renderEmail({ ...job, language, name: job.to, link }));
  }
  const user =
    job.kind === 'password_reset' ? await findUser(deps.db, job.email) : await findUserById(deps, job.userId);
  if (!user?.is_active) return;
  const { to, link, date } = await emailContents(deps, job, user);
  const email = { kind: job.kind, language: user.language, name: user.username, link, date };
  await deps.mailer.send(to, renderEmail(email));
}

/** Returns recipient and link; tokens are in the fragment, which browsers do not send to servers or their logs. */
async function emailContents(
  deps: EmailDeps,
  job: Exclude<EmailJob, { kind: InvitationKind }>,
  user: UserRow,
): Promise<{ to: string; link: string; date?: Date }> {
  switch (job.kind) {
    case 'password_reset': {
      const secret = await issueToken(deps, {
        purpose: 'password_reset',
        userId: user.id,
        data: {},
        seconds: PASSWORD_LINK_S,
      });
      return { to: user.email, link: `${job.origin}/reset-password#${secret}` };
    }
    case 'email_confirm': {
      const email = user.pending_email ?? user.email;
      const secret = await issueToken(deps, {
        purpose: 'email_verification',
        userId: user.id,
        data: { email },
        seconds: EMAIL_LINK_S,
      });
      return { to: email, link: `${job.origin}/verify-email#${secret}` };
    }
    case 'email_changed':
      return { to: job.to, link: `${job.origin}/settings` };
    case 'two_factor_reset':
      return { to: user.email, link: `${job.origin}/login` };
    case 'invoice':
      return { to: user.email, link: `${job.origin}${job.path}` };
    case 'trial_ending':
      return { to: user.email, link: `${job.origin}/subscription`, date: new Date(job.date) };
    case 'account_deletion':
      return { to: user.email, link: `${job.origin}/login`, date: user.deletion_at ?? deps.now() };
  }
}

async function findUserById({ db }: Pick<Deps, 'db'>, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}
