import { AppError } from '#contract/errors.ts';
import type { IntakeOutcome } from '#contract/intake.ts';
import { ByteReader } from './byte-reader.ts';
import { isRecord, parseJson } from './json-values.ts';

/**
 * Grammar of an envelope (develop.sentry.dev/sdk/foundations/transport/envelopes):
 *
 *   Envelope = Header { "\n" Item } [ "\n" ]
 *   Item     = ItemHeader "\n" Payload
 *   Payload  = as many bytes as the `length` of its header, or up to the end of the line
 *
 * Headers are one line of JSON.
 */

/** Longest first line; it is read before anything else because it may carry the key. */
const MAX_ENVELOPE_HEADER_BYTES = 8 * 1024;
const MAX_ITEM_HEADER_BYTES = 8 * 1024;
const MAX_ITEMS = 1_000;
const MAX_EVENTS = 100;
/** Largest event, as Sentry has it. */
const MAX_EVENT_BYTES = 2 ** 20;

/** Headers of an envelope that are used. */
interface EnvelopeHeader {
  dsn: string | null;
  eventId: string | null;
}

interface Envelope {
  events: Buffer[];
  /** Items of other types by outcome. */
  dropped: Map<IntakeOutcome, number>;
}

/** Outcome of item types that are accepted and not stored. */
const DROPPED_TYPES: Record<string, IntakeOutcome> = {
  transaction: 'transaction',
  span: 'transaction',
  session: 'session',
  sessions: 'session',
  replay_event: 'replay',
  replay_recording: 'replay',
  replay_video: 'replay',
  attachment: 'attachment',
  view_hierarchy: 'attachment',
  profile: 'profile',
  profile_chunk: 'profile',
};

/** An envelope whose first line has been read. */
interface OpenEnvelope {
  header: EnvelopeHeader;
  /**
   * Reads the items: events are kept, other types skipped and counted. `reserve` receives the bytes of each event before it is
   * read, and may throw.
   */
  readItems(reserve: (bytes: number) => void): Promise<Envelope>;
}

/** Reads the first line of an envelope. Throws `bad_request` where it is not JSON or longer than 8 KB. */
export async function openEnvelope(chunks: AsyncIterable<Buffer>): Promise<OpenEnvelope> {
  const reader = new ByteReader(chunks);
  const line = await reader.readLine(MAX_ENVELOPE_HEADER_BYTES);
  const header = line === null || line === 'too_long' ? null : parseHeader(line);
  if (!header) throw new AppError('bad_request', 'envelope_header_invalid');
  return {
    header: {
      dsn: typeof header.dsn === 'string' ? header.dsn : null,
      eventId: typeof header.event_id === 'string' ? header.event_id : null,
    },
    readItems: (reserve) => readItems(reader, reserve),
  };
}

async function readItems(reader: ByteReader, reserve: (bytes: number) => void): Promise<Envelope> {
  const events: Buffer[] = [];
  const dropped = new Map<IntakeOutcome, number>();
  for (let item = 1; ; item++) {
    const header = await readItemHeader(reader, item);
    if (!header) return { events, dropped };
    if (item > MAX_ITEMS || events.length === MAX_EVENTS) throw invalidItem(item);
    if (header.type === 'event') {
      reserve(Math.min(header.length ?? MAX_EVENT_BYTES, MAX_EVENT_BYTES));
      events.push(await readPayload(reader, header.length, item));
      continue;
    }
    await skipPayload(reader, header.length, item);
    const outcome = Object.hasOwn(DROPPED_TYPES, header.type) ? DROPPED_TYPES[header.type]! : 'other';
    dropped.set(outcome, (dropped.get(outcome) ?? 0) + 1);
  }
}

interface ItemHeader {
  type: string;
  length: number | null;
}

/** Returns the header of the next item; null at the end. Empty lines between items are skipped. */
async function readItemHeader(reader: ByteReader, item: number): Promise<ItemHeader | null> {
  for (let empty = 0; empty <= MAX_ITEMS; empty++) {
    const line = await reader.readLine(MAX_ITEM_HEADER_BYTES);
    if (line === null) return null;
    if (line !== 'too_long' && line.toString('latin1').trim() === '') continue;
    const header = line === 'too_long' ? null : parseHeader(line);
    const { type, length = null } = header ?? {};
    const isLength = length === null || (Number.isSafeInteger(length) && (length as number) >= 0);
    if (typeof type !== 'string' || !isLength) throw invalidItem(item);
    return { type, length: length as number | null };
  }
  throw invalidItem(item);
}

async function readPayload(reader: ByteReader, length: number | null, item: number): Promise<Buffer> {
  if (length === null) {
    const line = await reader.readLine(MAX_EVENT_BYTES);
    if (line === 'too_long') throw eventTooLarge();
    if (line === null) throw invalidItem(item);
    return Buffer.from(line);
  }
  if (length > MAX_EVENT_BYTES) throw eventTooLarge();
  const payload = await reader.readBytes(length);
  if (!payload) throw invalidItem(item);
  // Copied, so that it does not keep the chunks around it in memory.
  const copy = Buffer.from(payload);
  await readTerminator(reader, item);
  return copy;
}

async function skipPayload(reader: ByteReader, length: number | null, item: number): Promise<void> {
  if (length === null) return await reader.skipLine();
  if (!(await reader.skipBytes(length))) throw invalidItem(item);
  await readTerminator(reader, item);
}

/** Reads the end of the line after a payload; the last one needs none. */
async function readTerminator(reader: ByteReader, item: number): Promise<void> {
  const end = await reader.readBytes(1);
  if (end && end[0] !== 0x0a) throw invalidItem(item);
}

function parseHeader(line: Buffer): Record<string, unknown> | null {
  const value = parseJson(line.toString('utf8'));
  return isRecord(value) ? value : null;
}

function invalidItem(item: number): AppError {
  return new AppError('bad_request', 'envelope_item_invalid', { params: { item } });
}

function eventTooLarge(): AppError {
  return new AppError('too_large', 'event_too_large', { params: { limit: MAX_EVENT_BYTES / 2 ** 20 } });
}
