import type { FastifyInstance } from 'fastify';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { clearFailures, registerAttempt } from '../rate-limit/login-throttle.ts';
import type { Caller } from './access.ts';
import type { UserRow } from './profile.ts';

type ReauthenticationDeps = Pick<Deps, 'db' | 'now' | 'config'>;

/** Time after a sign-in within which the password is not required again. */
const RECENT_SIGN_IN_MS = 10 * 60_000;

/**
 * Returns the caller's row if the password is correct. Attempts are throttled with those of sign-in, so that a stolen access
 * token does not allow guessing. Throws `invalid_input` for `current_password`, or `rate_limited`.
 */
async function requirePassword(
  app: FastifyInstance,
  deps: ReauthenticationDeps,
  caller: Caller,
  password: string,
  ip: string,
): Promise<UserRow> {
  const user = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  await registerAttempt(deps, user.email, ip);
  if (!(await app.passwords.verify(password, user.password_hash))) {
    throw invalidPassword('password_incorrect');
  }
  await clearFailures(deps, user.email, ip);
  return user;
}

/**
 * Returns the caller's row after reauthentication: by password, or where allowed by a sign-in within the last ten minutes.
 * Accounts without a password must sign in again. Throws `invalid_input` with the reason
 * `current_password`, with `missingMessage` when it is missing, or `reauthentication_required`; or `rate_limited`.
 */
export async function requireReauthentication(
  app: FastifyInstance,
  deps: ReauthenticationDeps,
  caller: Caller,
  {
    current_password,
    ip,
    missingMessage = 'current_password_required',
  }: { current_password?: string | undefined; ip: string; missingMessage?: ErrorKey },
  password: 'always' | 'unless recent' = 'unless recent',
): Promise<UserRow> {
  if (current_password !== undefined) return await requirePassword(app, deps, caller, current_password, ip);
  const user = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const mayBeRecent = password === 'unless recent' || user.password_hash === null;
  if (mayBeRecent && (await hasSignedInRecently(deps, caller))) return user;
  if (user.password_hash !== null) throw invalidPassword(missingMessage);
  throw new AppError('invalid_input', 'recent_sign_in_required', {
    reason: 'reauthentication_required',
  });
}

/** True when the caller signed in within the last ten minutes. */
async function hasSignedInRecently({ db, now }: ReauthenticationDeps, caller: Caller): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', caller.sessionId)
    .executeTakeFirst();
  return session !== undefined && now().getTime() - session.created_at.getTime() < RECENT_SIGN_IN_MS;
}

/** The error of a wrong or missing current password. */
function invalidPassword(key: ErrorKey): AppError {
  return new AppError('invalid_input', key, {
    reason: 'current_password',
    fields: { current_password: key },
  });
}
