import type { FastifyInstance } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields that never reach the log, at the top of an entry and one level down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'setup_code',
  'access_token',
  'refresh_token',
  'token',
  'ticket',
  'razorpay_signature',
];

/** The program's log: JSON lines without secrets. `destination` is standard output when absent. */
export function createLog(
  { level }: { level: string },
  destination: DestinationStream = pino.destination(1),
): Logger {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.headers.${field}`]);
  return pino({ level, redact: { paths, censor: '[redacted]' } }, destination);
}

/** Writes one line a request, when it is over. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        url: loggableUrl(request.originalUrl),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
  });
}

/** What stands in the query of the WebSocket opens an account. */
function loggableUrl(url: string): string {
  return url.startsWith('/ws/') ? url.split('?', 1)[0]! : url;
}
