import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import { deactivated, signedOut } from '../access.ts';
import { forgive, takeTry } from '../brake.ts';
import { choicesOf } from '../choices.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { addressKey, LIMITS, spend } from '../limits.ts';
import { isOutdated } from '../passwords.ts';
import { presentProfile } from '../profile.ts';
import { requireOwnOrigin } from '../security.ts';
import { sign } from '../signed.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { createRefreshCookie, type RefreshCookie } from './cookie.ts';
import { serveForgotten } from './forgotten.ts';
import { findUser, insertUser } from './queries.ts';
import { readRefreshToken } from './refresh-token.ts';
import { endSession, type Grant, renewSession, startSession } from './sessions.ts';
import { hasAccounts, isSetupCode, listensBeyondLoopback } from './setup.ts';
import { serveSignIns } from './sign-ins.ts';

/** What the parts of this feature share. */
interface Auth {
  app: FastifyInstance;
  deps: Deps;
  cookie: RefreshCookie;
}

/** Serves the feature `auth`. */
export function registerAuth(app: FastifyInstance, deps: Deps): void {
  const auth: Auth = { app, deps, cookie: createRefreshCookie(deps) };
  serveRegister(auth);
  serveLogin(auth);
  serveRefresh(auth);
  serveSession(auth);
  serveSignIns(app, deps);
  serveForgotten(app, deps);
}

function serveRegister({ app, deps, cookie }: Auth): void {
  serve(app, authRoutes.setup, async () => {
    const first = !(await hasAccounts(deps.db));
    return { first_account: first, setup_code_required: first && listensBeyondLoopback(deps.config) };
  });

  serve(app, authRoutes.register, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await spend(deps, `register:${addressKey(request.ip)}`, LIMITS.registerPerAddress);
    refuseCommonPassword('password', body.password, body);
    const user = await insertUser(deps.db, {
      username: body.username,
      email: body.email,
      passwordHash: await app.passwords.hash(body.password),
      // What the visitor saw the pages in, so that signing up changes neither theme nor language.
      preferences: choicesOf(request),
      admit: (isFirst) => admit(deps, isFirst, body.setup_code),
    });
    const grant = await startSession(deps, user.id, {
      remember: false,
      userAgent: request.headers['user-agent'],
    });
    cookie.write(reply, grant);
    return { ...presentGrant(grant), user: presentProfile(user) };
  });
}

function serveLogin({ app, deps, cookie }: Auth): void {
  serve(app, authRoutes.login, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    const address = addressKey(request.ip);
    await spend(deps, `login:${address}`, LIMITS.loginPerAddress);
    await spend(deps, `login:hourly:${address}`, LIMITS.loginPerAddressHourly);

    const user = await findUser(deps.db, body.username);
    const account = user?.id ?? body.username;
    await takeTry(deps, account, request.ip);
    const fits = await app.passwords.verify(body.password, user?.password_hash ?? null);
    if (!user || !fits) throw new AppError('unauthenticated', 'Incorrect email or password');
    await forgive(deps, account, request.ip);
    if (!user.is_active) throw deactivated();

    if (isOutdated(user.password_hash)) {
      const password_hash = await app.passwords.hash(body.password);
      await deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
    }
    const remember = body.remember === 'true';
    const grant = await startSession(deps, user.id, { remember, userAgent: request.headers['user-agent'] });
    cookie.write(reply, grant);
    return { ...presentGrant(grant), user: presentProfile(user) };
  });
}

function serveRefresh({ app, deps, cookie }: Auth): void {
  serve(app, authRoutes.refresh, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await spend(deps, `refresh:${addressKey(request.ip)}`, LIMITS.refreshPerAddress);
    const place = readRefreshToken(deps.keys, body?.refresh_token ?? cookie.read(request) ?? '');
    if (!place) throw signedOut();
    await spend(deps, `refresh:${place.sessionId}`, LIMITS.refreshPerSession);
    const grant = await renewSession(deps, place);
    cookie.write(reply, grant);
    const { refresh_token, ...rest } = presentGrant(grant);
    // A script that can send the cookie must not learn what is in it.
    return body?.refresh_token ? { ...rest, refresh_token } : rest;
  });
}

function serveSession({ app, deps, cookie }: Auth): void {
  serve(app, authRoutes.logout, async ({ caller, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await endSession(deps, caller.sessionId);
    cookie.clear(reply);
    return { ok: true as const };
  });

  serve(app, authRoutes.socketTicket, async ({ caller }) => {
    const bearer = { userId: caller.userId, sessionId: caller.sessionId, generation: null };
    return { ticket: await sign({ keys: deps.keys, type: 'ticket', now: deps.now() }, bearer) };
  });
}

/** Who may make an account: the first with the setup code where one is asked for, later ones as the operator chose. */
function admit({ config, keys }: Deps, isFirst: boolean, code = ''): void {
  if (isFirst && listensBeyondLoopback(config) && !isSetupCode(keys, code)) {
    const message = 'The setup code is in the output of the server';
    throw new AppError('invalid_input', message, { fields: { setup_code: message } });
  }
  if (!isFirst && config.signup !== 'open') {
    throw new AppError('bad_request', 'This server takes no new accounts. Ask its administrator.', {
      reason: 'signup_closed',
    });
  }
}

function presentGrant(grant: Grant) {
  return {
    access_token: grant.accessToken,
    refresh_token: grant.refreshToken,
    token_type: 'bearer' as const,
    expires_in: grant.expiresIn,
  };
}
