import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import { audit, origin } from '../audit.ts';
import { forgive } from '../brake.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { requestLetter } from '../letters.ts';
import { addressKey, count, consume } from '../limits.ts';
import { digestOf } from '../one-time.ts';
import { ownAddress } from '../own-address.ts';
import { requireOwnOrigin } from '../security.ts';
import { announceEnd } from '../sign-out.ts';
import { refuseWeakPassword } from './common-passwords.ts';
import { findReset, useReset } from './resets.ts';

/** Serves the way back in for somebody who has forgotten the password. */
export function serveForgotten(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.forgotPassword, async ({ body, request }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `forgot:${addressKey(request.ip)}`, deps.config.limits.forgotPerAddress);
    const { max, seconds } = deps.config.limits.forgotPerAccount;
    const { uses } = await count(deps, `forgot:account:${digestOf(body.email.toLowerCase())}`, seconds);
    // Beyond the limit the reply stays the same: the letters of this hour are there already.
    if (uses <= max) {
      const address = ownAddress(app, deps.config);
      await requestLetter(deps, { kind: 'password_reset', email: body.email, origin: address });
    }
    return { ok: true as const };
  });

  serve(app, authRoutes.resetPassword, async ({ body, request }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `reset:${addressKey(request.ip)}`, deps.config.limits.resetPerAddress);
    await consume(deps, `reset:link:${digestOf(body.token)}`, deps.config.limits.resetPerLink);
    const user = await findReset(deps, body.token);
    if (!user) throw linkIsOver();
    refuseWeakPassword(deps.config, 'new_password', body.new_password, user);
    const ended = await useReset(deps, body.token, await app.passwords.hash(body.new_password));
    if (!ended) throw linkIsOver();
    for (const name of [user.email, user.username]) await forgive(deps, name, request.ip);
    announceEnd(deps, ended);
    await audit(deps.db, { userId: user.id, event: 'password_reset', ...origin(request) });
    deps.events.emit({ type: 'password-changed', userId: user.id });
    return { ok: true as const };
  });
}

function linkIsOver(): AppError {
  return new AppError('bad_request', 'This link has been used already, or is too old. Ask for a new one.', {
    reason: 'link_over',
  });
}
