import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { listensBeyondLoopback } from '../http/listening.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { unauthenticated } from '../identity/access.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { needsRehash } from '../identity/passwords.ts';
import type { UserRow } from '../identity/profile.ts';
import { readPreferences } from '../identity/reader-preferences.ts';
import { readSignInPolicy, requireOpenSignIn } from '../identity/sign-in-policy.ts';
import { signToken } from '../identity/signed-tokens.ts';
import { checkSignupAllowed, findSignupInvitation, getSignupMode } from '../identity/signup.ts';
import { findUser, insertUser } from '../identity/user-store.ts';
import { clearFailures, registerAttempt } from '../rate-limit/login-throttle.ts';
import { consume, ipKey } from '../rate-limit/rate-limiter.ts';
import { createRefreshCookie } from './auth-cookies.ts';
import { requireStrongPassword } from './common-passwords.ts';
import { type AuthContext, continueSignIn, issueSession, presentTokens } from './complete-sign-in.ts';
import { serveEmailVerification } from './email-verification.ts';
import { serveIssuers } from './issuer-routes.ts';
import { listIssuers } from './issuers.ts';
import { serveOAuth } from './oauth-routes.ts';
import { servePasswordReset } from './password-reset-routes.ts';
import { serveSignInPolicy } from './policy-routes.ts';
import { verifyRefreshToken } from './refresh-token.ts';
import { serveSessions } from './session-routes.ts';
import { refreshSession, revokeSession } from './session-tokens.ts';
import { hasAccounts, isSetupCode } from './setup-code.ts';
import { serveTwoFactor } from './two-factor.ts';

/** Registers the `auth` routes. */
export function registerAuth(app: FastifyInstance, deps: Deps): void {
  const auth: AuthContext = { app, deps, cookie: createRefreshCookie(deps) };
  serveSetup(auth);
  serveRegister(auth);
  serveLogin(auth);
  serveTwoFactor(auth);
  serveOAuth(auth);
  serveIssuers(app, deps);
  serveSignInPolicy(app, deps);
  serveRefresh(auth);
  serveLogoutAndTicket(auth);
  serveSessions(app, deps);
  servePasswordReset(app, deps);
  serveEmailVerification(app, deps);
}

function serveSetup({ app, deps }: AuthContext): void {
  serve(app, authRoutes.setup, async () => {
    const first = !(await hasAccounts(deps.db));
    const { github, google } = deps.config.signIn;
    const { ssoRequired } = await readSignInPolicy(deps.db);
    return {
      first_account: first,
      setup_code_required: first && listensBeyondLoopback(deps.config),
      signup: await getSignupMode(deps),
      oauth_providers: {
        github: github !== null && !ssoRequired,
        google: google !== null && !ssoRequired,
      },
      issuers: (await listIssuers(deps)).map(({ id, name }) => ({ id, name })),
      password_min_length: deps.config.passwordMinLength,
      sso_required: ssoRequired,
    };
  });

  serve(app, authRoutes.invitation, async ({ body }) => {
    const invitation = await findSignupInvitation(deps, body.token);
    if (!invitation) throw new AppError('not_found', 'signup_invitation_expired');
    return { email: invitation.email };
  });
}

function serveRegister(auth: AuthContext): void {
  const { app, deps } = auth;
  serve(app, authRoutes.register, async ({ body, request, reply }) => {
    const ip = ipKey(request.ip);
    const { registerPerIp } = deps.config.limits;
    requireStrongPassword(deps.config, 'password', body.password, body);
    const user = await insertUser(deps.db, {
      username: body.username,
      email: body.email,
      passwordHash: await app.passwords.hash(body.password),
      emailVerifiedAt: null,
      // Keeps the theme and language the visitor already uses.
      preferences: readPreferences(request),
      checkAllowed: async (db, isFirst) => {
        await checkRegistration({ ...deps, db }, isFirst, body);
        // In the same transaction, so that a failed registration consumes nothing.
        await consume({ ...deps, db }, `register:${ip}`, registerPerIp);
      },
    });
    await recordAuditEvent(deps.db, { userId: user.id, event: 'signed_up', ...clientInfo(request) });
    if (deps.config.mail.smtpUrl !== null) {
      const baseUrl = resolvePublicUrl(app, deps.config);
      await queueEmail(deps, { kind: 'email_confirm', userId: user.id, origin: baseUrl });
    }
    return await issueSession(auth, user, { remember: false, method: 'sign-up', request, reply });
  });
}

