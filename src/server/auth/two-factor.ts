import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { createBox } from '#secrets/box.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { accountDeactivated } from '../identity/access.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { emitSessionEnded, revokeSessions } from '../identity/end-sessions.ts';
import { consumeToken, findToken } from '../identity/one-time-tokens.ts';
import type { UserRow } from '../identity/profile.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { removeSecondFactor } from '../identity/remove-second-factor.ts';
import { readSignInPolicy } from '../identity/sign-in-policy.ts';
import { clearFailures, registerAttempt } from '../rate-limit/login-throttle.ts';
import { type AuthContext, issueSession } from './complete-sign-in.ts';
import { consumeRecoveryCode, createRecoveryCodes } from './recovery-codes.ts';
import { generateTotpSecret, totpUri, verifyTotp } from './totp.ts';

/** Serves two-factor authentication: enabling, disabling, and the sign-in challenge. */
export function serveTwoFactor(auth: AuthContext): void {
  serveSettings(auth.app, auth.deps);
  serveEnrollmentConfirmation(auth.app, auth.deps);
  serveChallenge(auth);
}

function serveSettings(app: FastifyInstance, deps: Deps): void {
  serve(app, twoFactorRoutes.state, async ({ caller }) => {
    const user = await findUserRow(deps, caller.userId);
    const { remaining } = await deps.db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<string>().as('remaining'))
      .where('user_id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    return { enabled: user?.totp_secret != null, recovery_codes_remaining: Number(remaining) };
  });

  serve(app, twoFactorRoutes.setUp, async ({ caller, body, request }) => {
    const user = await requireReauthentication(app, deps, caller, { ...body, ip: request.ip });
    if (user.totp_secret !== null) throw alreadyEnabled();
    const secret = generateTotpSecret();
    const totp_pending = totpBox(deps).seal(secret, user.id);
    await deps.db.updateTable('users').set({ totp_pending }).where('id', '=', user.id).execute();
    return { secret, uri: totpUri(secret, user.email) };
  });

  serve(app, twoFactorRoutes.disable, async ({ caller, body, request }) => {
    if ((await readSignInPolicy(deps.db)).secondFactorRequired)
      throw new AppError('conflict', 'second_factor_enforced', { reason: 'second_factor_required' });
    const user = await requireReauthentication(app, deps, caller, { ...body, ip: request.ip }, 'always');
    const ended = await deps.db.transaction().execute(async (trx) => {
      await removeSecondFactor(trx, user.id);
      await recordAuditEvent(trx, { userId: user.id, event: 'two_factor_disabled', ...clientInfo(request) });
      return await revokeSessions({ ...deps, db: trx }, user.id, caller.sessionId);
    });
    emitSessionEnded(deps, ended);
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'two_factor_disabled' });
    return { ok: true as const };
  });

  serve(app, twoFactorRoutes.regenerateRecoveryCodes, async ({ caller, body, request }) => {
    const user = await requireReauthentication(app, deps, caller, { ...body, ip: request.ip }, 'always');
    if (user.totp_secret === null) throw notEnabled();
    return await deps.db.transaction().execute(async (trx) => {
      await recordAuditEvent(trx, {
        userId: user.id,
        event: 'recovery_codes_generated',
        ...clientInfo(request),
      });
      return { recovery_codes: await createRecoveryCodes({ db: trx, keys: deps.keys }, user.id) };
    });
  });
}

