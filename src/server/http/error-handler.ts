import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorReply } from '#contract/error-reply.ts';
import { AppError, ERROR_STATUS } from '#contract/errors.ts';
import { isDatabaseDown } from '#db/connect.ts';
import { storageFull } from '../project-data/disk-space.ts';
import { closeUnreadBody } from './body-budget.ts';

/**
 * Sends any error in the contract's one shape. What our own code did not throw on purpose leaves as a bland
 * text; the log has the rest under the same request id.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error);
  const status = ERROR_STATUS[known.code];
  const body = toErrorReply(error, request);
  closeUnreadBody(request, reply);
  if (known.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(known.retryAfter)));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply.status(status).send(body);
}

/** An error as it is told, whichever way it travels; logs what the caller is not told. */
export function toErrorReply(error: unknown, request: FastifyRequest): ErrorReply {
  const { code, message, reason, fields, cause } = toAppError(error);
  // Calls that a full disk refuses are many, and the log may be on that disk: it says once that it is full.
  const isRefusal = code === 'storage_full' && cause === undefined;
  if (ERROR_STATUS[code] >= 500 && !isRefusal) request.log.error({ err: error }, message);
  return { error: { code, message, reason, fields, request_id: request.id }, detail: message };
}

/** Every error as one of ours: database and disk troubles by their codes, Fastify's own by status. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<PlatformError>;
  if (code === 'ENOSPC' || code === DISK_FULL) {
    return storageFull(error);
  }
  if (isDatabaseDown(error)) {
    const text = 'The database cannot be reached at the moment. Try again shortly.';
    return new AppError('unavailable', text, { cause: error, retryAfter: 2 });
  }
  if (statusCode === 413) return new AppError('too_large', 'The request is too large.', { cause: error });
  if (statusCode === 415) {
    return new AppError('unsupported', 'This kind of content is not accepted here.', { cause: error });
  }
  if (statusCode === 404 || code === FOREIGN_KEY_VIOLATION) {
    return new AppError('not_found', NOTHING_HERE, { cause: error });
  }
  if (statusCode === 503)
    return new AppError('unavailable', 'The server is closing.', { cause: error, retryAfter: 2 });
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'The request could not be read.', { cause: error });
  }
  return new AppError('internal', 'Something went wrong on the server. It has been logged.', {
    cause: error,
  });
}

/** The text of every 404 about addresses. */
export const NOTHING_HERE = 'There is nothing at this address.';

interface PlatformError {
  code: string;
  statusCode: number;
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';

/** SQLSTATE of a row whose project or user was deleted after it had been looked up: it is not there any more. */
const FOREIGN_KEY_VIOLATION = '23503';
