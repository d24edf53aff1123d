import { z } from 'zod';
import { id, timestamp } from './common.ts';
import { route } from './route.ts';

/** Results of incoming events: stored, or dropped for a reason. Further types of Sentry are counted and not stored. */
export const INTAKE_OUTCOMES = [
  'accepted',
  'duplicate',
  'rate_limited',
  'too_large',
  'invalid',
  'no_exception',
  'transaction',
  'session',
  'replay',
  'attachment',
  'profile',
  'other',
] as const;
export type IntakeOutcome = (typeof INTAKE_OUTCOMES)[number];

const MAX_SCRUB_FIELDS = 50;
const RETENTION_DAYS = { min: 1, max: 730 } as const;

const scrubField = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[\w.-]{1,100}$/, 'scrub_field_invalid');

/** Intake of error events of a project. */
const projectIntake = z.object({
  /** For SDKs of Sentry; null before the intake is set up. */
  dsn: z.string().nullable(),
  /** Base URL for exporters of OpenTelemetry, which append `/v1/logs` and `/v1/traces`. */
  otlp_endpoint: z.string(),
  /** For senders without an SDK: a JSON event a request. */
  events_url: z.string(),
  /** The public key in the DSN, which OpenTelemetry sends as the header `x-hindsight-key`. */
  key: z.string().nullable(),
  /** False when never set up, or disabled. */
  enabled: z.boolean(),
  key_created_at: timestamp.nullable(),
  retention_days: z.number(),
  /** Removes passwords, keys, cards, emails, IPs and cookies before events are stored. */
  scrub_defaults: z.boolean(),
  scrub_fields: z.array(z.string()).max(MAX_SCRUB_FIELDS),
  last_event_at: timestamp.nullable(),
  /** Events of the last seven days by outcome, most first. */
  counts: z
    .array(z.object({ outcome: z.enum(INTAKE_OUTCOMES), count: z.number() }))
    .max(INTAKE_OUTCOMES.length),
});
export type ProjectIntake = z.infer<typeof projectIntake>;

const params = z.object({ id });

/** Number of a project, as a DSN contains it; another text is an unknown number. */
const senderParams = z.object({ number: z.string().max(64) });

const MIB = 2 ** 20;
/** Envelopes may carry attachments and replays, which are dropped as they arrive. */
const MAX_ENVELOPE_BYTES = 20 * MIB;
/** Largest single event, compressed or not. */
export const MAX_STORE_BYTES = MIB;
export const MAX_OTLP_BYTES = 4 * MIB;

const incoming = { method: 'POST', kind: 'raw', access: 'visitor', countsItself: true } as const;

const AUTHENTICATION =
  'The key of the DSN is expected in `X-Sentry-Auth`, in the query as `sentry_key`, or in the `dsn` of the first line.';
const OTLP_AUTHENTICATION = 'The key of the DSN is expected in the header `x-hindsight-key`.';

export const intakeRoutes = {
  get: route({
    method: 'GET',
    path: '/projects/:id/intake',
    apiKey: 'read',
    projectFrom: 'path',
    summary: 'The DSN, URLs and settings of the error intake, and counts of the last seven days',
    params,
    reply: projectIntake,
  }),
  create: route({
    method: 'POST',
    path: '/projects/:id/intake',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Set up or enable the error intake; an existing key stays valid',
    params,
    reply: projectIntake,
    status: 201,
  }),
  update: route({
    method: 'PATCH',
    path: '/projects/:id/intake',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Enable or disable the error intake; change retention and scrubbing',
    params,
    body: z.object({
      enabled: z.boolean().optional(),
      retention_days: z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).optional(),
      scrub_defaults: z.boolean().optional(),
      scrub_fields: z.array(scrubField).max(MAX_SCRUB_FIELDS).optional(),
    }),
    reply: projectIntake,
  }),
  rotate: route({
    method: 'POST',
    path: '/projects/:id/intake/key',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Replace the key of the DSN; senders with the previous one are refused at once',
    params,
    reply: projectIntake,
  }),
  test: route({
    method: 'POST',
    path: '/projects/:id/intake/test',
    apiKey: 'write',
    projectFrom: 'path',
    summary: 'Send a test event through the intake',
    params,
    reply: z.object({ id: z.string() }),
    status: 201,
  }),
  envelope: route({
    ...incoming,
    path: '/:number/envelope/',
    bodyLimit: MAX_ENVELOPE_BYTES,
    summary: 'Receive an envelope of an SDK of Sentry; events are stored, other items counted and dropped',
    description: AUTHENTICATION,
    params: senderParams,
    reply: z.object({ id: z.string() }),
  }),
  store: route({
    ...incoming,
    path: '/:number/store/',
    bodyLimit: MAX_STORE_BYTES,
    summary: 'Receive one event as JSON, in the format of Sentry',
    description: AUTHENTICATION,
    params: senderParams,
    reply: z.object({ id: z.string() }),
  }),
  otlpLogs: route({
    ...incoming,
    path: '/:number/otlp/v1/logs',
    bodyLimit: MAX_OTLP_BYTES,
    summary:
      'Receive log records of OpenTelemetry (OTLP/HTTP, JSON or protobuf); those with `exception.*` become events',
    description: OTLP_AUTHENTICATION,
    params: senderParams,
    reply: z.object({
      partialSuccess: z.object({ rejectedLogRecords: z.number(), errorMessage: z.string() }).optional(),
    }),
  }),
  otlpTraces: route({
    ...incoming,
    path: '/:number/otlp/v1/traces',
    bodyLimit: MAX_OTLP_BYTES,
    summary:
      'Receive spans of OpenTelemetry (OTLP/HTTP, JSON or protobuf); their exception events become events',
    description: OTLP_AUTHENTICATION,
    params: senderParams,
    reply: z.object({
      partialSuccess: z.object({ rejectedSpans: z.number(), errorMessage: z.string() }).optional(),
    }),
  }),
};
