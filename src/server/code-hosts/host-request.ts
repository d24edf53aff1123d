import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { checkJsonBounds } from '#contract/json-bounds.ts';
import { parseWebUrl, sendRequest } from '#egress/send-message.ts';
import type { Deps } from '../deps.ts';
import { recordEgress } from '../llm/egress-record.ts';

/** API of a code host that may be called for a project. */
export interface HostAccess {
  kind: CodeHostKind;
  apiUrl: string;
  /** Null for requests without sign-in, as public repositories allow. */
  token: string | null;
  /** Path of the repository at the host. */
  path: string;
  projectId: string;
  userId: string | null;
}

interface HostRequest {
  method: 'GET' | 'POST';
  /** Below the API URL. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** Bytes of the reply, at most; 2 MiB when absent. */
  maxBytes?: number;
}

/** Reply of a code host; its body is null where it is not JSON. */
export interface HostReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: unknown;
}

type HostDeps = Pick<Deps, 'db' | 'config' | 'egress' | 'now'>;

const MAX_REPLY_BYTES = 2 * 2 ** 20;
const MAX_MESSAGE = 500;
const GITHUB_VERSION = { 'x-github-api-version': '2022-11-28' };

/** Calls the API of a code host and parses its reply. Throws an AppError for people in every other case. */
export async function callHost<T>(
  deps: HostDeps,
  access: HostAccess,
  request: HostRequest,
  schema: z.ZodType<T>,
): Promise<T> {
  const reply = await requestHost(deps, access, request);
  requireSuccess(access, reply);
  const result = schema.safeParse(reply.body);
  if (!result.success) throw hostError(access, 'unavailable', 'code_host_unreadable');
  return result.data;
}

/** Sends one request and returns its reply whatever its status is. Throws an AppError without a reply. */
export async function requestHost(
  deps: HostDeps,
  access: HostAccess,
  request: HostRequest,
): Promise<HostReply> {
  const { status, headers, body } = await send(deps, access, request);
  return { status, headers, body: parseJson(body) };
}

/** Throws an AppError for people unless the status is one of success. */
export function requireSuccess(access: HostAccess, reply: HostReply): void {
  const { status } = reply;
  if (status < 300) return;
  const rejected: ErrorKey =
    access.token === null ? 'code_host_sign_in_required' : 'code_host_token_rejected';
  if (status < 400) throw hostError(access, 'bad_request', 'code_host_redirected');
  if (isRateLimited(reply)) throw hostError(access, 'unavailable', 'code_host_busy');
  if (status === 401 || status === 403) throw hostError(access, 'bad_request', rejected);
  if (status === 404) throw hostError(access, 'bad_request', 'code_host_not_found');
  if (status >= 500) throw hostError(access, 'unavailable', 'code_host_unreachable');
  throw hostError(access, 'conflict', 'code_host_refused', hostMessage(reply.body));
}

/** True for a reply that asks for fewer requests. */
export function isRateLimited({ status, headers, body }: HostReply): boolean {
  if (status === 429) return true;
  const isExhausted = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined;
  return status === 403 && (isExhausted || /rate limit/i.test(hostMessage(body)));
}

/** Error of a call to a code host, for people. */
export function hostError(
  access: Pick<HostAccess, 'apiUrl'>,
  code: 'bad_request' | 'unavailable' | 'conflict',
  key: ErrorKey,
  message = '',
): AppError {
  const { host } = new URL(access.apiUrl);
  return new AppError(code, key, { params: { host, message }, reason: key });
}

async function send(
  deps: HostDeps,
  access: HostAccess,
  { method, path, body, headers: more, maxBytes = MAX_REPLY_BYTES }: HostRequest,
) {
  const url = `${access.apiUrl}${path}`;
  const { protocol, host } = parseWebUrl(url);
  if (protocol !== 'https:' && access.token !== null)
    throw new AppError('bad_request', 'plain_http_credential', { reason: 'plain_http_credential' });
  const { caFile, hostApiTimeoutS } = deps.config.git;
  const payload = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers: Record<string, string> = {
    accept: access.kind === 'github' ? 'application/vnd.github+json' : 'application/json',
    'user-agent': 'Hindsight',
    ...authorization(access),
    ...more,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(payload.length),
    }),
  };
  const record = recordEgress(deps, { purpose: 'code_host', ...access }, () => {});
  const began = performance.now();
  const log = (call: { status: number | null; sent: number; received: number }) =>
    record({ ...call, host: new URL(url).host, ms: Math.round(performance.now() - began) });
  const ca = caFile ? await readFile(caFile) : undefined;
  try {
    const reply = await sendRequest(deps.egress, {
      url,
      method,
      headers,
      body: payload,
      maxBytes,
      ca,
      timeoutMs: hostApiTimeoutS && hostApiTimeoutS * 1000,
    });
    log(reply);
    return reply;
  } catch (error) {
    log({ status: null, sent: payload.length, received: 0 });
    if (error instanceof AppError && error.messageKey !== 'recipient_no_response') throw error;
    throw new AppError('unavailable', 'code_host_unreachable', {
      params: { host },
      reason: 'code_host_unreachable',
      cause: error,
    });
  }
}

function authorization({ kind, token }: HostAccess): Record<string, string> {
  if (token === null) return kind === 'github' ? GITHUB_VERSION : {};
  if (kind === 'gitlab') return { 'private-token': token };
  if (kind === 'gitea') return { authorization: `token ${token}` };
  return { authorization: `Bearer ${token}`, ...GITHUB_VERSION };
}

/** Null also for JSON that would expand when parsed. */
function parseJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    checkJsonBounds(text);
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Host's explanation of a refusal: `message`, and the messages of its fields. */
function hostMessage(reply: unknown): string {
  const texts: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) for (const item of value.slice(0, 5)) collect(item, depth + 1);
    else if (value && typeof value === 'object' && depth < 4) {
      const { message, errors, error } = value as Record<string, unknown>;
      for (const part of [message, errors, error]) collect(part, depth + 1);
    }
  };
  collect(reply, 0);
  return [...new Set(texts)]
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_MESSAGE);
}
