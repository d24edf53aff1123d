import { createHash, randomUUID } from 'node:crypto';
import { AppError } from '#contract/errors.ts';
import type {
  DebugImage,
  ErrorEvent,
  EventBreadcrumb,
  EventException,
  EventFrame,
  EventLevel,
} from './error-event.ts';
import { parseFrames } from './event-frames.ts';
import { defined, isRecord, parseJson, toList, toRecord, toText } from './json-values.ts';

/** Bounds of a stored event; what exceeds them is cut. */
const MAX_EXCEPTIONS = 10;
const MAX_TEXT = 8_192;
const MAX_NAME = 200;
const MAX_VALUE = 1_000;
const MAX_TAGS = 100;
const MAX_EXTRA = 50;
const MAX_BREADCRUMBS = 50;
const MAX_IMAGES = 100;
const MAX_FINGERPRINT = 16;
/** A clock that is off by more than this does not tell the time of an error. */
const MAX_CLOCK_SKEW_MS = 24 * 3_600_000;

const LEVELS: Record<string, EventLevel> = {
  fatal: 'fatal',
  critical: 'fatal',
  error: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  log: 'info',
  debug: 'debug',
};

/** Contexts whose name and version are kept; the others may describe people. */
const CONTEXTS = ['runtime', 'os', 'browser', 'device', 'app'];

/** Data that an event inherits from the envelope around it. */
interface EventSource {
  receivedAt: Date;
  /** Id in the header of the envelope. */
  envelopeId?: string | null;
}

/**
 * Parses an event as the SDKs of Sentry send it, of any version since 2017. Returns null for a transaction. Throws
 * `bad_request` for anything but an object of JSON.
 */
export function parseSentryEvent(
  payload: Buffer,
  { receivedAt, envelopeId }: EventSource,
): ErrorEvent | null {
  const event = parseJson(payload.toString('utf8'));
  if (!isRecord(event)) throw new AppError('bad_request', 'event_unreadable');
  if (event.type === 'transaction') return null;
  const exceptions = parseExceptions(event);
  const template = parseMessage(event);
  return {
    id: toEventId(event.event_id) ?? toEventId(envelopeId) ?? randomUUID().replaceAll('-', ''),
    source: 'sentry' as const,
    platform: toText(event.platform, 64) ?? 'other',
    at: toEventTime(event.timestamp, receivedAt),
    level: toLevel(event.level) ?? 'error',
    message: template.message,
    messageTemplate: template.template,
    exceptions,
    transaction: toText(event.transaction, MAX_NAME) ?? toText(event.culprit, MAX_NAME),
    logger: toText(event.logger, MAX_NAME),
    release: toText(event.release, MAX_NAME),
    dist: toText(event.dist, MAX_NAME),
    environment: toText(event.environment, MAX_NAME),
    serverName: toText(event.server_name, MAX_NAME),
    fingerprint: parseFingerprint(event.fingerprint),
    tags: parseTags(event.tags),
    breadcrumbs: parseBreadcrumbs(event.breadcrumbs),
    request: parseRequest(event.request),
    contexts: parseContexts(event.contexts),
    extra: toTexts(event.extra, MAX_EXTRA, MAX_VALUE),
    traceId: toEventId(toRecord(toRecord(event.contexts).trace).trace_id),
    sdk: parseSdk(event.sdk),
    debugImages: parseImages(event.debug_meta),
  };
}

/** Returns a UUID in 32 hexadecimal digits; undefined for anything else. */
function toEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const hex = value.replaceAll('-', '').toLowerCase();
  if (/^[0-9a-f]{32}$/.test(hex)) return hex;
  // Ids of other forms still tell a repeated event.
  return hex === '' ? undefined : createHash('sha256').update(value).digest('hex').slice(0, 32);
}

/** Time of an event; that of its receipt where the sender's clock is off. */
function toEventTime(value: unknown, receivedAt: Date): string {
  const time = toTime(value);
  const isPlausible = time && Math.abs(time.getTime() - receivedAt.getTime()) <= MAX_CLOCK_SKEW_MS;
  return (isPlausible ? time : receivedAt).toISOString();
}

