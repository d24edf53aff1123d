import { z } from 'zod';

interface ReportedError {
  error_message: string;
  file_path: string | null;
  additional_context: string | null;
  /** Running commit, tag or branch, if known. */
  revision: string | null;
}

const MAX_ERROR_LENGTH = 100_000;
const MAX_FRAMES = 100;

const text = z.string().max(20_000).nullish().catch(null);

const frame = z.object({
  filename: text,
  abs_path: text,
  module: text,
  function: text,
  lineno: z.number().nullish().catch(null),
  colno: z.number().nullish().catch(null),
  context_line: text,
});
type Frame = z.infer<typeof frame>;

const exception = z.object({
  type: text,
  value: text,
  stacktrace: z
    .object({ frames: z.array(frame).max(5_000) })
    .nullish()
    .catch(null),
});

/** Fields of a Sentry event that are used. */
const sentryEvent = z.object({
  title: text,
  message: text,
  platform: text,
  culprit: text,
  release: text,
  web_url: text,
  exception: z.object({ values: z.array(exception).min(1).max(50) }),
});

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

function fromSentry(event: z.infer<typeof sentryEvent>): ReportedError {
  const { platform, culprit, release, web_url } = event;
  // The last exception is the uncaught one; the others are its causes.
  const uncaught = event.exception.values.at(-1)!;
  const frames = (uncaught.stacktrace?.frames ?? []).slice(-MAX_FRAMES);
  const header =
    [uncaught.type, uncaught.value].filter(Boolean).join(': ') || event.title || event.message || 'Error';
  const error = platform === 'python' ? pythonTrace(header, frames) : stackTrace(header, frames);
  const context = [culprit && `In ${culprit}.`, web_url && `Reported at ${web_url}`]
    .filter(Boolean)
    .join(' ');
  return {
    error_message: error.slice(0, MAX_ERROR_LENGTH),
    file_path: null,
    additional_context: context || null,
    // Releases often have the form `name@version`.
    revision: release ? release.slice(release.lastIndexOf('@') + 1) : null,
  };
}

/** Python order: outermost frame first. */
function pythonTrace(header: string, frames: Frame[]): string {
  const lines = frames.map(({ filename, abs_path, lineno, function: name, context_line }) => {
    const at = `  File "${filename ?? abs_path ?? '?'}", line ${lineno ?? 1}, in ${name ?? '<module>'}`;
    return context_line ? `${at}\n    ${context_line.trim()}` : at;
  });
  return ['Traceback (most recent call last):', ...lines, header].join('\n');
}

/** JavaScript order: innermost frame first. */
function stackTrace(header: string, frames: Frame[]): string {
  const lines = frames.toReversed().map(({ filename, abs_path, module, lineno, colno, function: name }) => {
    const location = [filename ?? abs_path ?? module ?? '?', lineno, lineno && colno]
      .filter(Boolean)
      .join(':');
    return `    at ${name ?? '<anonymous>'} (${location})`;
  });
  return [header, ...lines].join('\n');
}
