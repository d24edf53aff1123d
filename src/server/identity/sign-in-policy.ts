import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Rules for signing in to the server. */
export interface SignInPolicy {
  ssoRequired: boolean;
  secondFactorRequired: boolean;
  /** Ids of administrators who may sign in with their password while single sign-on is enforced. */
  breakGlass: string[];
}

/** Key of the policy in `settings`; `access.ts` reads it with the session. */
export const POLICY_SETTING = 'sign_in_policy';

interface StoredPolicy {
  sso_required?: boolean;
  second_factor_required?: boolean;
  break_glass?: string[];
}

/** Reads the policy from the database at each use, so that a change takes effect on all replicas. */
export async function readSignInPolicy(db: Kysely<Database>): Promise<SignInPolicy> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('key', '=', POLICY_SETTING)
    .executeTakeFirst();
  const stored = (row?.value ?? {}) as StoredPolicy;
  return {
    ssoRequired: stored.sso_required ?? false,
    secondFactorRequired: stored.second_factor_required ?? false,
    breakGlass: stored.break_glass ?? [],
  };
}

/** Saves the policy. */
export async function saveSignInPolicy(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  policy: SignInPolicy,
): Promise<void> {
  const stored: StoredPolicy = {
    sso_required: policy.ssoRequired,
    second_factor_required: policy.secondFactorRequired,
    break_glass: policy.breakGlass,
  };
  const values = { value: JSON.stringify(stored), updated_at: now() };
  await db
    .insertInto('settings')
    .values({ key: POLICY_SETTING, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
}

/** Throws `conflict` (`sso_required`) while single sign-on is enforced, unless the user is exempt. */
export async function requireOpenSignIn(db: Kysely<Database>, userId: string | null): Promise<void> {
  const { ssoRequired, breakGlass } = await readSignInPolicy(db);
  if (ssoRequired && (userId === null || !breakGlass.includes(userId)))
    throw new AppError('conflict', 'sso_required', { reason: 'sso_required' });
}

/** The error of every call of an account that has to set up a second factor first. */
export function secondFactorRequired(): AppError {
  return new AppError('conflict', 'second_factor_setup_required', { reason: 'second_factor_required' });
}
