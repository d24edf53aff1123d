import { type EmailLanguage, renderEmail } from '#mail/emails.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { JobDefinition } from '#jobs/queue.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { issueToken } from './one-time-tokens.ts';
import type { UserRow } from './profile.ts';
import { findUser } from './user-store.ts';

const EMAIL_JOB = 'letter';

/** A mail server may be down for a while: with the queue's waits, this makes some five minutes. */
const MAX_RETRIES = 8;

const MINUTE = 60;
const PASSWORD_LINK_S = 30 * MINUTE;
/** As long as the sentence in the letter says. */
const EMAIL_LINK_S = 24 * 60 * MINUTE;

/** Into this server, or into a project of somebody on it. */
type InvitationKind = 'invitation' | 'project_invitation';

/** What is to be written, and to whom. `origin` is where the reader finds this server. */
type EmailJob = { origin: string } & (
  | { kind: 'password_reset'; email: string }
  /** To the address that waits to be confirmed, else to the account's own. */
  | { kind: 'email_confirm'; userId: string }
  /** To the address that the account had before. */
  | { kind: 'email_changed'; userId: string; to: string }
  | { kind: 'account_leaving' | 'two_factor_reset'; userId: string }
  | { kind: InvitationKind; to: string; language: EmailLanguage; sealedLink: string }
);

type Needs = Pick<Deps, 'db' | 'jobs' | 'keys' | 'now'> & { mailer: Mailer };

/**
 * Puts a letter into the queue. Links are made when it is written, so that none lies in the queue, and the time of a
 * reply never tells whether anybody has an address.
 */
export async function queueEmail({ jobs }: Pick<Deps, 'jobs'>, letter: EmailJob): Promise<void> {
  await jobs.send<EmailJob>(EMAIL_JOB, letter);
}

/** Queues an invitation; its link was made before, since it is shown as well, and lies in the queue sealed. */
export async function queueInvitationEmail(
  deps: Pick<Deps, 'jobs' | 'keys'>,
  {
    link,
    kind = 'invitation',
    ...letter
  }: { kind?: InvitationKind; to: string; language: EmailLanguage; link: string; origin: string },
): Promise<void> {
  const sealedLink = createBox(deps.keys, 'letters').seal(link, letter.to);
  await queueEmail(deps, { kind, ...letter, sealedLink });
}

/** Returns the job that sends account emails. A second run sends a second email with a new link. */
export function emailJob(deps: Needs): JobDefinition<EmailJob> {
  return {
    name: EMAIL_JOB,
    concurrency: 1,
    retryLimit: MAX_RETRIES,
    singletonKey: () => null,
    run: async (job) => await sendEmail(deps, job),
  };
}

async function sendEmail(deps: Needs, job: EmailJob): Promise<void> {
  if ('sealedLink' in job) {
    const link = createBox(deps.keys, 'letters').open(job.sealedLink, job.to);
    return await deps.mailer.send(job.to, renderEmail({ ...job, name: job.to, link }));
  }
  const user =
    job.kind === 'password_reset' ? await findUser(deps.db, job.email) : await findUserById(deps, job.userId);
  if (!user?.is_active) return;
  const { to, link, date } = await emailContents(deps, job, user);
  const letter = { kind: job.kind, language: user.language, name: user.username, link, date };
  await deps.mailer.send(to, renderEmail(letter));
}

/** Secrets stand in the fragment, which browsers send to no server: they enter no log on the way. */
async function emailContents(
  deps: Needs,
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
    case 'account_leaving':
      return { to: user.email, link: `${job.origin}/login`, date: user.deletion_at ?? deps.now() };
  }
}

async function findUserById({ db }: Pick<Deps, 'db'>, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}
