import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** The person whom the services let in next, and what they do wrong. */
export interface ProviderState {
  subject: number;
  login: string;
  email: string;
  emailVerified: boolean;
  /** Changes to the claims of the signed identity. */
  claims: Record<string, unknown>;
  /** Signs it with a key that nobody published. */
  foreignKey: boolean;
}

/** A server on loopback that speaks GitHub's OAuth with PKCE and OpenID Connect as they are written down. */
export interface TestProvider {
  url: string;
  state: ProviderState;
  /** Lets the person in at the page that `address` shows: returns where the browser is sent back to. */
  letIn(address: string): URL;
  close(): Promise<void>;
}

/** A code that was handed out, and what it is bound to. */
interface Grant {
  challenge: string;
  redirectUri: string;
  nonce: string | null;
}

export const CLIENT = { clientId: 'the-client', clientSecret: 'the-client-secret' };

/** Starts the services. A code works once, and only with the verifier and the address that it was made for. */
export async function startProvider(): Promise<TestProvider> {
  const keys = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const state: ProviderState = {
    subject: 1,
    login: 'octo-ada',
    email: 'ada@example.org',
    emailVerified: true,
    claims: {},
    foreignKey: false,
  };
  const grants = new Map<string, Grant>();
  let codes = 0;

  const identity = async (grant: Grant): Promise<string> =>
    await new SignJWT({
      nonce: grant.nonce,
      email: state.email,
      email_verified: state.emailVerified,
      name: 'Ada Lovelace',
      iss: url,
      aud: CLIENT.clientId,
      sub: `google-${state.subject}`,
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 300,
      ...state.claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(state.foreignKey ? stranger.privateKey : keys.privateKey);

  const answer = async (request: IncomingMessage): Promise<object | null> => {
    const { pathname } = new URL(request.url ?? '/', url);
    if (pathname === '/.well-known/openid-configuration') {
      const [authorization_endpoint, token_endpoint, jwks_uri] = ['authorize', 'token', 'keys'].map(
        (name) => `${url}/${name}`,
      );
      return { issuer: url, authorization_endpoint, token_endpoint, jwks_uri };
    }
    if (pathname === '/keys') return { keys: [jwk] };
    if (pathname === '/token' || pathname === '/login/oauth/access_token') {
      const grant = redeem(grants, new URLSearchParams(await bodyOf(request)));
      if (!grant) return { error: 'bad_verification_code' };
      return pathname === '/token' ? { id_token: await identity(grant) } : { access_token: 'bearer-of-ada' };
    }
    if (request.headers.authorization !== 'Bearer bearer-of-ada') return null;
    if (pathname === '/api/user') return { id: state.subject, login: state.login, name: 'Ada Lovelace' };
    if (pathname !== '/api/user/emails') return null;
    return [
      { email: 'other@example.org', primary: false, verified: true },
      { email: state.email, primary: true, verified: state.emailVerified },
    ];
  };

  const server = createServer(async (request, response) => {
    const body = await answer(request);
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;

  return {
    url,
    state,
    letIn(shown) {
      const asked = new URL(shown).searchParams;
      if (asked.get('code_challenge_method') !== 'S256') throw new Error('not by S256');
      codes += 1;
      const redirectUri = asked.get('redirect_uri') ?? '';
      grants.set(`code-${codes}`, {
        challenge: asked.get('code_challenge') ?? '',
        redirectUri,
        nonce: asked.get('nonce'),
      });
      const back = new URL(redirectUri);
      back.searchParams.set('code', `code-${codes}`);
      back.searchParams.set('state', asked.get('state') ?? '');
      return back;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What a code stands for, when everything that it is bound to fits; it is used up either way. */
function redeem(grants: Map<string, Grant>, form: URLSearchParams): Grant | null {
  const grant = grants.get(form.get('code') ?? '');
  grants.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const fits =
    grant?.challenge === challenge &&
    grant.redirectUri === form.get('redirect_uri') &&
    form.get('client_id') === CLIENT.clientId &&
    form.get('client_secret') === CLIENT.clientSecret;
  return fits ? grant : null;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}
