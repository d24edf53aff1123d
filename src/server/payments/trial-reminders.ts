import type { Deps } from '../deps.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { emailOrigin } from './email-origin.ts';

const DAY_MS = 24 * 3600_000;

/** Reminds users once of the end of their trial, by an event and an email, unless they have paid. */
export async function remindOfTrialEnds(
  deps: Pick<Deps, 'db' | 'config' | 'events' | 'jobs' | 'now'>,
): Promise<void> {
  const { db, config, events, now } = deps;
  const horizon = now().getTime() + config.trialReminderDays * DAY_MS;
  // Claimed first: a crash may lose a reminder, and never repeats one.
  const due = await db
    .updateTable('subscriptions')
    .set({ trial_reminded_at: now() })
    .where('trial_reminded_at', 'is', null)
    .where('plan', '=', 'free')
    .where('trial_ends_at', '>', now())
    .where('trial_ends_at', '<=', new Date(horizon))
    .returning(['user_id', 'trial_ends_at'])
    .execute();
  for (const { user_id: userId, trial_ends_at } of due) {
    const date = trial_ends_at!.toISOString();
    events.emit({ type: 'trial-ending', userId, endsAt: date });
    await queueEmail(deps, { kind: 'trial_ending', userId, date, origin: emailOrigin(config) });
  }
}
