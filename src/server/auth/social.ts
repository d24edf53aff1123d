import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { identityRoutes, type Service, service as serviceName } from '#contract/identities.ts';
import { API_PREFIX } from '#contract/route.ts';
import { audit, origin } from '../audit.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { addressKey, consume } from '../limits.ts';
import { makeSecret, type SecretData, takeSecret } from '../one-time.ts';
import { ownAddress } from '../own-address.ts';
import { requireOwnOrigin } from '../security.ts';
import { type Auth, arrive } from './arrival.ts';
import { stateCookie } from './cookie.ts';
import { accountOf, connect } from './identities.ts';
import { createGitHub } from './providers/github.ts';
import { createGoogle } from './providers/google.ts';
import type { SignInService } from './providers/sign-in-service.ts';

/** How long somebody may take at the other service. */
const UNDERWAY_S = 10 * 60;

type Services = Record<Service, SignInService | null>;

/** Serves signing in with accounts of other services, and connecting them. */
export function serveSocial(auth: Auth): void {
  const { github, google } = auth.deps.config.signIn;
  const services: Services = {
    github: github && createGitHub(github),
    google: google && createGoogle(google),
  };
  serveBeginnings(auth, services);
  serveReturn(auth, services);
  serveList(auth);
}

function serveBeginnings(auth: Auth, services: Services): void {
  const { app, deps } = auth;
  serve(app, identityRoutes.begin, async ({ params, body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `login:${addressKey(request.ip)}`, deps.config.limits.loginPerAddress);
    const { next = null, remember = false, invitation = null } = body;
    const wish = { next, remember, invitation, linkTo: null };
    return { address: await setOut(auth, services, { service: params.service, ...wish }, reply) };
  });

  serve(app, identityRoutes.link, async ({ caller, params, body, request, reply }) => {
    requireOwnOrigin(request, deps.config);
    await confirmOwner(app, deps, caller, { ...body, ip: request.ip });
    const wish = { next: '/settings', remember: false, invitation: null, linkTo: caller.userId };
    return { address: await setOut(auth, services, { service: params.service, ...wish }, reply) };
  });
}

type Wish = Omit<SecretData['social'], 'verifier' | 'nonce' | 'provider'> & { service: Service };

/** Keeps what this browser has begun under a state that only it is given, and says where to send it. */
async function setOut(auth: Auth, services: Services, wish: Wish, reply: FastifyReply): Promise<string> {
  const { app, deps } = auth;
  const { service: name, ...rest } = wish;
  const service = requireService(services, name);
  const [verifier, nonce] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const state = await makeSecret(deps, {
    purpose: 'social',
    userId: wish.linkTo,
    data: { ...rest, provider: name, verifier, nonce },
    seconds: UNDERWAY_S,
  });
  stateCookie(deps).write(reply, state, UNDERWAY_S);
  try {
    return await service.address({ state, nonce, verifier, redirectUri: returnAddress(auth, name) });
  } catch (cause) {
    app.log.warn({ err: cause }, 'asking a sign-in service');
    throw new AppError('unavailable', 'The other service does not answer. Try again shortly.', { cause });
  }
}

/**
 * The page that the other service sends the browser back to. It is no call of the contract: whatever happens, it answers
 * with the address of a page that says so.
 */
function serveReturn(auth: Auth, services: Services): void {
  const { app, deps } = auth;
  app.get(`${API_PREFIX}/auth/social/:service/callback`, async (request, reply) => {
    stateCookie(deps).clear(reply);
    try {
      return await reply.redirect(await comeBack(auth, services, request, reply), 303);
    } catch (error) {
      const reason = error instanceof AppError ? (error.reason ?? error.code) : 'service_failed';
      if (!(error instanceof AppError)) request.log.warn({ err: error }, 'a sign-in service');
      return await reply.redirect(`/login?social=${reason}`, 303);
    }
  });
}

async function comeBack(
  auth: Auth,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { deps } = auth;
  await consume(deps, `login:${addressKey(request.ip)}`, deps.config.limits.loginPerAddress);
  const { service: given } = request.params as { service: string };
  const { code, state } = request.query as { code?: unknown; state?: unknown };
  const name = serviceName.safeParse(given).data;
  if (!name || typeof state !== 'string' || stateCookie(deps).read(request) !== state) throw isForeign();
  const begun = await takeSecret(deps, 'social', state);
  if (!begun || begun.data.provider !== name) throw isForeign();
  if (typeof code !== 'string')
    throw new AppError('bad_request', 'The other service let nobody in.', { reason: 'refused' });

  const { verifier, nonce, linkTo, invitation, next, remember } = begun.data;
  const redirectUri = returnAddress(auth, name);
  const stranger = await requireService(services, name).identify(code, { verifier, nonce, redirectUri });
  if (linkTo !== null) {
    try {
      await connect(deps, linkTo, { service: name, stranger, request });
      return '/settings?linked=done';
    } catch (error) {
      if (error instanceof AppError && error.reason) return `/settings?linked=${error.reason}`;
      throw error;
    }
  }
  const user = await accountOf(deps, { service: name, stranger, invitation, request });
  const reached = await arrive(auth, user, { remember, by: name, request, reply });
  const goOn = next === null ? '' : `&next=${encodeURIComponent(next)}`;
  // The challenge stands in the fragment, which enters no log; the page asks for the access token by the cookie.
  return 'challenge' in reached
    ? `/login?social=code${goOn}#${reached.challenge}`
    : `/login?social=in${goOn}`;
}

function serveList({ app, deps }: Auth): void {
  serve(app, identityRoutes.list, async ({ caller }) => {
    const rows = await deps.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', caller.userId)
      .orderBy('provider')
      .execute();
    return {
      identities: rows.map((row) => ({
        service: row.provider,
        name: row.name,
        created_at: row.created_at.toISOString(),
      })),
      has_password: await hasPassword(deps, caller.userId),
    };
  });

  serve(app, identityRoutes.unlink, async ({ caller, params, request }) => {
    requireOwnOrigin(request, deps.config);
    const others = await deps.db
      .selectFrom('identities')
      .select('provider')
      .where('user_id', '=', caller.userId)
      .where('provider', '<>', params.service)
      .execute();
    if (others.length === 0 && !(await hasPassword(deps, caller.userId))) {
      throw new AppError('conflict', 'Set a password first: nothing else would open your account.', {
        reason: 'last_way_in',
      });
    }
    const removed = await deps.db
      .deleteFrom('identities')
      .where('user_id', '=', caller.userId)
      .where('provider', '=', params.service)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new AppError('not_found', 'No account of that service is connected.');
    const detail = { service: params.service, name: removed.name };
    await audit(deps.db, { userId: caller.userId, event: 'identity_unlinked', detail, ...origin(request) });
    return { ok: true as const };
  });
}

async function hasPassword({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return user.password_hash !== null;
}

function requireService(services: Services, name: Service): SignInService {
  const service = services[name];
  if (!service) throw new AppError('bad_request', 'Not set up on this server.', { reason: 'not_set_up' });
  return service;
}

function returnAddress({ app, deps }: Auth, name: Service): string {
  return `${ownAddress(app, deps.config)}${API_PREFIX}/auth/social/${name}/callback`;
}

function isForeign(): AppError {
  return new AppError('bad_request', 'This sign-in was begun elsewhere, or took too long. Begin again.', {
    reason: 'foreign',
  });
}
