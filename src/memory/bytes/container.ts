import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { AppError } from '#contract/errors.ts';

/**
 * The one file format of an index, little-endian:
 *
 *     preamble   'HSINDEX\n', u32 version, u32 bytes of the header, u32 crc32 of the header, u32 zero
 *     header     JSON { kind, facts }, padded with blanks so that the body begins at a multiple of 8
 *     body       sections in checksummed pages (`section-writer.ts`), or records with a checksum each
 *                (`vectors/vector-log.ts`)
 */
const MAGIC = Buffer.from('HSINDEX\n');
/** Counted on from the formats that this one replaced. A file of another version is built again. */
const VERSION = 8;
export const PREAMBLE_BYTES = 24;

/** Single values that are stored beside the data of a file. */
export type Facts = Record<string, string | number | string[]>;

/** The beginning of a file, up to its body. */
export function encodeHeader(kind: string, facts: Facts = {}): Buffer {
  const json = Buffer.from(JSON.stringify({ kind, facts }));
  const header = Buffer.alloc(padTo8(PREAMBLE_BYTES + json.length), ' ');
  const bytes = header.length - PREAMBLE_BYTES;
  MAGIC.copy(header);
  json.copy(header, PREAMBLE_BYTES);
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(bytes, 12);
  header.writeUInt32LE(crc32(header.subarray(PREAMBLE_BYTES)), 16);
  header.writeUInt32LE(0, 20);
  return header;
}

/** Offset of the body in a file that begins with `preamble`; throws `index_rebuilding` for an unknown format. */
export function bodyOffsetOf(preamble: Buffer): number {
  if (preamble.length < PREAMBLE_BYTES) throw damaged('truncated');
  if (!preamble.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged('of an unknown format');
  if (preamble.readUInt32LE(8) !== VERSION) throw damaged('of another version');
  return PREAMBLE_BYTES + preamble.readUInt32LE(12);
}

/** The facts of a header of this kind; throws `index_rebuilding` when it is damaged or of another kind. */
export function decodeHeader(header: Buffer, kind: string): Facts {
  const json = header.subarray(PREAMBLE_BYTES);
  if (header.length !== bodyOffsetOf(header) || crc32(json) !== header.readUInt32LE(16)) {
    throw damaged('with a damaged header');
  }
  const parsed = JSON.parse(json.toString()) as { kind: string; facts: Facts };
  if (parsed.kind !== kind) throw damaged(`of kind ${parsed.kind}`);
  return parsed.facts;
}

/** The next multiple of 8. */
export const padTo8 = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Throws `unavailable` on a machine that stores numbers in the other byte order. */
export function requireLittleEndian(): void {
  if (endianness() !== 'LE') throw new AppError('unavailable', 'byte_order_unsupported');
}

/** The error of a file that can't be used; `state` completes "index file …". */
export function damaged(state: string, cause?: unknown): AppError {
  return new AppError('index_rebuilding', 'index_rebuilding', {
    reason: 'corrupt_index',
    retryAfter: 5,
    cause: cause ?? new Error(`index file ${state}`),
  });
}
