// Every thread and the browser load this file: no zod here, its loading alone takes 100 ms and more.

/**
 * Every error that can leave the server, with its HTTP status.
 *
 * 403 exists for a deactivated account alone: what belongs to somebody else answers 404,
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

/** Field name → what is wrong with it, for marking inputs. */
export type FieldErrors = Record<string, string>;

export interface AppErrorOptions {
  cause?: unknown;
  fields?: FieldErrors;
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** A machine-readable reason inside the code, such as `private_address`. */
  reason?: string;
}

/** The one error that our own code throws: a code, a sentence for people, and what caused it. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfter: number | undefined;
  readonly reason: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields;
    this.retryAfter = options.retryAfter;
    this.reason = options.reason;
  }
}
