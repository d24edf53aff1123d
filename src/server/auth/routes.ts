import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { signedOut } from '../access.ts';
import { audit, origin } from '../audit.ts';
import { forgive, takeTry } from '../brake.ts';
import { choicesOf } from '../choices.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { requestLetter } from '../letters.ts';
import { addressKey, consume } from '../limits.ts';
import { ownAddress } from '../own-address.ts';
import { isOutdated } from '../passwords.ts';
import type { UserRow } from '../profile.ts';
import { requireOwnOrigin } from '../security.ts';
import { sign } from '../signed.ts';
import { admitNewcomer, findInvitation, signupMode } from '../signup.ts';
import { findUser, insertUser } from '../users.ts';
import { type Auth, arrive, letIn, presentGrant } from './arrival.ts';
import { refuseWeakPassword } from './common-passwords.ts';
import { serveConfirmations } from './confirmations.ts';
import { createRefreshCookie } from './cookie.ts';
import { serveForgotten } from './forgotten.ts';
import { readRefreshToken } from './refresh-token.ts';
import { serveSecondFactor } from './second-factor.ts';
import { endSession, renewSession } from './sessions.ts';
import { hasAccounts, isSetupCode, listensBeyondLoopback } from './setup.ts';
import { serveSignIns } from './sign-ins.ts';
import { serveSocial } from './social.ts';

/** Serves the feature `auth`. */
export function registerAuth(app: FastifyInstance, deps: Deps): void {
  const auth: Auth = { app, deps, cookie: createRefreshCookie(deps) };
  serveSetup(auth);
  serveRegister(auth);
  serveLogin(auth);
  serveSecondFactor(auth);
  serveSocial(auth);
  serveRefresh(auth);
  serveSession(auth);
  serveSignIns(app, deps);
  serveForgotten(app, deps);
  serveConfirmations(app, deps);
}

function serveSetup({ app, deps }: Auth): void {
  serve(app, authRoutes.setup, async () => {
    const first = !(await hasAccounts(deps.db));
    const { github, google } = deps.config.signIn;
    return {
      first_account: first,
      setup_code_required: first && listensBeyondLoopback(deps.config),
      signup: await signupMode(deps),
      services: { github: github !== null, google: google !== null },
      password_min_length: deps.config.passwordMinLength,
    };
  });

  serve(app, authRoutes.invitation, async ({ body, request }) => {
    const key = `invitation:ip:${addressKey(request.ip)}`;
    await consume(deps, key, deps.config.limits.invitationLookupsPerAddress);
    const invitation = await findInvitation(deps, body.token);
    if (!invitation) throw new AppError('not_found', 'This invitation has been used, or is too old.');
    return { email: invitation.email };
  });
}

function serveRegister(auth: Auth): void {
  const { app, deps } = auth;
  serve(app, authRoutes.register, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    const ip = addressKey(request.ip);
    const { registerPerAddress, registerTriesPerAddress } = deps.config.limits;
    await consume(deps, `register:tries:${ip}`, registerTriesPerAddress);
    refuseWeakPassword(deps.config, 'password', body.password, body);
    const user = await insertUser(deps.db, {
      username: body.username,
      email: body.email,
      passwordHash: await app.passwords.hash(body.password),
      emailVerifiedAt: null,
      // What the visitor saw the pages in, so that signing up changes neither theme nor language.
      preferences: choicesOf(request),
      admit: async (db, isFirst) => {
        await admit({ ...deps, db }, isFirst, body);
        // With the transaction of the account: what makes none spends nothing of the limit.
        await consume({ ...deps, db }, `register:${ip}`, registerPerAddress);
      },
    });
    await audit(deps.db, { userId: user.id, event: 'signed_up', ...origin(request) });
    if (deps.config.mail.smtpUrl !== null) {
      const address = ownAddress(app, deps.config);
      await requestLetter(deps, { kind: 'email_confirm', userId: user.id, origin: address });
    }
    return await letIn(auth, user, { remember: false, by: 'sign-up', request, reply });
  });
}

function serveLogin(auth: Auth): void {
  const { app, deps } = auth;
  serve(app, authRoutes.login, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    const address = addressKey(request.ip);
    await consume(deps, `login:${address}`, deps.config.limits.loginPerAddress);
    await consume(deps, `login:hourly:${address}`, deps.config.limits.loginPerAddressHourly);

    const user = await findUser(deps.db, body.username);
    const account = typedAccount(user, body.username);
    await takeTry(deps, account, request.ip);
    const hash = user?.password_hash ?? null;
    const fits = await app.passwords.verify(body.password, hash);
    if (!user || !hash || !fits) {
      await audit(deps.db, { userId: user?.id ?? null, event: 'sign_in_failed', ...origin(request) });
      throw new AppError('unauthenticated', 'Incorrect email or password');
    }
    await forgive(deps, account, request.ip);
    if (isOutdated(hash)) {
      const password_hash = await app.passwords.hash(body.password);
      await deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
    }
    return await arrive(auth, user, { remember: body.remember === 'true', by: 'password', request, reply });
  });
}

/**
 * The name that failed tries are counted by: the one that was typed, as the account spells it. Email and username are
 * counted apart, since a shared count would tell strangers which email belongs to a username.
 */
function typedAccount(user: UserRow | null, typed: string): string {
  if (!user) return typed;
  return typed.includes('@') ? user.email : user.username;
}

function serveRefresh({ app, deps, cookie }: Auth): void {
  serve(app, authRoutes.refresh, async ({ body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `refresh:${addressKey(request.ip)}`, deps.config.limits.refreshPerAddress);
    const place = readRefreshToken(deps.keys, body?.refresh_token ?? cookie.read(request) ?? '');
    if (!place) throw signedOut();
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
    await audit(deps.db, { userId: caller.userId, event: 'signed_out', ...origin(request) });
    cookie.clear(reply);
    return { ok: true as const };
  });

  serve(app, authRoutes.socketTicket, async ({ caller }) => {
    const bearer = { userId: caller.userId, sessionId: caller.sessionId, generation: null };
    return { ticket: await sign({ keys: deps.keys, type: 'ticket', now: deps.now() }, bearer) };
  });
}

/** Who may make an account: the first with the setup code where one is asked for, later ones as the admin chose. */
async function admit(
  deps: Pick<Deps, 'config' | 'keys' | 'now'> & { db: Kysely<Database> },
  isFirst: boolean,
  {
    email,
    setup_code = '',
    invitation = null,
  }: { email: string; setup_code?: string; invitation?: string | null },
): Promise<void> {
  if (!isFirst) return await admitNewcomer(deps, { email, invitation });
  if (listensBeyondLoopback(deps.config) && !isSetupCode(deps.keys, setup_code)) {
    const message = 'The setup code is in the output of the server';
    throw new AppError('invalid_input', message, { fields: { setup_code: message } });
  }
}
