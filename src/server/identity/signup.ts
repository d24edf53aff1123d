import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SignupMode } from '#contract/auth.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { isFeatureEnabled } from './feature-switches.ts';
import { tokenDigest } from './one-time-tokens.ts';

const SETTING = 'signup';
const INVITATION_LIFETIME_MS = 14 * 24 * 3600_000;

/** Who may make an account: nobody while sign-up is switched off, else what an admin has chosen or the operator has set. */
export async function getSignupMode({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<SignupMode> {
  if (!(await isFeatureEnabled({ db }, 'signup'))) return 'closed';
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as { mode: SignupMode } | undefined)?.mode ?? config.signup;
}

/** Keeps an admin's choice of who may make an account. */
export async function saveSignupMode({ db, now }: Pick<Deps, 'db' | 'now'>, mode: SignupMode): Promise<void> {
  const value = JSON.stringify({ mode });
  await db
    .insertInto('settings')
    .values({ key: SETTING, value, updated_at: now() })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now() }))
    .execute();
}

/** Makes an invitation, for one address or for whoever holds its link; only the digest of the secret is stored. */
export async function createSignupInvitation(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { email, invitedBy }: { email: string | null; invitedBy: string },
): Promise<{ id: string; secret: string; expiresAt: Date }> {
  const secret = randomBytes(32).toString('base64url');
  const [id, expiresAt] = [newId(), new Date(now().getTime() + INVITATION_LIFETIME_MS)];
  await db
    .insertInto('signup_invitations')
    .values({
      id,
      digest: tokenDigest(secret),
      email,
      invited_by: invitedBy,
      created_at: now(),
      expires_at: expiresAt,
    })
    .execute();
  return { id, secret, expiresAt };
}

/** The invitation that a secret still stands for; null when it was used, is over, was withdrawn or never was. */
export async function findSignupInvitation({ db, now }: Pick<Deps, 'db' | 'now'>, secret: string) {
  const row = await db
    .selectFrom('signup_invitations')
    .select(['id', 'email'])
    .where('digest', '=', tokenDigest(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Lets a newcomer with this address in, or throws why not: `signup_closed` and `invitation_needed` for the server's
 * mode, `invitation_over` for one that is worth nothing. Uses the invitation up, with the transaction of `db`.
 */
export async function checkSignupAllowed(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  { email, invitation }: { email: string; invitation: string | null },
): Promise<void> {
  const mode = await getSignupMode(deps);
  if (mode === 'open') return;
  if (mode === 'closed') {
    throw signupRefused('signup_closed', 'signup_closed');
  }
  if (!invitation) {
    throw signupRefused('invitation_needed', 'signup_invitation_required');
  }
  const used = await consumeInvitation(deps.db, { secret: invitation, email, now: deps.now() });
  if (!used) {
    throw signupRefused('invitation_over', 'signup_invitation_invalid');
  }
}

async function consumeInvitation(
  db: Kysely<Database>,
  { secret, email, now }: { secret: string; email: string; now: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('signup_invitations')
    .set({ used_at: now })
    .where('digest', '=', tokenDigest(secret))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(({ eb, fn, or }) =>
      or([eb('email', 'is', null), eb(fn<string>('lower', ['email']), '=', email.toLowerCase())]),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

function signupRefused(reason: string, messageKey: ErrorKey): AppError {
  return new AppError('bad_request', messageKey, { reason });
}
