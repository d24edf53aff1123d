import type { ApiInput, ApiKey, ApiPolicy, ApiReply } from '#contract/api.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { MessageParams } from '#locales/format-message.ts';
import { clearSessionAndRedirect, getAccessToken, loginPath, saveAccessToken } from './access-token.ts';
import { reportReachable } from './connection.ts';
import { createEventParser } from './event-stream.ts';

/** Messages by input field. */
type FieldErrors = Readonly<Record<string, string>>;

/** A failed call: the error of the server, or `unreachable` when no answer came. The texts are in the reader's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'unreachable';
  /** Finer than the code, such as `private_address`. */
  readonly reason: string | undefined;
  /** Messages by input field. */
  readonly fields: FieldErrors;

  constructor(
    status: number,
    code: ErrorCode | 'unreachable',
    message: string,
    more: { reason?: string | undefined; fields?: FieldErrors | undefined } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.reason = more.reason;
    this.fields = more.fields ?? {};
  }
}

type ErrorTranslator = (key: string, params: MessageParams) => string | null;

let translator: ErrorTranslator = () => null;

/** Sets how errors are rendered in the reader's language; until then they have the text of the server. */
export function setErrorTranslator(next: ErrorTranslator): void {
  translator = next;
}

/** An error message in the reader's language; null when the locale files have no such key. */
export function translateError(key: string, params: MessageParams = {}): string | null {
  return translator(key, params);
}

interface Input {
  params?: Record<string, string> | undefined;
  query?: Record<string, string | number | undefined> | undefined;
  body?: unknown;
}

interface CallOptions {
  signal?: AbortSignal;
  /** Receives progress events (server-sent events); the reply is the same. */
  onEvent?: (name: string, data: unknown) => void;
}

/** Options of any call; which of the last two a call must have is declared in the contract. */
interface SendOptions extends CallOptions {
  encoding?: 'form' | undefined;
  checksCredentials?: true | undefined;
}

type Options<K extends ApiKey> = CallOptions & ApiPolicy<K>;

/** Input and options of a call, each optional where the contract requires nothing of it. */
type CallArguments<K extends ApiKey> =
  Record<never, never> extends ApiPolicy<K>
    ? Record<never, never> extends ApiInput<K>
      ? [ApiInput<K>?, Options<K>?]
      : [ApiInput<K>, Options<K>?]
    : [ApiInput<K>, Options<K>];

/**
 * Calls the API with full types. Refreshes an expired access token once; when that fails too, or the account is
 * deactivated, redirects to the sign-in page. Throws ApiError.
 */
export async function api<K extends ApiKey>(key: K, ...args: CallArguments<K>): Promise<ApiReply<K>> {
  // The union of all inputs is too large for the compiler.
  const [input, options = {}] = args as unknown as [Input?, SendOptions?];
  const used = getAccessToken();
  let response = await send(key, input, options);
  if (response.status === 401 && used !== null && !options.checksCredentials) {
    await refreshAccessToken(used);
    response = await send(key, input, options);
  }
  if (response.ok && options.onEvent && isEventStream(response)) {
    return (await readEvents(response, options.onEvent)) as ApiReply<K>;
  }
  if (response.ok) return (await response.json()) as ApiReply<K>;
  const error = await readError(response);
  if (error.code === 'deactivated' || (error.status === 401 && !options.checksCredentials))
    clearSessionAndRedirect(loginPath());
  throw error;
}

/** Refreshes the access token; uses the one of another tab that refreshed it first. */
export async function refreshAccessToken(used: string): Promise<void> {
  await withRefreshLock(async () => {
    const current = getAccessToken();
    if (current !== null && current !== used) return;
    try {
      saveAccessToken(
        (await api('POST /auth/refresh', { body: undefined }, { checksCredentials: true })).access_token,
      );
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) clearSessionAndRedirect(loginPath());
      throw error;
    }
  });
}

/** Locks need https or loopback. Elsewhere two tabs may refresh at once, which the server forgives for a moment. */
function withRefreshLock(work: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request('refresh', work) : work();
}

async function send(
  key: ApiKey,
  input: Input | undefined,
  { signal, onEvent, encoding }: SendOptions,
): Promise<Response> {
  const [method = '', path = ''] = key.split(' ');
  const headers: Record<string, string> = {};
  const bearer = getAccessToken();
  if (bearer !== null) headers.authorization = `Bearer ${bearer}`;
  if (onEvent) headers.accept = 'text/event-stream, application/json';
  let body: BodyInit | undefined;
  if (encoding === 'form') {
    body = new URLSearchParams(input?.body as Record<string, string>);
  } else if (input?.body instanceof Blob) {
    headers['content-type'] = 'application/octet-stream';
    body = input.body;
  } else if (input?.body !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(input.body);
  }
  const request = { method, headers, body: body ?? null, signal: signal ?? null };
  const response = await fetch(buildUrl(path, input), request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    reportReachable(false);
    throw unreachable();
  });
  const isReached = !isFromGateway(response);
  reportReachable(isReached);
  if (!isReached) throw new ApiError(response.status, 'unreachable', statusText(response.status));
  return response;
}

/** Text for a failure without a detail. */
const statusText = (status: number) => `HTTP error! status: ${status}`;

/** True for the reply of a load balancer that reaches no server: 502 to 504, and not in the format of the API. */
function isFromGateway({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !/json/.test(headers.get('content-type') ?? '');
}

/** `/projects/:id/files/*` with its parameters, each escaped; a slash stays a slash only within `*`. */
export function buildUrl(path: string, input: Input = {}): string {
  const filled = path.replace(/:(\w+)|\*/g, (match, name: string | undefined) => {
    const value = input.params?.[name ?? '*'] ?? '';
    return match === '*' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `/api${filled}${query.size > 0 ? `?${query}` : ''}`;
}

function unreachable(): ApiError {
  return new ApiError(0, 'unreachable', translateError('server_not_responding') ?? 'unreachable');
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** Reads events until the last, which is the reply or an error. */
async function readEvents(
  response: Response,
  onEvent: NonNullable<CallOptions['onEvent']>,
): Promise<unknown> {
  const read = createEventParser();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const piece = await reader?.read().catch(() => null);
    if (!piece || piece.done) throw unreachable();
    for (const { name, data } of read(piece.value)) {
      if (name === 'done') return JSON.parse(data);
      if (name === 'error') throw toApiError(response.status, JSON.parse(data) as ErrorReply);
      onEvent(name, JSON.parse(data));
    }
  }
}

async function readError(response: Response): Promise<ApiError> {
  return toApiError(response.status, (await response.json().catch(() => null)) as ErrorReply | null);
}

function toApiError(status: number, reply: ErrorReply | null): ApiError {
  if (!reply?.error) return new ApiError(status, 'internal', statusText(status));
  const { code, message, message_key = '', params, reason, fields, field_messages = {} } = reply.error;
  const shownFields = Object.entries(fields ?? {}).map(([field, text]) => {
    const { key = '', params = {} } = field_messages[field] ?? {};
    return [field, translateError(key, params) ?? text];
  });
  return new ApiError(status, code, translateError(message_key, params) ?? message, {
    reason,
    fields: Object.fromEntries(shownFields),
  });
}