/** Seconds since 1970 as a number or text, or an ISO time; undefined for anything else. */
function toTime(value: unknown): Date | undefined {
  const text = typeof value === 'string' ? value : '';
  const seconds =
    typeof value === 'number' ? value : /^\d{9,11}(?:\.\d{1,9})?$/.test(text) ? Number(text) : null;
  // Some SDKs omit the time zone, and mean UTC.
  const ms =
    seconds === null ? Date.parse(/[zZ]|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`) : seconds * 1000;
  return Math.abs(ms) < 8.64e15 ? new Date(ms) : undefined;
}

function toLevel(value: unknown): EventLevel | undefined {
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  return Object.hasOwn(LEVELS, name) ? LEVELS[name] : undefined;
}

/** `message` is a text or the object that newer SDKs call `logentry`. */
function parseMessage(event: Record<string, unknown>): { message: string | null; template?: string } {
  const entry = isRecord(event.logentry) ? event.logentry : event.message;
  if (!isRecord(entry)) return { message: toText(entry, MAX_TEXT) ?? null };
  const template = toText(entry.message, MAX_TEXT);
  const message = toText(entry.formatted, MAX_TEXT) ?? template ?? null;
  return template === undefined || template === message ? { message } : { message, template };
}

/** SDKs list causes first; here the exception that was thrown comes first. */
function parseExceptions(event: Record<string, unknown>): EventException[] {
  const { exception } = event;
  const list = isRecord(exception) && !('values' in exception) ? [exception] : toList(exception);
  const exceptions = list
    .filter(isRecord)
    .slice(-MAX_EXCEPTIONS)
    .reverse()
    .map((value) => parseException(value, event.platform));
  const [thrown] = exceptions;
  const frames = thrown && thrown.frames.length > 0 ? [] : threadFrames(event);
  if (frames.length === 0) return exceptions;
  if (thrown) return [{ ...thrown, frames }, ...exceptions.slice(1)];
  return [{ type: null, value: null, frames }];
}

function parseException(value: Record<string, unknown>, platform: unknown): EventException {
  const mechanism = toRecord(value.mechanism);
  return {
    type: toText(value.type, MAX_NAME) ?? null,
    value:
      toText(value.value, MAX_TEXT) ??
      (isEmpty(value.value) ? null : (toText(JSON.stringify(value.value), MAX_TEXT) ?? null)),
    module: toText(value.module, MAX_NAME),
    handled: typeof mechanism.handled === 'boolean' ? mechanism.handled : undefined,
    mechanism: toText(mechanism.type, 64),
    frames: parseFrames(toRecord(value.stacktrace).frames ?? toRecord(value.raw_stacktrace).frames, platform),
  };
}

/** Frames of the thread that crashed, of the current one, or of the event itself, as old SDKs send them. */
function threadFrames(event: Record<string, unknown>): EventFrame[] {
  const threads = toList(event.threads).slice(0, 1_000).filter(isRecord);
  const thread =
    threads.find(({ crashed }) => crashed === true) ??
    threads.find(({ current }) => current === true) ??
    threads[0];
  const stack = toRecord(thread?.stacktrace).frames ?? toRecord(event.stacktrace).frames;
  return parseFrames(stack, event.platform);
}

function parseFingerprint(value: unknown): string[] | undefined {
  const parts = toList(value)
    .slice(0, MAX_FINGERPRINT)
    .map((part) => toText(part, MAX_NAME))
    .filter((part) => part !== undefined);
  const isDefault = parts.length === 1 && /^\{\{\s*default\s*\}\}$/.test(parts[0]!);
  return parts.length === 0 || isDefault ? undefined : parts;
}

/** An object, or a list of pairs. */
function parseTags(value: unknown): Record<string, string> {
  const pairs = Array.isArray(value)
    ? value.filter((pair) => Array.isArray(pair))
    : Object.entries(toRecord(value));
  return toTexts(
    Object.fromEntries(pairs.slice(0, MAX_TAGS).map(([name, text]) => [String(name), text])),
    MAX_TAGS,
    MAX_NAME,
  );
}

/** Fields as texts; lists and objects as JSON. */
function toTexts(value: unknown, maxFields: number, maxLength: number): Record<string, string> {
  const fields = Object.entries(toRecord(value))
    .slice(0, maxFields)
    .map(([name, field]) => [
      toText(name, MAX_NAME),
      toText(field, maxLength) ?? (isEmpty(field) ? undefined : toText(JSON.stringify(field), maxLength)),
    ])
    .filter(([name, text]) => name !== undefined && name !== '__proto__' && text !== undefined);
  return Object.fromEntries(fields);
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function parseBreadcrumbs(value: unknown): EventBreadcrumb[] {
  return toList(value)
    .slice(-MAX_BREADCRUMBS)
    .filter(isRecord)
    .map((crumb) => {
      const { method, url, status_code } = toRecord(crumb.data);
      const call = [method, url, status_code]
        .map((part) => toText(part, 500))
        .filter(Boolean)
        .join(' ');
      return {
        at: toTime(crumb.timestamp)?.toISOString(),
        category: toText(crumb.category, 100) ?? toText(crumb.type, 100),
        level: toLevel(crumb.level),
        message:
          toText(crumb.message, 500) ?? (call || (toText(JSON.stringify(crumb.data ?? ''), 500) ?? '')),
      };
    })
    .filter(({ message }) => message !== '' && message !== '""');
}

/** Method and URL; query, headers, cookies and body may hold personal data and are dropped. */
function parseRequest(value: unknown): ErrorEvent['request'] {
  const { method, url } = toRecord(value);
  const request = defined({
    method: toText(method, 20),
    url: toText(url, MAX_VALUE)?.replace(/[?#].*$/s, ''),
  });
  return Object.keys(request).length === 0 ? undefined : request;
}

function parseContexts(value: unknown): Record<string, string> {
  const contexts = toRecord(value);
  const named = CONTEXTS.map((name) => {
    const {
      name: product,
      version,
      raw_description,
      model,
      app_name,
      app_version,
    } = toRecord(contexts[name]);
    const words = [product ?? app_name ?? model, version ?? app_version].map((word) => toText(word, 100));
    return [name, words.filter(Boolean).join(' ') || toText(raw_description, 200)];
  });
  return Object.fromEntries(named.filter(([, text]) => text !== undefined));
}

function parseSdk(value: unknown): ErrorEvent['sdk'] {
  const { name, version } = toRecord(value);
  const text = toText(name, 64);
  return text === undefined ? undefined : { name: text, version: toText(version, 64) ?? '' };
}

function parseImages(value: unknown): DebugImage[] {
  return toList(toRecord(value).images)
    .slice(0, MAX_IMAGES)
    .filter(isRecord)
    .map((image) => ({
      type: toText(image.type, 64) ?? 'unknown',
      debugId: toText(image.debug_id, 64)?.toLowerCase() ?? '',
      codeFile: toText(image.code_file, MAX_VALUE)?.replace(/[?#].*$/s, ''),
    }))
    .filter(({ debugId }) => /^[0-9a-f-]{32,64}$/.test(debugId));
}
