// Every thread loads this file: no zod here, its loading alone takes 100 ms and more.
import { formatMessage, isMessageKey, type MessageKey, type MessageParams } from '#locales/format-message.ts';

/**
 * Every error that can leave the server, with its HTTP status.
 *
 * 403 exists for a deactivated account alone: another user's resource answers 404,
 * a viewer who writes 409, a plan limit 402. Clients sign out on 401 and 403, so no other
 * error may use them.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  unauthenticated: 401,
  plan_limit: 402,
  deactivated: 403,
  not_found: 404,
  conflict: 409,
  read_only: 409,
  too_large: 413,
  unsupported: 415,
  misdirected: 421,
  invalid_input: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  index_rebuilding: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Key of a message in `errors.json`: it names the situation. */
export type ErrorKey = ErrorKeyOf<MessageKey>;
type ErrorKeyOf<K> = K extends `errors.${infer Key}` ? Key : never;

/** Message for people: rendered in the reader's language from the locale files. */
export interface ErrorMessage {
  key: ErrorKey;
  params?: MessageParams;
}

/** Messages by input field. */
export type FieldErrors = Readonly<Record<string, ErrorMessage>>;

interface AppErrorOptions {
  /** Values of the placeholders in the message. */
  params?: MessageParams;
  cause?: unknown;
  /** Messages by input field; a key alone is a message without parameters. */
  fields?: Readonly<Record<string, ErrorKey | ErrorMessage>>;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** A machine-readable reason inside the code, such as `private_address`. */
  reason?: string;
}

/** The one error that our own code throws: a code, a message for people by its key, and a cause. `message` is English. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly messageKey: ErrorKey;
  readonly params: MessageParams;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, messageKey: ErrorKey, options: AppErrorOptions = {}) {
    const { params = {}, fields } = options;
    super(formatMessage('en', `errors.${messageKey}`, params), { cause: options.cause });
    this.code = code;
    this.messageKey = messageKey;
    this.params = params;
    this.fields = fields && toFieldErrors(fields);
    this.retryAfter = options.retryAfter;
    this.reason = options.reason;
  }
}

/** An AppError as plain data, for messages between threads and processes, where errors lose their class. */
export interface SerializedAppError {
  code: ErrorCode;
  messageKey: ErrorKey;
  params?: MessageParams;
  reason?: string | undefined;
}

export function serializeAppError({ code, messageKey, params, reason }: AppError): SerializedAppError {
  return { code, messageKey, params, reason };
}

export function deserializeAppError(
  { code, messageKey, params, reason }: SerializedAppError,
  cause?: unknown,
): AppError {
  return new AppError(code, messageKey, { params, reason, cause });
}

/** True when the locale files have an error message of this key; other versions may send other keys. */
export function isErrorKey(key: string): key is ErrorKey {
  return isMessageKey(`errors.${key}`);
}

function toFieldErrors(fields: NonNullable<AppErrorOptions['fields']>): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([field, message]) => [
      field,
      typeof message === 'string' ? { key: message } : message,
    ]),
  );
}
