import { createHash } from 'node:crypto';
import { parseTrace } from '#investigate/trace/read-trace.ts';
import type { TraceError } from '#investigate/trace/trace.ts';
import type { ErrorEvent, EventException, EventLevel } from './error-event.ts';
import { defined, toText } from './json-values.ts';
import type { OtlpAttribute, OtlpException } from './otlp-messages.ts';

const MAX_TRACE_TEXT = 64 * 1024;
const MAX_TEXT = 8_192;
const MAX_EXCEPTIONS = 10;
const MAX_TAGS = 50;
const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;

/** Values of `telemetry.sdk.language`, as SDKs of Sentry name their platforms. */
const PLATFORMS: Record<string, string> = {
  nodejs: 'node',
  webjs: 'javascript',
  dotnet: 'csharp',
  cpp: 'native',
  swift: 'cocoa',
};

/** Attributes that have fields of their own, or that describe people. */
const OWN_FIELDS =
  /^(?:exception\.|telemetry\.|enduser\.|user\.|client\.|http\.request\.header|url\.query|thread\.|process\.(?:command|pid|owner)|host\.(?:ip|mac))/;

/** Converts a record with `exception.*` attributes. A record that is sent again gets the same id. */
export function toErrorEvent(record: OtlpException, receivedAt: Date): ErrorEvent {
  const attributes = toMap(record.attributes);
  const resource = toMap(record.resource);
  const language = resource.get('telemetry.sdk.language') ?? 'other';
  const at = toTime(record.timeUnixNano, receivedAt);
  return defined({
    id: digest(record),
    source: 'otlp' as const,
    platform: (Object.hasOwn(PLATFORMS, language) ? PLATFORMS[language] : toText(language, 64)) ?? 'other',
    at,
    level: toLevel(record.severity),
    message: toText(record.body, MAX_TEXT) ?? null,
    exceptions: parseExceptions(attributes),
    transaction: toText(attributes.get('code.function.name') ?? record.name, 200),
    release: release(resource),
    environment: toText(
      resource.get('deployment.environment.name') ?? resource.get('deployment.environment'),
      200,
    ),
    serverName: toText(resource.get('host.name'), 200),
    logger: record.body === null ? undefined : toText(record.name, 200),
    tags: toTags(record),
    breadcrumbs: [],
    request: toRequest(attributes),
    contexts: toContexts(resource),
    extra: {},
    traceId: record.traceId.length === 32 ? record.traceId : undefined,
    sdk: {
      name: `opentelemetry.${language}`.slice(0, 64),
      version: toText(resource.get('telemetry.sdk.version'), 64) ?? '',
    },
    debugImages: [],
  });
}

/** The stack trace is a text in the format of its language; type and message come from their own attributes. */
function parseExceptions(attributes: ReadonlyMap<string, string>): EventException[] {
  const text = toText(attributes.get('exception.stacktrace'), MAX_TRACE_TEXT) ?? '';
  const trace = parseTrace(text);
  const escaped = attributes.get('exception.escaped');
  const related = trace.related.slice(0, MAX_EXCEPTIONS - 1);
  const own = trace.frames.slice(0, trace.frames.length - countOwnFrames(trace.frames, related));
  const thrown: EventException = defined({
    type: toText(attributes.get('exception.type'), 200) ?? trace.errorType,
    value: toText(attributes.get('exception.message'), MAX_TEXT) ?? (trace.message || null),
    handled: escaped === undefined ? undefined : escaped !== 'true',
    frames: own,
  });
  return [thrown, ...related.map(toCause)];
}

/** Counts the frames at the end of a trace that belong to its causes. */
function countOwnFrames(frames: readonly unknown[], related: readonly TraceError[]): number {
  const ofCauses = new Set<unknown>(related.flatMap((cause) => cause.frames));
  return frames.filter((frame) => ofCauses.has(frame)).length;
}

function toCause({ type, message, frames }: TraceError): EventException {
  return { type, value: toText(message, MAX_TEXT) ?? null, frames };
}

function toMap(attributes: readonly OtlpAttribute[]): ReadonlyMap<string, string> {
  return new Map(attributes.map(({ key, value }) => [key, value]));
}

/** Severity 21 and up is fatal, 17 error, 13 warning, 9 info, 1 trace; 0 is not given. */
function toLevel(severity: number): EventLevel {
  if (severity >= 21) return 'fatal';
  if (severity >= 17 || severity < 1) return 'error';
  if (severity >= 13) return 'warning';
  return severity >= 9 ? 'info' : 'debug';
}

function toTime(nanoseconds: string, receivedAt: Date): string {
  const ms = nanoseconds === '' ? Number.NaN : Number(BigInt(nanoseconds) / 1_000_000n);
  return (Math.abs(ms - receivedAt.getTime()) <= MAX_CLOCK_SKEW_MS ? new Date(ms) : receivedAt).toISOString();
}

/** A commit where the resource names it, else the version of the service. */
function release(resource: ReadonlyMap<string, string>): string | undefined {
  return toText(resource.get('vcs.ref.head.revision') ?? resource.get('service.version'), 200);
}

function toTags({ attributes, resource }: OtlpException): Record<string, string> {
  const service = resource.filter(({ key }) => /^service\.(?:name|namespace)$/.test(key));
  const tags = [...service, ...attributes.filter(({ key }) => !OWN_FIELDS.test(key) && key !== '__proto__')];
  return Object.fromEntries(tags.slice(0, MAX_TAGS).map(({ key, value }) => [key, toText(value, 200) ?? '']));
}

function toRequest(attributes: ReadonlyMap<string, string>): ErrorEvent['request'] {
  const url = attributes.get('url.full') ?? attributes.get('url.path') ?? attributes.get('http.url');
  const request = defined({
    method: toText(attributes.get('http.request.method') ?? attributes.get('http.method'), 20),
    url: toText(url, 1_000)?.replace(/[?#].*$/s, ''),
  });
  return Object.keys(request).length === 0 ? undefined : request;
}

function toContexts(resource: ReadonlyMap<string, string>): Record<string, string> {
  const runtime = [resource.get('process.runtime.name'), resource.get('process.runtime.version')];
  const system = [resource.get('os.name') ?? resource.get('os.type'), resource.get('os.version')];
  const contexts = { runtime: runtime.filter(Boolean).join(' '), os: system.filter(Boolean).join(' ') };
  return Object.fromEntries(Object.entries(contexts).filter(([, text]) => text !== ''));
}

function digest({ traceId, spanId, timeUnixNano, attributes }: OtlpException): string {
  const parts = JSON.stringify([traceId, spanId, timeUnixNano, attributes]);
  return createHash('sha256').update(parts).digest('hex').slice(0, 32);
}