function serveLogin(auth: AuthContext): void {
  const { app, deps } = auth;
  serve(app, authRoutes.login, async ({ body, request, reply }) => {
    const user = await findUser(deps.db, body.username);
    const account = throttleKey(user, body.username);
    await registerAttempt(deps, account, request.ip);
    const hash = user?.password_hash ?? null;
    const isCorrect = await app.passwords.verify(body.password, hash);
    if (!user || !hash || !isCorrect) {
      await recordAuditEvent(deps.db, {
        userId: user?.id ?? null,
        event: 'sign_in_failed',
        ...clientInfo(request),
      });
      throw new AppError('unauthenticated', 'login_failed');
    }
    await clearFailures(deps, account, request.ip);
    // After the password, so that the reply does not tell who may sign in with one.
    await requireOpenSignIn(deps.db, user.id);
    if (needsRehash(hash)) {
      const password_hash = await app.passwords.hash(body.password);
      await deps.db.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
    }
    return await continueSignIn(auth, user, {
      remember: body.remember === 'true',
      method: 'password',
      request,
      reply,
    });
  });
}

/**
 * Name that failed attempts are counted by, as the account spells it. Email and username are counted separately,
 * since a shared count would reveal which email belongs to a username.
 */
function throttleKey(user: UserRow | null, typed: string): string {
  if (!user) return typed;
  return typed.includes('@') ? user.email : user.username;
}

function serveRefresh({ app, deps, cookie }: AuthContext): void {
  serve(app, authRoutes.refresh, async ({ body, request, reply }) => {
    const claims = verifyRefreshToken(deps.keys, body?.refresh_token ?? cookie.read(request) ?? '');
    if (!claims) throw unauthenticated();
    const grant = await refreshSession(deps, claims);
    cookie.write(reply, grant);
    const { refresh_token, ...rest } = presentTokens(grant);
    // A script that can send the cookie must not be able to read its value.
    return body?.refresh_token ? { ...rest, refresh_token } : rest;
  });
}

function serveLogoutAndTicket({ app, deps, cookie }: AuthContext): void {
  serve(app, authRoutes.logout, async ({ caller, request, reply }) => {
    await revokeSession(deps, caller.sessionId);
    await recordAuditEvent(deps.db, { userId: caller.userId, event: 'signed_out', ...clientInfo(request) });
    cookie.clear(reply);
    return { ok: true as const };
  });

  serve(app, authRoutes.socketTicket, async ({ caller }) => {
    const bearer = { userId: caller.userId, sessionId: caller.sessionId, generation: null };
    return { ticket: await signToken({ keys: deps.keys, type: 'ticket', now: deps.now() }, bearer) };
  });
}

/**
 * Throws unless the registration is allowed: the first account with the setup code where one is required, later
 * ones by the sign-up mode.
 */
async function checkRegistration(
  deps: Pick<Deps, 'config' | 'keys' | 'now'> & { db: Kysely<Database> },
  isFirst: boolean,
  {
    email,
    setup_code = '',
    invitation_token: invitation = null,
  }: { email: string; setup_code?: string; invitation_token?: string | null },
): Promise<void> {
  if (!isFirst) {
    await requireOpenSignIn(deps.db, null);
    return await checkSignupAllowed(deps, { email, invitation });
  }
  if (listensBeyondLoopback(deps.config) && !isSetupCode(deps.keys, setup_code)) {
    throw new AppError('invalid_input', 'setup_code_wrong', { fields: { setup_code: 'setup_code_wrong' } });
  }
}
