import { jwtVerify } from 'jose';
import { z } from 'zod';
import { createDiscovery, type IssuerMetadata } from './discovery.ts';
import type { ExternalProfile, OAuthProvider } from './oauth-provider.ts';
import {
  codeChallenge,
  exchangeCode,
  fetchJson,
  optionalText,
  type ProviderFetch,
} from './oauth-requests.ts';

/** A client of an OpenID Connect issuer. */
interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  /** Claim with the names of the groups; null to read none. */
  groupsClaim: string | null;
  /** Value of the `prompt` parameter. */
  prompt?: string;
}

const tokenReply = z.object({ id_token: z.string().min(1), access_token: optionalText });

/** `email_verified` is text at some issuers. */
const profileClaims = z.object({
  email: z.string().max(254).nullish(),
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
  name: z.string().max(1000).nullish(),
  preferred_username: z.string().max(1000).nullish(),
});

const idTokenClaims = profileClaims.extend({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: optionalText,
});

const userInfoReply = profileClaims.extend({ sub: z.string() }).loose();

/** Groups of one account; more than these are a mistake at the issuer. */
const groupsClaim = z.array(z.string().max(256)).max(1000);

const CLOCK_TOLERANCE_S = 30;

/** Asymmetric algorithms only: `none` signs nothing, and HMAC could be forged with the public key as the secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** OpenID Connect by the authorization code flow. The profile comes from the signed ID token and the UserInfo endpoint. */
export function createOidcProvider(client: OidcClient, send: ProviderFetch): OAuthProvider {
  const discover = createDiscovery(client.issuer, send);
  return {
    async authorizeUrl({ state, nonce, codeVerifier: verifier, redirectUri }) {
      const { authorization_endpoint } = (await discover()).endpoints;
      const url = new URL(authorization_endpoint);
      const query = {
        client_id: client.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: client.scopes,
        state,
        nonce,
        code_challenge: codeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(client.prompt !== undefined && { prompt: client.prompt }),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },
    async fetchProfile({ code, issuer }, { nonce, codeVerifier: verifier, redirectUri }) {
      const metadata = await discover();
      requireResponseIssuer(metadata, issuer);
      const { endpoints } = metadata;
      const methods = endpoints.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const tokens = await exchangeCode(endpoints.token_endpoint, tokenReply, {
        clientId: client.clientId,
        clientSecret: client.clientSecret,
        code,
        verifier,
        redirectUri,
        basic: !methods.includes('client_secret_post'),
        send,
      });
      return await loadProfile({ client, metadata, send }, tokens, nonce);
    },
  };
}

/** Refuses a response of another issuer, which a mix-up attack passes on (RFC 9207). */
function requireResponseIssuer({ endpoints }: IssuerMetadata, issuer: string | null): void {
  const required = endpoints.authorization_response_iss_parameter_supported === true;
  if (issuer === null ? required : issuer !== endpoints.issuer)
    throw new Error('the authorization response has another issuer');
}

async function loadProfile(
  { client, metadata, send }: { client: OidcClient; metadata: IssuerMetadata; send: ProviderFetch },
  tokens: z.infer<typeof tokenReply>,
  nonce: string,
): Promise<ExternalProfile> {
  const { endpoints, keys } = metadata;
  const { payload } = await jwtVerify(tokens.id_token, keys, {
    issuer: endpoints.issuer,
    audience: client.clientId,
    algorithms: ALGORITHMS,
    requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    clockTolerance: CLOCK_TOLERANCE_S,
  });
  const claims = idTokenClaims.parse(payload);
  if (claims.nonce !== nonce) throw new Error('the ID token has another nonce');
  if (claims.azp && claims.azp !== client.clientId) throw new Error('the ID token has another azp');

  const known = { ...payload, ...claims } as Record<string, unknown>;
  const hasGroups = client.groupsClaim === null || known[client.groupsClaim] !== undefined;
  const { userinfo_endpoint: userInfoUrl } = endpoints;
  const isComplete = typeof claims.email === 'string' && hasGroups;
  if (!isComplete && userInfoUrl && tokens.access_token) {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const info = await fetchJson(userInfoUrl, userInfoReply, { headers, send });
    if (info.sub !== claims.sub) throw new Error('the UserInfo reply has another subject');
    // Signed claims win.
    for (const [name, value] of Object.entries(info)) known[name] ??= value;
  }
  return toProfile(client, claims.sub, known);
}

function toProfile(
  { groupsClaim: claim }: OidcClient,
  sub: string,
  known: Record<string, unknown>,
): ExternalProfile {
  const { email, email_verified, name, preferred_username } = profileClaims.parse(known);
  const groups = claim === null ? null : (known[claim] ?? null);
  return {
    subject: sub,
    name: preferred_username ?? email ?? name ?? sub,
    fullName: name ?? null,
    email: email ?? null,
    emailVerified: email_verified === true || email_verified === 'true',
    groups: groups === null ? null : groupsClaim.parse(typeof groups === 'string' ? [groups] : groups),
  };
}
