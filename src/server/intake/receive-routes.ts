import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { intakeRoutes, MAX_STORE_BYTES } from '#contract/intake.ts';
import { API_PREFIX } from '#contract/route.ts';
import { decompress } from '#intake/decompress.ts';
import { openEnvelope } from '#intake/envelope.ts';
import { parseSentryEvent } from '#intake/sentry-event.ts';
import type { Deps } from '../deps.ts';
import { type RequestContext, serve } from '../http/serve.ts';
import { acceptEvents, type IntakeParts } from './accept-events.ts';
import type { IntakeCache } from './intake-cache.ts';
import { registerOtlp } from './otlp-routes.ts';
import { dsnKey, requireKey, sentKeys } from './sender-key.ts';
import { createSenders, readWhole, type Sender, type Senders, wholeBody } from './senders.ts';

/** Attachments and replays compress well and are dropped as they arrive. */
const MAX_ENVELOPE_OUTPUT_BYTES = 64 * 2 ** 20;

const { envelope, store, otlpLogs, otlpTraces } = intakeRoutes;

/** Registers the routes that SDKs and exporters call. */
export function registerReceivers(
  app: FastifyInstance,
  deps: Deps,
  parts: IntakeParts & { cache: IntakeCache },
): void {
  const senders = createSenders(deps, parts);
  app.register(async (scope) => {
    allowAnyOrigin(scope);
    repeatRetryAfter(scope);
    scope.addHook('onResponse', async (request) => senders.release(request));
    registerEnvelopes(scope, deps, senders, parts);
    registerOtlp(scope, deps, senders, parts);
    serve(
      scope,
      store,
      ({ request }) =>
        senders.counted(request, async ({ target }) => {
          const parse = (event: Buffer, receivedAt: Date) => parseSentryEvent(event, { receivedAt });
          const [id = ''] = await acceptEvents(parts, target, [wholeBody(request)], parse, deps.now());
          return { id };
        }),
      senders.options(store, readWhole(MAX_STORE_BYTES)),
    );
  });
}

function registerEnvelopes(
  scope: FastifyInstance,
  { now }: Pick<Deps, 'now'>,
  senders: Senders,
  parts: IntakeParts,
): void {
  const read = async (request: FastifyRequest, body: Readable, { target, lease }: Sender) => {
    const limits = { maxInputBytes: envelope.bodyLimit, maxOutputBytes: MAX_ENVELOPE_OUTPUT_BYTES };
    const { header, readItems } = await openEnvelope(
      decompress(body, request.headers['content-encoding'], limits),
    );
    requireKey([...sentKeys(request), ...(header.dsn === null ? [] : [dsnKey(header.dsn)])], target.key!);
    return { header, ...(await readItems((bytes) => lease.reserve(bytes))) };
  };

  const receive = ({ request }: RequestContext<typeof envelope>) =>
    senders.counted(request, async ({ target }) => {
      const body = request.body as Awaited<ReturnType<typeof read>> | undefined;
      if (!body) throw new AppError('bad_request', 'envelope_header_invalid');
      const { events, dropped, header } = body;
      for (const [outcome, count] of dropped) parts.drops.add(target.projectId, outcome, count);
      const envelopeId = events.length === 1 ? header.eventId : null;
      const parse = (event: Buffer, receivedAt: Date) => parseSentryEvent(event, { receivedAt, envelopeId });
      const [id] = await acceptEvents(parts, target, events, parse, now());
      return { id: id ?? header.eventId?.slice(0, 64) ?? '' };
    });
  serve(scope, envelope, receive, senders.options(envelope, read));
}

/** Answers pages of any origin: the key in a DSN is public, and no cookie is read here. */
function allowAnyOrigin(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.removeHeader('access-control-allow-credentials');
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, x-sentry-rate-limits',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
  for (const { path } of [envelope, store, otlpLogs, otlpTraces]) {
    scope.options(API_PREFIX + path, { config: { countsItself: true } }, async (_request, reply) =>
      reply
        .status(204)
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers':
            'authorization, baggage, content-encoding, content-type, sentry-trace, traceparent, x-hindsight-key, x-sentry-auth',
          'access-control-max-age': '86400',
        })
        .send(),
    );
  }
}

/** Repeats `Retry-After` in the header that SDKs of Sentry read, for all kinds of items. */
function repeatRetryAfter(scope: FastifyInstance): void {
  scope.addHook('onSend', async (_request, reply, payload) => {
    const seconds = reply.getHeader('retry-after');
    if (seconds !== undefined) reply.header('x-sentry-rate-limits', `${seconds}::organization`);
    return payload;
  });
}
