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

/** Returns the sign-up mode: `closed` while the feature is turned off, else an administrator's choice, else the setting. */
export async function getSignupMode({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<SignupMode> {
  if (!(await isFeatureEnabled({ db }, 'signup'))) return 'closed';
  const row = await db.selectFrom('settings').select('value').where('key', '=', SETTING).executeTakeFirst();
  return (row?.value as { mode: SignupMode } | undefined)?.mode ?? config.signup;
}

/** Saves an administrator's choice of the sign-up mode. */
export async function saveSignupMode({ db, now }: Pick<Deps, 'db' | 'now'>, mode: SignupMode): Promise<void> {
  const value = JSON.stringify({ mode });
  await db
    .insertInto('settings')
    .values({ key: SETTING, value, updated_at: now() })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now() }))
    .execute();
}

/** Creates an invitation, for one email or for any holder of its link; only the digest of its token is stored. */
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

/** Returns the invitation of a token; null when it was used, has expired, was revoked or never existed. */
export async function findSignupInvitation({ db, now }: Pick<Deps, 'db' | 'now'>, token: string) {
  const row = await db
    .selectFrom('signup_invitations')
    .select(['id', 'email'])
    .where('digest', '=', tokenDigest(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now())
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Checks that this email may sign up, consuming its invitation in the transaction of `db`. Throws with the reason
 * `signup_closed`, `invitation_required` or `invitation_invalid`.
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
    throw signupRefused('invitation_required', 'signup_invitation_required');
  }
  const used = await consumeInvitation(deps.db, { secret: invitation, email, now: deps.now() });
  if (!used) {
    throw signupRefused('invitation_invalid', 'signup_invitation_invalid');
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
