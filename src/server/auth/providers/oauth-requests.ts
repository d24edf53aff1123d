import { createHash } from 'node:crypto';
import { z } from 'zod';

const REQUEST_TIMEOUT_MS = 10_000;

/** PKCE `S256` code challenge of a verifier (RFC 7636). */
export function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Fetches and validates JSON. Throws an `Error` that names the host, never what was sent. */
export async function fetchJson<T>(
  url: string,
  schema: z.ZodType<T>,
  init: { headers?: Record<string, string>; body?: URLSearchParams } = {},
): Promise<T> {
  const response = await fetch(url, {
    method: init.body ? 'POST' : 'GET',
    headers: { accept: 'application/json', 'user-agent': 'Hindsight', ...init.headers },
    body: init.body ?? null,
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success) {
    throw new Error(`${new URL(url).host} answered ${response.status} in a form that is not understood`);
  }
  return parsed.data;
}

/** Exchanges an authorization code for tokens (RFC 6749, section 4.1.3). */
export async function exchangeCode<T>(
  url: string,
  schema: z.ZodType<T>,
  params: { code: string; verifier: string; redirectUri: string; clientId: string; clientSecret: string },
): Promise<T> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: params.code,
    code_verifier: params.verifier,
    redirect_uri: params.redirectUri,
    client_id: params.clientId,
    client_secret: params.clientSecret,
  });
  return await fetchJson(url, schema, { body });
}

export const optionalText = z.string().nullish();
