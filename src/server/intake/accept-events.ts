import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { IntakeOutcome } from '#contract/intake.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { scrubEvent } from '#intake/scrub.ts';
import type { DropCounter } from './drop-counter.ts';
import type { EventLimits } from './event-limits.ts';
import type { EventWriter, NewEvent } from './event-writer.ts';
import type { IntakeTarget } from './intake-cache.ts';

/** Parts of the intake of one process. */
export interface IntakeParts {
  limits: EventLimits;
  writer: EventWriter;
  drops: DropCounter;
}

/** Bounds a stored event; its fields are bounded one by one, so that few events reach this. */
const MAX_STORED_LENGTH = 256 * 1024;

/**
 * Scrubs and stores events, and returns when they are committed. `parse` runs for one event at a time, so that a request with
 * many does not block others; it returns null for what is not an error.
 */
export async function acceptEvents<T>(
  { limits, writer, drops }: IntakeParts,
  { projectId, rules }: IntakeTarget,
  sources: readonly T[],
  parse: (source: T, receivedAt: Date) => ErrorEvent | null,
  receivedAt: Date,
): Promise<string[]> {
  if (sources.length === 0) return [];
  limits.consume(projectId, sources.length);
  const rows: NewEvent[] = [];
  for (const [index, source] of sources.entries()) {
    if (index > 0) await yieldToOthers();
    const event = parse(source, receivedAt);
    if (!event) drops.add(projectId, 'transaction');
    else {
      const { id, at } = event;
      rows.push({ projectId, id, at, receivedAt, event: toJson(scrubEvent(event, rules)) });
    }
  }
  if (rows.length > 0) await writer.write(rows);
  return rows.map(({ id }) => id);
}

function toJson(event: ErrorEvent): string {
  const text = JSON.stringify(event);
  if (text.length <= MAX_STORED_LENGTH) return text;
  const bare = event.exceptions.map((exception) => ({
    ...exception,
    frames: exception.frames.map(({ before: _, after: __, ...frame }) => frame),
  }));
  return JSON.stringify({ ...event, exceptions: bare, extra: {}, breadcrumbs: [] });
}

/** Outcome that an error is counted as; null for errors that say nothing about an event. */
export function outcomeOf(error: unknown): IntakeOutcome | null {
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case 'rate_limited':
      return 'rate_limited';
    case 'too_large':
      return 'too_large';
    case 'bad_request':
    case 'unsupported':
    case 'invalid_input':
      return 'invalid';
    default:
      return null;
  }
}
