/// <reference path="./oidc-provider.d.ts" />
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Account that the issuer signs in next. */
interface IssuerAccount {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  groups: string[];
}

/** A certified OpenID Connect provider on loopback. */
export interface TestIssuer {
  url: string;
  /** `host:port` for the hosts that may be private. */
  host: string;
  account: IssuerAccount;
  /** Signs in and consents at the authorization URL; returns the redirect to the callback. */
  authorize(url: string): Promise<URL>;
  close(): Promise<void>;
}

export const ISSUER_CLIENT = { clientId: 'hindsight', clientSecret: 'a secret of the issuer' };

/** Starts the issuer. Claims are in the UserInfo reply only, as OpenID Connect Core 5.4 has it. */
export async function startTestIssuer(redirectUris: string[]): Promise<TestIssuer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  const account: IssuerAccount = {
    sub: 'ada',
    email: 'ada@example.org',
    email_verified: true,
    name: 'Ada Lovelace',
    groups: [],
  };
  const provider = new Provider(url, {
    clients: [
      {
        client_id: ISSUER_CLIENT.clientId,
        client_secret: ISSUER_CLIENT.clientSecret,
        redirect_uris: redirectUris,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['only for tests'] },
    ttl: {
      AccessToken: 300,
      AuthorizationCode: 60,
      Grant: 300,
      IdToken: 300,
      Interaction: 300,
      Session: 300,
    },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...account, sub }) }),
  });
  server.on('request', provider.callback());
  return {
    url,
    host,
    account,
    authorize: async (authorizeUrl) => await authorize(authorizeUrl, account.sub),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Follows the redirects and submits the forms of the issuer, as a browser does. */
async function authorize(authorizeUrl: string, login: string): Promise<URL> {
  const { origin } = new URL(authorizeUrl);
  const cookies = new Map<string, string>();
  let request: { url: URL; body?: URLSearchParams } = { url: new URL(authorizeUrl) };
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(request.url, {
      method: request.body ? 'POST' : 'GET',
      body: request.body ?? null,
      headers: { cookie },
      redirect: 'manual',
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location !== null) {
      const next = new URL(location, request.url);
      if (next.origin !== origin) return next;
      request = { url: next };
      continue;
    }
    const page = await reply.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (!action) throw new Error(`the issuer answered ${reply.status}: ${page.slice(0, 300)}`);
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login';
    request = {
      url: new URL(action, request.url),
      body: new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }),
    };
  }
  throw new Error('the issuer did not redirect to the callback');
}
