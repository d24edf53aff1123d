import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import { forgive } from '../brake.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { addressKey, count, LIMITS, spend } from '../limits.ts';
import { requireOwnOrigin } from '../security.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { requestPasswordLetter } from './letters.ts';
import { digestOf, findReset, useReset } from './resets.ts';
import { announceEnd } from './sessions.ts';

/** Serves the way back in for somebody who has forgotten the password. */
export function serveForgotten(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.forgotPassword, async ({ body, request }) => {
    requireOwnOrigin(request, deps.config);
    await spend(deps, `forgot:${addressKey(request.ip)}`, LIMITS.forgotPerAddress);
    const { max, seconds } = LIMITS.forgotPerAccount;
    const { uses } = await count(deps, `forgot:account:${digestOf(body.email.toLowerCase())}`, seconds);
    // Beyond the limit the reply stays the same: the letters of this hour are there already.
    if (uses <= max) {
      await requestPasswordLetter(deps, { email: body.email, origin: ownAddress(app, deps.config) });
    }
    return { ok: true as const };
  });

  serve(app, authRoutes.resetPassword, async ({ body, request }) => {
    requireOwnOrigin(request, deps.config);
    await spend(deps, `reset:${addressKey(request.ip)}`, LIMITS.resetPerAddress);
    await spend(deps, `reset:link:${digestOf(body.token)}`, LIMITS.resetPerLink);
    const user = await findReset(deps, body.token);
    if (!user) throw linkIsOver();
    refuseCommonPassword('new_password', body.new_password, user);
    const ended = await useReset(deps, body.token, await app.passwords.hash(body.new_password));
    if (!ended) throw linkIsOver();
    await forgive(deps, user.id, request.ip);
    announceEnd(deps, ended);
    deps.events.emit({ type: 'password-changed', userId: user.id });
    return { ok: true as const };
  });
}

function linkIsOver(): AppError {
  return new AppError('bad_request', 'This link has been used already, or is too old. Ask for a new one.', {
    reason: 'link_over',
  });
}

/** Where people find this server, by its settings or by what it listens on; never by what a request says. */
function ownAddress(app: FastifyInstance, { publicUrl }: Pick<Deps['config'], 'publicUrl'>): string {
  if (publicUrl) return publicUrl;
  const [listening] = app.addresses();
  if (!listening || typeof listening === 'string') return 'http://localhost';
  const { address, family, port } = listening;
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