function serveEnrollmentConfirmation(app: FastifyInstance, deps: Deps): void {
  serve(app, twoFactorRoutes.confirm, async ({ caller, body, request }) => {
    await registerAttempt(deps, throttleKey(caller.userId), request.ip);
    const user = await findUserRow(deps, caller.userId);
    if (!user?.totp_pending) throw notEnabled();
    const secret = totpBox(deps).open(user.totp_pending, user.id);
    const timeStep = verifyTotp(secret, body.code.replace(/\s/g, ''), deps.now());
    if (timeStep === null) throw invalidCode();
    const { recovery_codes, ended } = await deps.db.transaction().execute(async (trx) => {
      const enabled = await trx
        .updateTable('users')
        .set({ totp_secret: user.totp_pending, totp_pending: null, totp_last_step: timeStep })
        .where('id', '=', user.id)
        .where('totp_pending', '=', user.totp_pending)
        .executeTakeFirst();
      if (enabled.numUpdatedRows === 0n) throw notEnabled();
      await recordAuditEvent(trx, { userId: user.id, event: 'two_factor_enabled', ...clientInfo(request) });
      return {
        recovery_codes: await createRecoveryCodes({ db: trx, keys: deps.keys }, user.id),
        // Other sessions were created without a second factor.
        ended: await revokeSessions({ ...deps, db: trx }, user.id, caller.sessionId),
      };
    });
    emitSessionEnded(deps, ended);
    await clearFailures(deps, throttleKey(user.id), request.ip);
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'two_factor_enabled' });
    return { recovery_codes };
  });
}

function serveChallenge(auth: AuthContext): void {
  const { app, deps } = auth;
  serve(app, twoFactorRoutes.signIn, async ({ body, request, reply }) => {
    const challenge = await findToken(deps, 'two_factor', body.challenge);
    if (!challenge?.userId) throw challengeExpired();
    await registerAttempt(deps, throttleKey(challenge.userId), request.ip);
    const user = await findUserRow(deps, challenge.userId);
    if (!user?.is_active) throw accountDeactivated();
    const method = await consumeCode(deps, user, body.code);
    if (method === null) {
      await recordAuditEvent(deps.db, {
        userId: user.id,
        event: 'two_factor_failed',
        ...clientInfo(request),
      });
      throw invalidCode();
    }
    if (!(await consumeToken(deps, 'two_factor', body.challenge))) throw challengeExpired();
    await clearFailures(deps, throttleKey(user.id), request.ip);
    if (method === 'recovery code') {
      await recordAuditEvent(deps.db, {
        userId: user.id,
        event: 'recovery_code_used',
        ...clientInfo(request),
      });
      deps.events.emit({ type: 'account-changed', userId: user.id, change: 'recovery_code_used' });
    }
    return await issueSession(auth, user, { remember: challenge.data.remember, method, request, reply });
  });
}

/** Consumes a code and returns its kind; null for a wrong or used code. */
async function consumeCode(
  deps: Pick<Deps, 'db' | 'keys' | 'now'>,
  user: UserRow,
  input: string,
): Promise<'authenticator' | 'recovery code' | null> {
  if (user.totp_secret === null) return null;
  const digits = input.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    return (await consumeRecoveryCode(deps, user.id, input)) ? 'recovery code' : null;
  }
  const timeStep = verifyTotp(totpBox(deps).open(user.totp_secret, user.id), digits, deps.now());
  if (timeStep === null) return null;
  // A single statement, so that concurrent requests cannot reuse one code.
  const updated = await deps.db
    .updateTable('users')
    .set({ totp_last_step: timeStep })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret)
    .where(({ eb, or }) =>
      or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', String(timeStep))]),
    )
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n ? 'authenticator' : null;
}

const totpBox = ({ keys }: Pick<Deps, 'keys'>) => createBox(keys, 'totp');

/** Key that failed codes are counted by. */
const throttleKey = (userId: string) => `second factor of ${userId}`;

async function findUserRow({ db }: Pick<Deps, 'db'>, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

function invalidCode(): AppError {
  return new AppError('invalid_input', 'second_factor_code_wrong', {
    reason: 'invalid_code',
    fields: { code: 'second_factor_code_wrong' },
  });
}

function challengeExpired(): AppError {
  return new AppError('bad_request', 'challenge_expired', {
    reason: 'challenge_expired',
  });
}

function alreadyEnabled(): AppError {
  return new AppError('conflict', 'two_factor_enabled', { reason: 'two_factor_enabled' });
}

function notEnabled(): AppError {
  return new AppError('conflict', 'two_factor_not_started', {
    reason: 'two_factor_disabled',
  });
}
