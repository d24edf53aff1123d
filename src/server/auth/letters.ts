import { writeLetter } from '#mail/letters.ts';
import type { Mailer } from '#mail/mailer.ts';
import type { Deps } from '../deps.ts';
import { findUser } from './queries.ts';
import { makeReset } from './resets.ts';

const PASSWORD_LETTER = 'password-letter';

/** A mail server may be down for a while: with the queue's waits, this makes some five minutes. */
const RETRIES = 8;

interface PasswordLetter {
  email: string;
  /** Where the reader finds this server, such as `https://hindsight.example`. */
  origin: string;
}

/** Puts a letter with a link to set a new password into the queue, whether or not anybody has this address. */
export async function requestPasswordLetter(
  { jobs }: Pick<Deps, 'jobs'>,
  letter: PasswordLetter,
): Promise<void> {
  await jobs.send<PasswordLetter>(PASSWORD_LETTER, letter);
}

/**
 * Registers the job that looks for the account and writes to it. It stands apart from the request, so that the time
 * of the reply tells nothing. Run twice, it sends a second letter with a link of its own.
 */
export function definePasswordLetters(deps: Pick<Deps, 'db' | 'jobs' | 'now'> & { mailer: Mailer }): void {
  deps.jobs.define<PasswordLetter>(
    PASSWORD_LETTER,
    { concurrency: 1, retryLimit: RETRIES, singleton: () => null },
    async ({ email, origin }) => {
      const user = await findUser(deps.db, email);
      if (!user?.is_active) return;
      // In the fragment, which browsers send to no server: it enters no log on the way.
      const link = `${origin}/reset-password#${await makeReset(deps, user.id)}`;
      const letter = writeLetter({
        kind: 'password_reset',
        language: user.language,
        name: user.username,
        link,
      });
      await deps.mailer.send(user.email, letter);
    },
  );
}
