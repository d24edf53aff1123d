import { z } from 'zod';

/** An error that was reported from outside, as a person would paste it. */
export interface ReportedError {
  error_message: string;
  file_path: string | null;
  additional_context: string | null;
  /** What was running: a commit, tag or branch, if the sender knows. */
  revision: string | null;
}

const MAX_ERROR = 100_000;
const MOST_FRAMES = 100;

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

/** What Sentry sends of an event, as far as it is read. */
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

const plain = z.object({
  message: z.string().trim().min(1).max(MAX_ERROR),
  type: text,
  stack: z.string().max(MAX_ERROR).nullish().catch(null),
  file_path: text,
  context: text,
  release: text,
});

/** Reads an error out of a webhook's body: Sentry's form, or `{ message, type?, stack?, file_path?, context?, release? }`. */
export function parseErrorEvent(body: unknown): ReportedError | null {
  const sentry = sentryHook.safeParse(body);
  const event = sentry.success ? (sentry.data.data.event ?? sentry.data.data.error) : undefined;
  if (event) return fromSentry(event);
  const own = plain.safeParse(body);
  return own.success ? fromPlain(own.data) : null;
}

function fromPlain({
  message,
  type,
  stack,
  file_path,
  context,
  release,
}: z.infer<typeof plain>): ReportedError {
  const head = type && !message.startsWith(type) ? `${type}: ${message}` : message;
  // Most stacks begin with the message.
  const error = !stack ? head : stack.includes(message) ? stack : `${head}\n${stack}`;
  return {
    error_message: error.slice(0, MAX_ERROR),
    file_path: file_path ?? null,
    additional_context: context ?? null,
    revision: release ?? null,
  };
}

function fromSentry(event: z.infer<typeof sentryEvent>): ReportedError {
  const { platform, culprit, release, web_url } = event;
  // The last one is what was not caught; those before caused it.
  const raised = event.exception.values.at(-1)!;
  const frames = (raised.stacktrace?.frames ?? []).slice(-MOST_FRAMES);
  const head =
    [raised.type, raised.value].filter(Boolean).join(': ') || event.title || event.message || 'Error';
  const error = platform === 'python' ? pythonTrace(head, frames) : stackTrace(head, frames);
  const context = [culprit && `In ${culprit}.`, web_url && `Reported at ${web_url}`]
    .filter(Boolean)
    .join(' ');
  return {
    error_message: error.slice(0, MAX_ERROR),
    file_path: null,
    additional_context: context || null,
    // Releases are often called `name@version`.
    revision: release ? release.slice(release.lastIndexOf('@') + 1) : null,
  };
}

/** Frames come oldest first, as Python prints them. */
function pythonTrace(head: string, frames: Frame[]): string {
  const lines = frames.map(({ filename, abs_path, lineno, function: name, context_line }) => {
    const at = `  File "${filename ?? abs_path ?? '?'}", line ${lineno ?? 1}, in ${name ?? '<module>'}`;
    return context_line ? `${at}\n    ${context_line.trim()}` : at;
  });
  return ['Traceback (most recent call last):', ...lines, head].join('\n');
}

/** The way most other languages print it: the innermost first. */
function stackTrace(head: string, frames: Frame[]): string {
  const lines = frames.toReversed().map(({ filename, abs_path, module, lineno, colno, function: name }) => {
    const place = [filename ?? abs_path ?? module ?? '?', lineno, lineno && colno].filter(Boolean).join(':');
    return `    at ${name ?? '<anonymous>'} (${place})`;
  });
  return [head, ...lines].join('\n');
}
