import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { CodeHostKind } from '#contract/code-hosts.ts';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { parseWebUrl, sendRequest } from '#egress/send-message.ts';
import type { Deps } from '../deps.ts';
import { recordEgress } from '../llm/egress-record.ts';

/** API of a code host that may be called for a project. */
export interface HostAccess {
  kind: CodeHostKind;
  apiUrl: string;
  token: string;
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
}

type HostDeps = Pick<Deps, 'db' | 'config' | 'egress' | 'now'>;

const MAX_REPLY_BYTES = 2 * 2 ** 20;
const MAX_MESSAGE = 500;

/** Calls the API of a code host and parses its reply. Throws an AppError for people in every other case. */
export async function callHost<T>(
  deps: HostDeps,
  access: HostAccess,
  request: HostRequest,
  reply: z.ZodType<T>,
): Promise<T> {
  const { status, body } = await send(deps, access, request);
  const host = new URL(access.apiUrl).host;
  const refuse = (code: 'bad_request' | 'unavailable' | 'conflict', key: ErrorKey, message = '') =>
    new AppError(code, key, { params: { host, message }, reason: key });
  if (status >= 300 && status < 400) throw refuse('bad_request', 'code_host_redirected');
  if (status === 401) throw refuse('bad_request', 'code_host_token_rejected');
  const parsed = parseJson(body);
  const message = hostMessage(parsed);
  if (status === 429 || (status === 403 && /rate limit/i.test(message)))
    throw refuse('unavailable', 'code_host_busy');
  if (status === 403) throw refuse('bad_request', 'code_host_token_rejected');
  if (status === 404) throw refuse('bad_request', 'code_host_not_found');
  if (status >= 500) throw refuse('unavailable', 'code_host_unreachable');
  if (status >= 400) throw refuse('conflict', 'code_host_refused', message);
  const result = reply.safeParse(parsed);
  if (!result.success) throw refuse('unavailable', 'code_host_unreadable');
  return result.data;
}

async function send(deps: HostDeps, access: HostAccess, { method, path, body }: HostRequest) {
  const url = `${access.apiUrl}${path}`;
  const { protocol, host } = parseWebUrl(url);
  if (protocol !== 'https:')
    throw new AppError('bad_request', 'plain_http_credential', { reason: 'plain_http_credential' });
  const { caFile, hostApiTimeoutS } = deps.config.git;
  const payload = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers: Record<string, string> = {
    accept: access.kind === 'github' ? 'application/vnd.github+json' : 'application/json',
    'user-agent': 'Hindsight',
    ...authorization(access),
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
      maxBytes: MAX_REPLY_BYTES,
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
  if (kind === 'gitlab') return { 'private-token': token };
  if (kind === 'gitea') return { authorization: `token ${token}` };
  return { authorization: `Bearer ${token}`, 'x-github-api-version': '2022-11-28' };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
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
