import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ServerConfig } from '../../deps.ts';
import { askService, challengeOf, exchangeCode, maybeText } from './exchange.ts';
import type { SignInService } from './sign-in-service.ts';

const discoveryReply = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
type Discovery = z.infer<typeof discoveryReply>;

const tokenReply = z.object({ id_token: z.string().min(1) });

const identity = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: maybeText,
  email: maybeText,
  email_verified: z.boolean().nullish(),
  name: maybeText,
});

const KEPT_MS = 3600_000;
const LEEWAY_S = 30;

/** Google, or any other issuer that speaks OpenID Connect: who came back stands in a token that it signs. */
export function createGoogle(config: NonNullable<ServerConfig['signIn']['google']>): SignInService {
  const discover = createDiscovery(config.issuerUrl);
  return {
    async address({ state, nonce, verifier, redirectUri }) {
      const { authorization_endpoint } = (await discover()).endpoints;
      const address = new URL(authorization_endpoint);
      const query = {
        client_id: config.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      };
      for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
      return address.href;
    },
    async identify(code, { nonce, verifier, redirectUri }) {
      const { endpoints, keys } = await discover();
      const sent = { ...config, code, verifier, redirectUri };
      const { id_token } = await exchangeCode(endpoints.token_endpoint, tokenReply, sent);
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: endpoints.issuer,
        audience: config.clientId,
        // Signatures alone: a token under a shared secret could be one of our own making.
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        clockTolerance: LEEWAY_S,
      });
      const claims = identity.parse(payload);
      if (claims.nonce !== nonce) throw new Error('the identity was made for another sign-in');
      if (claims.azp && claims.azp !== config.clientId)
        throw new Error('the identity was made for another client');
      return {
        subject: claims.sub,
        name: claims.email ?? claims.name ?? claims.sub,
        fullName: claims.name ?? null,
        email: claims.email ?? null,
        emailVerified: claims.email_verified === true,
      };
    },
  };
}

/** What the issuer says of itself, asked for once an hour; it must call itself by the name it was asked under. */
function createDiscovery(issuerUrl: string) {
  let known: { endpoints: Discovery; keys: ReturnType<typeof createRemoteJWKSet>; until: number } | null =
    null;
  return async () => {
    if (known && known.until > Date.now()) return known;
    const address = `${issuerUrl}/.well-known/openid-configuration`;
    const endpoints = await askService(address, discoveryReply);
    if (endpoints.issuer.replace(/\/$/, '') !== issuerUrl)
      throw new Error('the issuer calls itself otherwise');
    const keys = createRemoteJWKSet(new URL(endpoints.jwks_uri), { timeoutDuration: 10_000 });
    known = { endpoints, keys, until: Date.now() + KEPT_MS };
    return known;
  };
}
