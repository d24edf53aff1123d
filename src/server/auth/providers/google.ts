import { createRemoteJWKSet, jwtVerify } from 'jose';
import { z } from 'zod';
import type { ServerConfig } from '../../deps.ts';
import type { OAuthProvider } from './oauth-provider.ts';
import { codeChallenge, exchangeCode, fetchJson, optionalText } from './oauth-requests.ts';

const discoveryReply = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});
type Discovery = z.infer<typeof discoveryReply>;

const tokenReply = z.object({ id_token: z.string().min(1) });

const idTokenClaims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: optionalText,
  email: optionalText,
  email_verified: z.boolean().nullish(),
  name: optionalText,
});

const DISCOVERY_TTL_MS = 3600_000;
const CLOCK_TOLERANCE_S = 30;

/** Google or another OpenID Connect issuer. The profile comes from the signed ID token. */
export function createGoogleProvider(config: NonNullable<ServerConfig['signIn']['google']>): OAuthProvider {
  const discover = createDiscovery(config.issuerUrl);
  return {
    async authorizeUrl({ state, nonce, codeVerifier: verifier, redirectUri }) {
      const { authorization_endpoint } = (await discover()).endpoints;
      const url = new URL(authorization_endpoint);
      const query = {
        client_id: config.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    async fetchProfile(code, { nonce, codeVerifier: verifier, redirectUri }) {
      const { endpoints, keys } = await discover();
      const sent = { ...config, code, verifier, redirectUri };
      const { id_token } = await exchangeCode(endpoints.token_endpoint, tokenReply, sent);
      const { payload } = await jwtVerify(id_token, keys, {
        issuer: endpoints.issuer,
        audience: config.clientId,
        // Asymmetric algorithms only: HMAC tokens could be forged with the public key as the secret.
        algorithms: ['RS256', 'ES256', 'EdDSA'],
        requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      const claims = idTokenClaims.parse(payload);
      if (claims.nonce !== nonce) throw new Error('the ID token has another nonce');
      if (claims.azp && claims.azp !== config.clientId) throw new Error('the ID token has another azp');
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

/** Loads the discovery document, cached for an hour. The `issuer` must equal the configured URL. */
function createDiscovery(issuerUrl: string) {
  let cached: {
    endpoints: Discovery;
    keys: ReturnType<typeof createRemoteJWKSet>;
    expiresAt: number;
  } | null = null;
  return async () => {
    if (cached && cached.expiresAt > Date.now()) return cached;
    const url = `${issuerUrl}/.well-known/openid-configuration`;
    const endpoints = await fetchJson(url, discoveryReply);
    if (endpoints.issuer.replace(/\/$/, '') !== issuerUrl)
      throw new Error('the discovery document has another issuer');
    const keys = createRemoteJWKSet(new URL(endpoints.jwks_uri), { timeoutDuration: 10_000 });
    cached = { endpoints, keys, expiresAt: Date.now() + DISCOVERY_TTL_MS };
    return cached;
  };
}
