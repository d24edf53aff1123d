import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The account that the provider authorizes next, and its faults. */
interface FakeProviderState {
  subject: number;
  login: string;
  email: string;
  emailVerified: boolean;
  /** Overrides of ID token claims. */
  claims: Record<string, unknown>;
  /** Signs the ID token with a key that is not in the JWKS. */
  signWithUnpublishedKey: boolean;
  /** Replaces the ID token. */
  forgeIdToken: ((claims: Record<string, unknown>) => Promise<string>) | null;
  /** Overrides of the discovery document. */
  metadata: Record<string, unknown>;
  /** Reply of the UserInfo endpoint. */
  userInfo: Record<string, unknown> | null;
  /** Answers a request to the token endpoint instead of the provider. */
  answerToken: ((response: ServerResponse) => void) | null;
}

/** Loopback server that implements GitHub OAuth with PKCE and OpenID Connect. */
export interface FakeOAuthProvider {
  url: string;
  state: FakeProviderState;
  /** Approves the authorization request of a URL; returns the callback URL. */
  approve(url: string): URL;
  close(): Promise<void>;
}

/** An issued code and the values it is bound to. */
interface AuthorizationGrant {
  challenge: string;
  redirectUri: string;
  nonce: string | null;
}

export const TEST_CLIENT = { clientId: 'the-client', clientSecret: 'the-client-secret' };

/** Starts the provider. A code works once, and only with its verifier and redirect URI. */
export async function startFakeProvider(): Promise<FakeOAuthProvider> {
  const keys = await generateKeyPair('RS256');
  const unpublishedKeys = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const state: FakeProviderState = {
    subject: 1,
    login: 'octo-ada',
    email: 'ada@example.org',
    emailVerified: true,
    claims: {},
    signWithUnpublishedKey: false,
    forgeIdToken: null,
    metadata: {},
    userInfo: null,
    answerToken: null,
  };
  const grants = new Map<string, AuthorizationGrant>();

  const signIdToken = async (grant: AuthorizationGrant): Promise<string> => {
    const claims = {
      nonce: grant.nonce,
      email: state.email,
      email_verified: state.emailVerified,
      name: 'Ada Lovelace',
      iss: url,
      aud: TEST_CLIENT.clientId,
      sub: `google-${state.subject}`,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
      ...state.claims,
    };
    if (state.forgeIdToken) return await state.forgeIdToken(claims);
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(state.signWithUnpublishedKey ? unpublishedKeys.privateKey : keys.privateKey);
  };

  const respond = async (request: IncomingMessage): Promise<object | null> => {
    const { pathname } = new URL(request.url ?? '/', url);
    if (pathname === '/.well-known/openid-configuration') {
      const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'keys'].map(
        (name) => `${url}/${name}`,
      );
      const endpoints = { authorization_endpoint, token_endpoint, jwks_uri, ...state.metadata };
      return { issuer: url, token_endpoint_auth_methods_supported: ['client_secret_post'], ...endpoints };
    }
    if (pathname === '/keys') return { keys: [jwk] };
    if (pathname === '/token' || pathname === '/login/oauth/access_token') {
      const grant = redeem(grants, new URLSearchParams(await readBody(request)));
      if (!grant) return { error: 'bad_verification_code' };
      return pathname === '/token'
        ? { id_token: await signIdToken(grant), access_token: 'bearer-of-ada' }
        : { access_token: 'bearer-of-ada' };
    }
    if (request.headers.authorization !== 'Bearer bearer-of-ada') return null;
    if (pathname === '/userinfo') return state.userInfo;
    if (pathname === '/api/user') return { id: state.subject, login: state.login, name: 'Ada Lovelace' };
    if (pathname !== '/api/user/emails') return null;
    return [
      { email: 'other@example.org', primary: false, verified: true },
      { email: state.email, primary: true, verified: state.emailVerified },
    ];
  };

  const server = createServer(async (request, response) => {
    if (request.url === '/token' && state.answerToken) return state.answerToken(response);
    const body = await respond(request);
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${bound.port}`;

  return {
    url,
    state,
    approve: (authorizeUrl) => grantCode(grants, authorizeUrl),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Issues a code for an authorization request; returns the callback URL. */
function grantCode(grants: Map<string, AuthorizationGrant>, authorizeUrl: string): URL {
  const params = new URL(authorizeUrl).searchParams;
  if (params.get('code_challenge_method') !== 'S256') throw new Error('code_challenge_method is not S256');
  const code = `code-${randomUUID()}`;
  const redirectUri = params.get('redirect_uri') ?? '';
  grants.set(code, {
    challenge: params.get('code_challenge') ?? '',
    redirectUri,
    nonce: params.get('nonce'),
  });
  const callback = new URL(redirectUri);
  callback.searchParams.set('code', code);
  callback.searchParams.set('state', params.get('state') ?? '');
  return callback;
}

/** Consumes a code; null unless everything it is bound to matches. */
function redeem(grants: Map<string, AuthorizationGrant>, form: URLSearchParams): AuthorizationGrant | null {
  const grant = grants.get(form.get('code') ?? '');
  grants.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const matches =
    grant?.challenge === challenge &&
    grant.redirectUri === form.get('redirect_uri') &&
    form.get('client_id') === TEST_CLIENT.clientId &&
    form.get('client_secret') === TEST_CLIENT.clientSecret;
  return matches ? grant : null;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
