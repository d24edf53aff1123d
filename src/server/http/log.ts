import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { ERROR_STATUS } from '#contract/errors.ts';

/** Fields that are redacted, at the top level of an entry and one level below. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'new_password',
  'setup_code',
  'access_token',
  'refresh_token',
  'token',
  'ticket',
  'razorpay_signature',
  'code',
  'recovery_code',
  'challenge',
  'invitation',
  'key',
  'private_key',
  'privateKey',
  'secret',
];

/** Creates the logger of the program: JSON lines with secrets redacted, by default to standard output. */
export function createLogger(
  { level }: { level: string },
  destination: DestinationStream = pino.destination(1),
): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]);
  // Listed explicitly, so that the censor receives its path.
  paths.push('err.code');
  return pino({ level, redact: { paths, censor: censor as never } }, destination);
}

/** Error codes: SQLSTATEs, codes of the system and of libraries, and those of the contract. */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|E[A-Z0-9]{2,15}|(?:ERR|FST|WS|UND)_[A-Z0-9_]{2,60})$/;

/** Redacts a value, except error codes, which are not secret. */
function censor(value: unknown, path: (string | symbol)[]): unknown {
  const isErrorCode =
    path.length === 2 &&
    path[0] === 'err' &&
    path[1] === 'code' &&
    typeof value === 'string' &&
    (ERROR_CODE.test(value) || Object.hasOwn(ERROR_STATUS, value));
  return isErrorCode ? value : '[redacted]';
}

/** Logs one line per request when it ends; accepted error events, of which a second may bring a thousand, are counted instead. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!(app.log as Logger).isLevelEnabled('info')) return;
    if (request.routeOptions.config?.countsItself && reply.statusCode < 400) return;
    request.log.info(
      {
        method: request.method,
        url: redactUrl(request.originalUrl),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

/** Secret query parameters: of the WebSocket, of OAuth, and those that clients misplace. */
const SECRET_QUERY = new RegExp(`([?&](?:${[...SECRET_FIELDS, 'state'].join('|')})=)[^&#]*`, 'gi');

/** An access token or an API key under any parameter name. */
const BEARER_TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+|hs_[\w-]{20,}/g;

/** Redacts secrets in a URL, including credentials before its host. */
export function redactUrl(url: string): string {
  return url
    .replace(SECRET_QUERY, '$1[redacted]')
    .replace(BEARER_TOKEN, '[redacted]')
    .replace(/(\/\/)[^/?#@]*@/g, '$1');
}
