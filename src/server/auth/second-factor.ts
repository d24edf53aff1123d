import type { FastifyInstance } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { twoFactorRoutes } from '#contract/two-factor.ts';
import { createBox } from '#secrets/box.ts';
import { deactivated } from '../access.ts';
import { audit, origin } from '../audit.ts';
import { forgive, takeTry } from '../brake.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { addressKey, consume } from '../limits.ts';
import { findSecret, takeSecret } from '../one-time.ts';
import type { UserRow } from '../profile.ts';
import { removeSecondFactor } from '../second-factor.ts';
import { requireOwnOrigin } from '../security.ts';
import { announceEnd, revokeSessions } from '../sign-out.ts';
import { type Auth, letIn } from './arrival.ts';
import { makeRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts';
import { newTotpKey, stepOfCode, totpUri } from './totp.ts';

/** Serves the second factor: turning it on and off, and the step that it adds to a sign-in. */
export function serveSecondFactor(auth: Auth): void {
  serveSwitch(auth.app, auth.deps);
  serveConfirmation(auth.app, auth.deps);
  serveSignInStep(auth);
}

function serveSwitch(app: FastifyInstance, deps: Deps): void {
  serve(app, twoFactorRoutes.state, async ({ caller }) => {
    const user = await findRow(deps, caller.userId);
    const { left } = await deps.db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<string>().as('left'))
      .where('user_id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    return { enabled: user?.totp_secret != null, recovery_codes_left: Number(left) };
  });

  serve(app, twoFactorRoutes.begin, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    const user = await confirmOwner(app, deps, caller, { ...body, ip: request.ip });
    if (user.totp_secret !== null) throw isOn();
    const key = newTotpKey();
    const totp_pending = boxOf(deps).seal(key, user.id);
    await deps.db.updateTable('users').set({ totp_pending }).where('id', '=', user.id).execute();
    return { secret: key, uri: totpUri(key, user.email) };
  });

  serve(app, twoFactorRoutes.disable, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    const user = await confirmOwner(app, deps, caller, { ...body, ip: request.ip }, 'always');
    const ended = await deps.db.transaction().execute(async (trx) => {
      await removeSecondFactor(trx, user.id);
      await audit(trx, { userId: user.id, event: 'two_factor_off', ...origin(request) });
      return await revokeSessions({ ...deps, db: trx }, user.id, caller.sessionId);
    });
    announceEnd(deps, ended);
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'two_factor_off' });
    return { ok: true as const };
  });

  serve(app, twoFactorRoutes.renewCodes, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    const user = await confirmOwner(app, deps, caller, { ...body, ip: request.ip }, 'always');
    if (user.totp_secret === null) throw isOff();
    return await deps.db.transaction().execute(async (trx) => {
      await audit(trx, { userId: user.id, event: 'recovery_codes_made', ...origin(request) });
      return { recovery_codes: await makeRecoveryCodes({ db: trx, keys: deps.keys }, user.id) };
    });
  });
}

function serveConfirmation(app: FastifyInstance, deps: Deps): void {
  serve(app, twoFactorRoutes.confirm, async ({ caller, body, request }) => {
    requireOwnOrigin(request, deps.config);
    await takeTry(deps, triesOf(caller.userId), request.ip);
    const user = await findRow(deps, caller.userId);
    if (!user?.totp_pending) throw isOff();
    const key = boxOf(deps).open(user.totp_pending, user.id);
    const step = stepOfCode(key, body.code.replace(/\s/g, ''), deps.now());
    if (step === null) throw wrongCode();
    const { recovery_codes, ended } = await deps.db.transaction().execute(async (trx) => {
      const turnedOn = await trx
        .updateTable('users')
        .set({ totp_secret: user.totp_pending, totp_pending: null, totp_last_step: step })
        .where('id', '=', user.id)
        .where('totp_pending', '=', user.totp_pending)
        .executeTakeFirst();
      if (turnedOn.numUpdatedRows === 0n) throw isOff();
      await audit(trx, { userId: user.id, event: 'two_factor_on', ...origin(request) });
      return {
        recovery_codes: await makeRecoveryCodes({ db: trx, keys: deps.keys }, user.id),
        // Whoever holds a copy of another sign-in has shown no second factor.
        ended: await revokeSessions({ ...deps, db: trx }, user.id, caller.sessionId),
      };
    });
    announceEnd(deps, ended);
    await forgive(deps, triesOf(user.id), request.ip);
    deps.events.emit({ type: 'account-changed', userId: user.id, change: 'two_factor_on' });
    return { recovery_codes };
  });
}

function serveSignInStep(auth: Auth): void {
  const { app, deps } = auth;
  serve(app, twoFactorRoutes.signIn, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `login:${addressKey(request.ip)}`, deps.config.limits.loginPerAddress);
    const waiting = await findSecret(deps, 'second-factor', body.challenge);
    if (!waiting?.userId) throw challengeIsOver();
    await takeTry(deps, triesOf(waiting.userId), request.ip);
    const user = await findRow(deps, waiting.userId);
    if (!user?.is_active) throw deactivated();
    const by = await takeCode(deps, user, body.code);
    if (by === null) {
      await audit(deps.db, { userId: user.id, event: 'two_factor_failed', ...origin(request) });
      throw wrongCode();
    }
    if (!(await takeSecret(deps, 'second-factor', body.challenge))) throw challengeIsOver();
    await forgive(deps, triesOf(user.id), request.ip);
    if (by === 'recovery code') {
      await audit(deps.db, { userId: user.id, event: 'recovery_code_used', ...origin(request) });
      deps.events.emit({ type: 'account-changed', userId: user.id, change: 'recovery_code_used' });
    }
    return await letIn(auth, user, { remember: waiting.data.remember, by, request, reply });
  });
}

/** Uses a code up and says which kind it was; null for a wrong one and for one that was used already. */
async function takeCode(
  deps: Pick<Deps, 'db' | 'keys' | 'now'>,
  user: UserRow,
  typed: string,
): Promise<'authenticator' | 'recovery code' | null> {
  if (user.totp_secret === null) return null;
  const digits = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) {
    return (await takeRecoveryCode(deps, user.id, typed)) ? 'recovery code' : null;
  }
  const step = stepOfCode(boxOf(deps).open(user.totp_secret, user.id), digits, deps.now());
  if (step === null) return null;
  // One statement, so that of two who come at once with one code, one gets in.
  const taken = await deps.db
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', user.id)
    .where('totp_secret', '=', user.totp_secret)
    .where(({ eb, or }) => or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', String(step))]))
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n ? 'authenticator' : null;
}

const boxOf = ({ keys }: Pick<Deps, 'keys'>) => createBox(keys, 'totp');

const triesOf = (userId: string) => `second factor of ${userId}`;

async function findRow({ db }: Pick<Deps, 'db'>, id: string): Promise<UserRow | undefined> {
  return await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

function wrongCode(): AppError {
  const message = 'This code is wrong, or was used already. Wait for the next one.';
  return new AppError('invalid_input', message, { reason: 'wrong_code', fields: { code: message } });
}

function challengeIsOver(): AppError {
  return new AppError('bad_request', 'This sign-in took too long. Enter your password again.', {
    reason: 'challenge_over',
  });
}

function isOn(): AppError {
  return new AppError('conflict', 'Two-factor authentication is on already.', { reason: 'two_factor_on' });
}

function isOff(): AppError {
  return new AppError('conflict', 'Two-factor authentication has not been begun. Begin again.', {
    reason: 'two_factor_off',
  });
}
