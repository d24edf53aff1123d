import { z } from 'zod';
import { timestamp } from './common.ts';

/** Frames of an exception, and breadcrumbs of an event, that a reply holds. */
const MAX_EVENT_LINES = 100;
const MAX_EXCEPTIONS = 20;
const MAX_CONTEXT_LINES = 10;
/** Tags, contexts and further values of an event. */
const MAX_VALUES = 100;

export const eventLevel = z.enum(['fatal', 'error', 'warning', 'info', 'debug']);

const namedValue = z.object({ name: z.string(), value: z.string() });

/** A frame; with a source map, its place in the source. */
const eventFrame = z.object({
  path: z.string(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  symbol: z.string().nullable(),
  module: z.string().nullable(),
  /** False for frames of libraries and of the runtime. */
  in_app: z.boolean(),
  /** The line of code, and those around it, where the SDK or a source map has them. */
  text: z.string().nullable(),
  before: z.array(z.string()).max(MAX_CONTEXT_LINES),
  after: z.array(z.string()).max(MAX_CONTEXT_LINES),
  /** The file of the project at its indexed commit; null where there is none. */
  file: z.string().nullable(),
  /** Place in the generated file, where a source map was applied. */
  generated: z
    .object({ path: z.string(), line: z.number().nullable(), column: z.number().nullable() })
    .nullable(),
});
export type ErrorEventFrame = z.infer<typeof eventFrame>;

const eventException = z.object({
  type: z.string().nullable(),
  value: z.string().nullable(),
  /** False for an exception that nothing caught; null where the SDK does not say. */
  handled: z.boolean().nullable(),
  mechanism: z.string().nullable(),
  /** Innermost first. */
  frames: z.array(eventFrame).max(MAX_EVENT_LINES),
});

const breadcrumb = z.object({
  at: timestamp.nullable(),
  category: z.string().nullable(),
  level: eventLevel.nullable(),
  message: z.string(),
});

/** An event in a list. */
export const errorEventRow = z.object({
  id: z.string(),
  at: timestamp,
  title: z.string(),
  level: eventLevel,
  release: z.string().nullable(),
  environment: z.string().nullable(),
  transaction: z.string().nullable(),
});
export type ErrorEventRow = z.infer<typeof errorEventRow>;

/** An event with everything that was kept of it. */
export const errorEventDetail = errorEventRow.extend({
  received_at: timestamp,
  platform: z.string(),
  message: z.string().nullable(),
  /** The exception that was thrown, then its causes; empty for a message. */
  exceptions: z.array(eventException).max(MAX_EXCEPTIONS),
  /** Oldest first. */
  breadcrumbs: z.array(breadcrumb).max(MAX_EVENT_LINES),
  tags: z.array(namedValue).max(MAX_VALUES),
  /** Runtime, operating system, browser, device. */
  contexts: z.array(namedValue).max(MAX_VALUES),
  extra: z.array(namedValue).max(MAX_VALUES),
  request: z.object({ method: z.string().nullable(), url: z.string().nullable() }).nullable(),
  logger: z.string().nullable(),
  server_name: z.string().nullable(),
  trace_id: z.string().nullable(),
  sdk: z.object({ name: z.string(), version: z.string() }).nullable(),
});
export type ErrorEventDetail = z.infer<typeof errorEventDetail>;
