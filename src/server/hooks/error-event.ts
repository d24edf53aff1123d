import { z } from 'zod';
import { eventText } from '#intake/event-text.ts';
import { parseSentryEvent } from '#intake/sentry-event.ts';

interface ReportedError {
  error_message: string;
  file_path: string | null;
  additional_context: string | null;
  /** Running commit, tag or branch, if known. */
  revision: string | null;
}

const MAX_ERROR_LENGTH = 100_000;

const text = z.string().max(20_000).nullish().catch(null);

/** An event of Sentry, with what its service adds to that of the SDK. */
const sentryEvent = z.looseObject({ culprit: text, web_url: text });

const sentryHook = z.object({
  data: z.object({ event: sentryEvent.optional(), error: sentryEvent.optional() }),
});

const plainEvent = z.object({
  message: z.string().trim().min(1).max(MAX_ERROR_LENGTH),
  type: text,
  stack: z.string().max(MAX_ERROR_LENGTH).nullish().catch(null),
  file_path: text,
  context: text,
  release: text,
});

/**
 * Parses a webhook body: Sentry’s format, or `{ message, type?, stack?, file_path?, context?, release? }`.
 */
export function parseErrorEvent(body: unknown): ReportedError | null {
  const sentry = sentryHook.safeParse(body);
  const event = sentry.success ? (sentry.data.data.event ?? sentry.data.data.error) : undefined;
  if (event) return fromSentry(event);
  const plain = plainEvent.safeParse(body);
  return plain.success ? fromPlainJson(plain.data) : null;
}

function fromPlainJson({
  message,
  type,
  stack,
  file_path,
  context,
  release,
}: z.infer<typeof plainEvent>): ReportedError {
  const header = type && !message.startsWith(type) ? `${type}: ${message}` : message;
  // Most stacks start with the message.
  const error = !stack ? header : stack.includes(message) ? stack : `${header}\n${stack}`;
  return {
    error_message: error.slice(0, MAX_ERROR_LENGTH),
    file_path: file_path ?? null,
    additional_context: context ?? null,
    revision: release ?? null,
  };
}

/** Null for an event without an exception. */
function fromSentry(payload: z.infer<typeof sentryEvent>): ReportedError | null {
  const event = parseSentryEvent(Buffer.from(JSON.stringify(payload)), { receivedAt: new Date() });
  if (!event || event.exceptions.length === 0) return null;
  const { culprit, web_url } = payload;
  const context = [culprit && `In ${culprit}.`, web_url && `Reported at ${web_url}`].filter(Boolean);
  return {
    error_message: eventText(event),
    file_path: null,
    additional_context: context.join(' ') || null,
    // Releases often have the form `name@version`.
    revision: event.release?.slice(event.release.lastIndexOf('@') + 1) ?? null,
  };
}
