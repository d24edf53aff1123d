import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { ERROR_STATUS } from '#contract/errors.ts';

/** Fields that never reach the log, at the top of an entry and one level down. */
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

/** The program's log: JSON lines without secrets. `destination` is standard output when absent. */
export function createLogger(
  { level }: { level: string },
  destination: DestinationStream = pino.destination(1),
): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]);
  // Named by itself, so that the censor is told where it stands.
  paths.push('err.code');
  return pino({ level, redact: { paths, censor: censor as never } }, destination);
}

/** Codes of errors: SQLSTATEs, those of the system and of libraries, and our own. */
const ERROR_CODE = /^(?:[0-9A-Z]{5}|E[A-Z0-9]{2,15}|(?:ERR|FST|WS|UND)_[A-Z0-9_]{2,60})$/;

/** Hides a value; the code of an error stays, as it names the fault and opens nothing. */
function censor(value: unknown, path: (string | symbol)[]): unknown {
  const isErrorCode =
    path.length === 2 &&
    path[0] === 'err' &&
    path[1] === 'code' &&
    typeof value === 'string' &&
    (ERROR_CODE.test(value) || Object.hasOwn(ERROR_STATUS, value));
  return isErrorCode ? value : '[redacted]';
}

/** Writes one line a request, when it is over. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
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

/** Values in a query that open something: of the WebSocket, of a sign-in elsewhere, and whatever a client misplaced. */
const SECRET_QUERY = new RegExp(`([?&](?:${[...SECRET_FIELDS, 'state'].join('|')})=)[^&#]*`, 'gi');

/** An access token or an API key, under whatever name a client misplaced it. */
const BEARER_TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+|hs_[\w-]{20,}/g;

/** An address without the secrets in it, nor a name and password before its host. */
export function redactUrl(url: string): string {
  return url
    .replace(SECRET_QUERY, '$1[redacted]')
    .replace(BEARER_TOKEN, '[redacted]')
    .replace(/(\/\/)[^/?#@]*@/g, '$1');
}
