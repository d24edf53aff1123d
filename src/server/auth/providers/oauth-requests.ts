import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Egress } from '#egress/proxy.ts';
import { sendRequest } from '#egress/send-message.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Bytes of a reply of a provider, on the wire. */
const MAX_REPLY_BYTES = 512 * 1024;

interface ProviderRequest {
  method: string;
  headers: Record<string, string>;
  body: URLSearchParams | null;
}

/** Sends a request to a provider. Redirects are not followed. */
export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>;

/** PKCE `S256` code challenge of a verifier (RFC 7636). */
export function codeChallenge(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/** Connects directly, to a provider that comes with the program. */
export const fetchDirectly: ProviderFetch = async (url, request) =>
  await fetch(url, { ...request, redirect: 'error', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });

/** Connects through the proxy of `egress`, to a provider that people have named. */
export function fetchThroughEgress(egress: Egress, timeoutMs = REQUEST_TIMEOUT_MS): ProviderFetch {
  return async (url, { method, headers, body }) => {
    const payload = Buffer.from(body?.toString() ?? '');
    const form = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const length = { 'content-length': String(payload.length) };
    const reply = await sendRequest(egress, {
      url,
      method,
      headers: { ...headers, ...(body && { ...form, ...length }) },
      body: payload,
      maxBytes: MAX_REPLY_BYTES,
      timeoutMs,
    });
    // A reply without a body is an error for every caller, and has no `Response` of its status.
    const status = reply.status >= 200 && reply.status !== 204 && reply.status !== 205 ? reply.status : 502;
    return new Response(status === 304 ? null : new Uint8Array(reply.body), { status });
  };
}

/** Fetches and validates JSON. Throws an `Error` that names the host, never what was sent. */
export async function fetchJson<T>(
  url: string,
  schema: z.ZodType<T>,
  {
    headers,
    body = null,
    send = fetchDirectly,
  }: { headers?: Record<string, string>; body?: URLSearchParams | null; send?: ProviderFetch } = {},
): Promise<T> {
  const response = await send(url, {
    method: body ? 'POST' : 'GET',
    headers: { accept: 'application/json', 'user-agent': 'Hindsight', ...headers },
    body,
  });
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!response.ok || !parsed.success) {
    throw new Error(`${new URL(url).host} answered ${response.status} in a form that is not understood`);
  }
  return parsed.data;
}

interface CodeExchange {
  code: string;
  verifier: string;
  redirectUri: string;
  clientId: string;
  clientSecret: string;
  /** Sends the secret in the `Authorization` header instead of the body. */
  basic?: boolean;
  send?: ProviderFetch;
}

/** Exchanges an authorization code for tokens (RFC 6749, section 4.1.3). */
export async function exchangeCode<T>(url: string, schema: z.ZodType<T>, params: CodeExchange): Promise<T> {
  const { clientId, clientSecret, basic = false, send } = params;
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: params.code,
    code_verifier: params.verifier,
    redirect_uri: params.redirectUri,
    ...(!basic && { client_id: clientId, client_secret: clientSecret }),
  });
  const headers: Record<string, string> = basic
    ? { authorization: basicCredentials(clientId, clientSecret) }
    : {};
  return await fetchJson(url, schema, { headers, body, ...(send && { send }) });
}

/** Credentials of a client, each form-encoded first (RFC 6749, section 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

export const optionalText = z.string().nullish();
