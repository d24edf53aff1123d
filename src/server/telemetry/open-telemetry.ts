import { Writable } from 'node:stream';
import type { Attributes, Context } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { JobContext, JobDefinition } from '#db/job-queue.ts';

/** Collector of OpenTelemetry, which gets traces and logs over HTTP. */
export interface OtlpSettings {
  /** Base URL; `/v1/traces` and `/v1/logs` are appended. */
  endpoint: string;
  headers: Record<string, string>;
}

/** Export of traces and logs to a collector. */
export interface Telemetry {
  /** Starts a span, below that of the caller where `traceparent` names one; returns the function that ends it. */
  startSpan(name: string, options: SpanOptions): (outcome: SpanOutcome) => void;
  /** Receives the log as JSON lines, from which secrets are redacted already. */
  readonly logStream: Writable;
  /** Exports what is left; what the collector does not take within two seconds is lost. */
  close(): Promise<void>;
}

interface SpanOptions {
  kind: 'SERVER' | 'CONSUMER';
  attributes: Attributes;
  traceparent?: string;
}

interface SpanOutcome {
  name?: string;
  failed: boolean;
  attributes?: Attributes;
}

const CLOSE_TIMEOUT_MS = 2_000;
/** W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Starts exporting. The packages are loaded here, since most servers have no collector. */
export async function startTelemetry(
  { endpoint, headers }: OtlpSettings,
  version: string,
): Promise<Telemetry> {
  const [api, { resourceFromAttributes }, traces, logs, { OTLPTraceExporter }, { OTLPLogExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-logs'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-logs-otlp-proto'),
    ]);
  const resource = resourceFromAttributes({ 'service.name': 'hindsight', 'service.version': version });
  const base = endpoint.replace(/\/+$/, '');
  const tracing = new traces.TracerProvider({
    resource,
    spanProcessors: [
      new traces.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${base}/v1/traces`, headers }),
      }),
    ],
  });
  const logging = new logs.LoggerProvider({
    resource,
    processors: [
      new logs.BatchLogRecordProcessor({
        exporter: new OTLPLogExporter({ url: `${base}/v1/logs`, headers }),
      }),
    ],
  });
  const tracer = tracing.getTracer('hindsight', version);
  const logger = logging.getLogger('hindsight', version);
  return {
    startSpan(name, { kind, attributes, traceparent }) {
      const options = { kind: api.SpanKind[kind], attributes };
      const span = tracer.startSpan(name, options, parentContext(api, traceparent));
      return ({ name: finalName, failed, attributes: further = {} }) => {
        if (finalName !== undefined) span.updateName(finalName);
        span.setAttributes(further);
        if (failed) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      };
    },
    logStream: new Writable({
      write(line: Buffer, _encoding, done) {
        logger.emit(toLogRecord(line.toString()));
        done();
      },
    }),
    async close() {
      const exported = Promise.allSettled([tracing.shutdown(), logging.shutdown()]);
      await Promise.race([exported, new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS).unref())]);
    },
  };
}

type Api = typeof import('@opentelemetry/api');

function parentContext({ ROOT_CONTEXT, trace }: Api, traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** Levels of the log, as OpenTelemetry numbers them. */
const SEVERITIES = [
  { level: 60, number: 21, text: 'FATAL' },
  { level: 50, number: 17, text: 'ERROR' },
  { level: 40, number: 13, text: 'WARN' },
  { level: 30, number: 9, text: 'INFO' },
  { level: 20, number: 5, text: 'DEBUG' },
  { level: 0, number: 1, text: 'TRACE' },
];

/** Converts a line of the log. */
export function toLogRecord(line: string) {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const severity = SEVERITIES.find((one) => Number(level) >= one.level)!;
  const { type, message, stack } = (err ?? {}) as Record<string, string | undefined>;
  return {
    timestamp: Number(time),
    severityNumber: severity.number,
    severityText: severity.text,
    body: String(msg ?? message ?? ''),
    attributes: {
      ...flatten(rest),
      ...(type !== undefined && { 'exception.type': type }),
      ...(message !== undefined && { 'exception.message': message }),
      ...(stack !== undefined && { 'exception.stacktrace': stack }),
    },
  };
}

function flatten(values: Record<string, unknown>): Attributes {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'
      ? value
      : JSON.stringify(value),
  ]);
  return Object.fromEntries(entries) as Attributes;
}

/** Traces requests, named by method and route pattern. URLs are left out: they may hold secrets. */
export function traceRequests(app: FastifyInstance, telemetry: Telemetry | null): void {
  if (telemetry === null) return;
  const ends = new WeakMap<object, (outcome: SpanOutcome) => void>();
  app.addHook('onRequest', async (request) => {
    const { traceparent } = request.headers;
    const attributes = { 'http.request.method': request.method, 'request.id': request.id };
    const options = { kind: 'SERVER' as const, attributes };
    const parent = typeof traceparent === 'string' ? { traceparent } : {};
    ends.set(request, telemetry.startSpan(request.method, { ...options, ...parent }));
  });
  app.addHook('onResponse', async (request, reply) => {
    const { url: route = 'unknown' } = request.routeOptions;
    ends.get(request)?.({
      name: `${request.method} ${route}`,
      failed: reply.statusCode >= 500,
      attributes: { 'http.route': route, 'http.response.status_code': reply.statusCode },
    });
  });
}

/** Wraps a job so that each run becomes a span. */
export function traceJob<T extends object>(
  job: JobDefinition<T>,
  telemetry: Telemetry | null,
): JobDefinition<T> {
  if (telemetry === null) return job;
  return {
    ...job,
    async run(data: T, context: JobContext) {
      const attributes = { 'messaging.destination.name': job.name, 'messaging.attempt': context.attempt };
      const end = telemetry.startSpan(`job ${job.name}`, { kind: 'CONSUMER', attributes });
      let failed = true;
      try {
        await job.run(data, context);
        failed = false;
      } finally {
        end({ failed });
      }
    },
  };
}
