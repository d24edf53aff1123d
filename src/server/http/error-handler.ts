import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorReply, MAX_PARAM_LENGTH } from '#contract/error-reply.ts';
import { AppError, ERROR_STATUS } from '#contract/errors.ts';
import { isDatabaseUnavailable, isOutcomeUnknown } from '#db/connect.ts';
import { formatMessage, type MessageParams } from '#locales/format-message.ts';
import { readLanguage } from '../identity/reader-preferences.ts';
import { storageFull } from '../project-data/disk-space.ts';
import { closeUnreadBody } from './body-budget.ts';

/**
 * Sends an error in the shape of the contract. Unexpected errors get a generic message; the log has the details under the
 * same request id.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const appError = toAppError(error, request);
  const status = ERROR_STATUS[appError.code];
  const body = toErrorReply(error, request);
  closeUnreadBody(request, reply);
  if (appError.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(appError.retryAfter)));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply.status(status).send(body);
}

/** Error reply in the caller's language; logs what the caller does not see. */
export function toErrorReply(error: unknown, request: FastifyRequest): ErrorReply {
  const { code, message: english, messageKey, params, reason, fields, cause } = toAppError(error, request);
  // A full disk and an overloaded server refuse many calls; the log reports each state, not every refusal.
  const isRefusal = cause === undefined && (code === 'storage_full' || messageKey === 'server_overloaded');
  if (ERROR_STATUS[code] >= 500 && !isRefusal) request.log.error({ err: error }, english);
  const language = readLanguage(request);
  const shownParams = truncateParams(params);
  const message = formatMessage(language, `errors.${messageKey}`, shownParams);
  const fieldMessages = Object.entries(fields ?? {}).map(
    ([field, { key, params = {} }]) => [field, { key, params: truncateParams(params) }] as const,
  );
  return {
    error: {
      code,
      message,
      message_key: messageKey,
      params: shownParams,
      reason,
      ...(fields && {
        fields: Object.fromEntries(
          fieldMessages.map(([field, { key, params }]) => [
            field,
            formatMessage(language, `errors.${key}`, params),
          ]),
        ),
        field_messages: Object.fromEntries(fieldMessages),
      }),
      request_id: request.id,
    },
    detail: message,
  };
}

function truncateParams(params: MessageParams): MessageParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_PARAM_LENGTH) : value,
    ]),
  );
}

/**
 * Converts any error to an `AppError`: database and disk errors by code, those of Fastify by status. The message for a request that
 * may have changed something says so.
 */
export function toAppError(error: unknown, request?: Pick<FastifyRequest, 'method'>): AppError {
  if (error instanceof AppError) return error;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<PlatformError>;
  if (code === 'ENOSPC' || code === DISK_FULL) {
    return storageFull(error);
  }
  if (code === 'EROFS') return new AppError('unavailable', 'disk_read_only', { cause: error });
  if (isDatabaseUnavailable(error)) {
    const isRead = request === undefined || request.method === 'GET' || request.method === 'HEAD';
    const key = !isRead && isOutcomeUnknown(error) ? 'database_lost' : 'database_unreachable';
    return new AppError('unavailable', key, { cause: error, retryAfter: 2 });
  }
  if (statusCode === 413) return new AppError('too_large', 'request_too_large', { cause: error });
  if (statusCode === 415) {
    return new AppError('unsupported', 'content_type_unsupported', { cause: error });
  }
  if (statusCode === 404 || code === FOREIGN_KEY_VIOLATION) {
    return new AppError('not_found', 'page_not_found', { cause: error });
  }
  if (statusCode === 503)
    return new AppError('unavailable', 'server_closing', { cause: error, retryAfter: 2 });
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'request_unreadable', { cause: error });
  }
  return new AppError('internal', 'internal', {
    cause: error,
  });
}

interface PlatformError {
  code: string;
  statusCode: number;
}

/** SQLSTATE `disk_full`. */
const DISK_FULL = '53100';

/** SQLSTATE `foreign_key_violation`, when a project or user was deleted during the request. */
const FOREIGN_KEY_VIOLATION = '23503';
