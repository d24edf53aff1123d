import { createHash } from 'node:crypto';
import { z } from 'zod';

const TIMEOUT_MS = 10_000;

/** The digest of a PKCE verifier that goes out with the browser (`S256`). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Asks a service for JSON of this shape. Throws an `Error` that names the address, never what was sent. */
export async function askService<T>(
  address: string,
  shape: z.ZodType<T>,
  init: { headers?: Record<string, string>; body?: URLSearchParams } = {},
): Promise<T> {
  const response = await fetch(address, {
    method: init.body ? 'POST' : 'GET',
    headers: { accept: 'application/json', 'user-agent': 'Hindsight', ...init.headers },
    body: init.body ?? null,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const parsed = shape.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success) {
    throw new Error(`${new URL(address).host} answered ${response.status} in a form that is not understood`);
  }
  return parsed.data;
}

/** Exchanges a code for what the service hands out (RFC 6749, section 4.1.3). */
export async function exchangeCode<T>(
  address: string,
  shape: z.ZodType<T>,
  sent: { code: string; verifier: string; redirectUri: string; clientId: string; clientSecret: string },
): Promise<T> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: sent.code,
    code_verifier: sent.verifier,
    redirect_uri: sent.redirectUri,
    client_id: sent.clientId,
    client_secret: sent.clientSecret,
  });
  return await askService(address, shape, { body });
}

/** A text of the service that may be missing. */
export const maybeText = z.string().nullish();
