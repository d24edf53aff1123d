import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS } from '#contract/errors.ts';
import { toAppError } from '../http/error-handler.ts';

/** Detail keyword of a 400 or 409 (RFC 7644, table 9). */
type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** Error of a SCIM call. Directories are programs, so its text is English. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** The 404 of every resource. */
export function resourceNotFound(): ScimError {
  return new ScimError(404, 'There is no such resource.');
}

/** Sends an error in the form of RFC 7644, section 3.12. */
export function sendScimError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, message, scimType } = toScimError(error);
  if (status >= 500) request.log.error({ err: error }, 'SCIM call failed');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  reply
    .status(status)
    .type('application/scim+json; charset=utf-8')
    .send({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType && { scimType }),
      detail: message,
    });
}

function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error;
  const appError = toAppError(error);
  const status = ERROR_STATUS[appError.code];
  if (status === 409) return new ScimError(409, appError.message, 'uniqueness');
  if (status === 422) return new ScimError(400, appError.message, 'invalidValue');
  if (status === 400) return new ScimError(400, appError.message, 'invalidSyntax');
  return new ScimError(status, appError.message);
}
