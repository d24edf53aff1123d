import { createRemoteJWKSet, customFetch } from 'jose';
import { z } from 'zod';
import { fetchJson, type ProviderFetch } from './oauth-requests.ts';

const discoveryReply = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
  userinfo_endpoint: z.url({ protocol: /^https?$/ }).nullish(),
  token_endpoint_auth_methods_supported: z.array(z.string()).nullish(),
  authorization_response_iss_parameter_supported: z.boolean().nullish(),
});

/** Metadata of an issuer, and its keys. */
export interface IssuerMetadata {
  endpoints: z.infer<typeof discoveryReply>;
  keys: ReturnType<typeof createRemoteJWKSet>;
}

const DISCOVERY_TTL_MS = 3600_000;

/** Loads the discovery document, cached for an hour. The `issuer` must equal the configured URL. */
export function createDiscovery(issuerUrl: string, send: ProviderFetch): () => Promise<IssuerMetadata> {
  let cached: (IssuerMetadata & { expiresAt: number }) | null = null;
  return async () => {
    if (cached && cached.expiresAt > Date.now()) return cached;
    const url = `${issuerUrl}/.well-known/openid-configuration`;
    const endpoints = await fetchJson(url, discoveryReply, { send });
    if (endpoints.issuer.replace(/\/$/, '') !== issuerUrl)
      throw new Error('the discovery document has another issuer');
    const keys = createRemoteJWKSet(new URL(endpoints.jwks_uri), {
      timeoutDuration: 10_000,
      [customFetch]: async (keysUrl, { headers }) =>
        await send(keysUrl, { method: 'GET', headers: Object.fromEntries(headers), body: null }),
    });
    cached = { endpoints, keys, expiresAt: Date.now() + DISCOVERY_TTL_MS };
    return cached;
  };
}
