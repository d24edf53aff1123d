import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#contract/errors.ts';
import { intakeRoutes, MAX_OTLP_BYTES } from '#contract/intake.ts';
import { toErrorEvent } from '#intake/otlp-event.ts';
import { readJsonLogs, readJsonTraces } from '#intake/otlp-json.ts';
import type { OtlpRequest } from '#intake/otlp-messages.ts';
import { readProtobufLogs, readProtobufTraces } from '#intake/otlp-protobuf.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http/serve.ts';
import { acceptEvents, type IntakeParts } from './accept-events.ts';
import { readWhole, type Senders, wholeBody } from './senders.ts';

const TOO_MANY = 'too many exceptions in one request';

interface Readers {
  json(text: string): OtlpRequest;
  protobuf(bytes: Uint8Array): OtlpRequest;
}

/** Registers the routes of OTLP/HTTP. */
export function registerOtlp(
  scope: FastifyInstance,
  { now }: Pick<Deps, 'now'>,
  senders: Senders,
  parts: IntakeParts,
) {
  const { otlpLogs, otlpTraces } = intakeRoutes;

  const receive = async (request: FastifyRequest, { json, protobuf }: Readers) =>
    await senders.counted(request, async ({ target }) => {
      const body = wholeBody(request);
      const isJson = readFormat(request) === 'json';
      const { exceptions, withoutException, rejected } = isJson
        ? json(body.toString('utf8'))
        : protobuf(body);
      await acceptEvents(parts, target, exceptions, toErrorEvent, now());
      parts.drops.add(target.projectId, 'no_exception', withoutException);
      parts.drops.add(target.projectId, 'too_large', rejected);
      return { rejected, isJson };
    });

  const logs = senders.options(otlpLogs, readWhole(MAX_OTLP_BYTES));
  serve(
    scope,
    otlpLogs,
    async ({ request, reply }) => {
      const { rejected, isJson } = await receive(request, { json: readJsonLogs, protobuf: readProtobufLogs });
      if (!isJson) return protobufReply(reply, rejected);
      return rejected === 0
        ? {}
        : { partialSuccess: { rejectedLogRecords: rejected, errorMessage: TOO_MANY } };
    },
    logs,
  );

  const traces = senders.options(otlpTraces, readWhole(MAX_OTLP_BYTES));
  serve(
    scope,
    otlpTraces,
    async ({ request, reply }) => {
      const { rejected, isJson } = await receive(request, {
        json: readJsonTraces,
        protobuf: readProtobufTraces,
      });
      if (!isJson) return protobufReply(reply, rejected);
      return rejected === 0 ? {} : { partialSuccess: { rejectedSpans: rejected, errorMessage: TOO_MANY } };
    },
    traces,
  );
}

function readFormat({ headers }: FastifyRequest): 'json' | 'protobuf' {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  if (type === 'application/x-protobuf') return 'protobuf';
  throw new AppError('unsupported', 'intake_content_type_unsupported');
}

/** `ExportLogsServiceResponse` and its sibling: empty, or `partial_success` (field 1) with the rejected records (field 1). */
function protobufReply(reply: FastifyReply, rejected: number): Readable {
  reply.type('application/x-protobuf');
  const count: number[] = [];
  for (let rest = rejected; rest > 0; rest = Math.floor(rest / 128)) {
    count.push((rest % 128) | (rest > 127 ? 128 : 0));
  }
  return Readable.from(rejected === 0 ? [] : [Buffer.from([0x0a, count.length + 1, 0x08, ...count])]);
}
