import type { ApiInput, ApiKey, ApiReply } from '#contract/api.ts';
import type { ErrorReply } from '#contract/error-reply.ts';
import type { ErrorCode, FieldErrors } from '#contract/errors.ts';
import { accessToken, keepAccessToken, leave, loginAddress } from './access-token.ts';
import { createEventReader } from './event-stream.ts';

/** A failed call: what the server said, or `unreachable` when no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'unreachable';
  /** Finer than the code, such as `private_address`. */
  readonly reason: string | undefined;
  /** Field name → what is wrong with it. */
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

/** How sentences of the server are put into the reader's language; as they come until `speak` says. */
let inWords = (sentence: string): string => sentence;

/** From now on errors speak so; programs that call the API read English. */
export function speak(words: (sentence: string) => string): void {
  inWords = words;
}

interface Input {
  params?: Record<string, string> | undefined;
  query?: Record<string, string | number | undefined> | undefined;
  body?: unknown;
}

interface CallOptions {
  signal?: AbortSignal;
  /** Asks the server to tell what it is doing, and hears it; the reply is the same. */
  onEvent?: (name: string, data: unknown) => void;
}

/** Calls whose body travels as an HTML form. The kinds of the contract are types here, so the list is kept by hand. */
const FORM_CALLS: ReadonlySet<ApiKey> = new Set<ApiKey>(['POST /auth/login']);

/** Calls that answer 401 about themselves: a wrong pair, an ended sign-in. */
const OWN_401: ReadonlySet<ApiKey> = new Set<ApiKey>(['POST /auth/login', 'POST /auth/refresh']);

/**
 * Calls the API with full types. Renews an ended access token once; when that fails too, or the account is
 * deactivated, leaves for the sign-in page. Throws ApiError.
 */
export async function api<K extends ApiKey>(
  key: K,
  ...[input, options]: Record<never, never> extends ApiInput<K>
    ? [ApiInput<K>?, CallOptions?]
    : [ApiInput<K>, CallOptions?]
): Promise<ApiReply<K>> {
  const used = accessToken();
  let response = await send(key, input as Input | undefined, options);
  if (response.status === 401 && used !== null && !OWN_401.has(key)) {
    await renew(used);
    response = await send(key, input as Input | undefined, options);
  }
  if (response.ok && options?.onEvent && isEventStream(response)) {
    return (await readEvents(response, options.onEvent)) as ApiReply<K>;
  }
  if (response.ok) return (await response.json()) as ApiReply<K>;
  const error = await readError(response);
  if (error.code === 'deactivated' || (error.status === 401 && !OWN_401.has(key))) leave(loginAddress());
  throw error;
}

/** Renews the access token before it ends; when another tab was quicker, its token is used. */
export async function renew(used: string): Promise<void> {
  await oneTabAtATime(async () => {
    const current = accessToken();
    if (current !== null && current !== used) return;
    try {
      keepAccessToken((await api('POST /auth/refresh', { body: undefined })).access_token);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) leave(loginAddress());
      throw error;
    }
  });
}

/** Locks need https or loopback. Elsewhere two tabs may refresh at once, which the server forgives for a moment. */
function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  return 'locks' in navigator ? navigator.locks.request('refresh', work) : work();
}

async function send(
  key: ApiKey,
  input: Input | undefined,
  { signal, onEvent }: CallOptions = {},
): Promise<Response> {
  const [method = '', path = ''] = key.split(' ');
  const headers: Record<string, string> = {};
  const bearer = accessToken();
  if (bearer !== null) headers.authorization = `Bearer ${bearer}`;
  if (onEvent) headers.accept = 'text/event-stream, application/json';
  let body: BodyInit | undefined;
  if (FORM_CALLS.has(key)) {
    body = new URLSearchParams(input?.body as Record<string, string>);
  } else if (input?.body !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(input.body);
  }
  try {
    return await fetch(address(path, input), { method, headers, body: body ?? null, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
}

/** `/projects/:id/files/*` with its parameters, each escaped; a slash stays a slash only within `*`. */
export function address(path: string, input: Input = {}): string {
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
  const message = 'The server does not answer. Check the connection and try again.';
  return new ApiError(0, 'unreachable', inWords(message));
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** Hears every event until the last, which is the reply or an error. */
async function readEvents(
  response: Response,
  onEvent: NonNullable<CallOptions['onEvent']>,
): Promise<unknown> {
  const read = createEventReader();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const piece = await reader?.read().catch(() => null);
    if (!piece || piece.done) throw unreachable();
    for (const { name, data } of read(piece.value)) {
      if (name === 'done') return JSON.parse(data);
      if (name === 'error') throw asError(response.status, JSON.parse(data) as ErrorReply);
      onEvent(name, JSON.parse(data));
    }
  }
}

async function readError(response: Response): Promise<ApiError> {
  return asError(response.status, (await response.json().catch(() => null)) as ErrorReply | null);
}

function asError(status: number, reply: ErrorReply | null): ApiError {
  if (!reply?.error) return new ApiError(status, 'internal', `HTTP error! status: ${status}`);
  const { code, message, reason, fields } = reply.error;
  const shown = Object.entries(fields ?? {}).map(([field, text]) => [field, inWords(text)]);
  return new ApiError(status, code, inWords(message), { reason, fields: Object.fromEntries(shown) });
}
