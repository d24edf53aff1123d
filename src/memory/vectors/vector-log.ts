import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import { AppError } from '#contract/errors.ts';
import { bodyOffsetOf, decodeHeader, encodeHeader, PREAMBLE_BYTES } from '../bytes/container.ts';
import { TEXT_VERSION } from './passage-text.ts';
import { paddedWidth } from './quantized-vectors.ts';

/**
 * An append-only container of vectors:
 *
 *     header   kind 'vectors', facts { dimensions, textVersion }
 *     body     records: vectors and passages in the order of their addition
 *     vector   u32 1, 16 bytes key of the text, f32 factor, `width` signed bytes, u32 crc32 of the preceding bytes
 *     passage  u32 2, 8 bytes prefix of the blob's hash, u32 ordinal, u32 number of the vector, u32 crc32
 *
 * Vectors are numbered in their order, and a passage follows its vector. The first truncated or damaged record ends the
 * file: it is what a killed process left.
 */
const KIND = 'vectors';
const VECTOR = 1;
const PASSAGE = 2;
const KEY_BYTES = 16;
/** Bytes of a header that is not damaged. */
const MAX_HEADER_BYTES = 4096;

/**
 * Header of the format before the container, whose records were the same. Such files stay in use, since computing their
 * vectors again may cost money: 'HSVECTOR', u32 1, u32 version of the texts, u32 dimensions, u32 crc32.
 */
const LEGACY_MAGIC = Buffer.from('HSVECTOR');
const LEGACY_VERSION = 1;
const LEGACY_HEADER_BYTES = 24;

/** Bytes of a vector's record beside the vector. */
export const VECTOR_RECORD_OVERHEAD = 4 + KEY_BYTES + 4 + 4;
export const PASSAGE_RECORD_BYTES = 24;

/** A vector of the file; `bytes` are valid until the next record. */
interface StoredVector {
  key: string;
  factor: number;
  bytes: Int8Array;
}

/** The vector of a passage, which is keyed by the first 64 bits of its blob's hash and its ordinal in the blob. */
export interface StoredPassage {
  high: number;
  low: number;
  ordinal: number;
  vector: number;
}

interface RecordListener {
  onVector(vector: StoredVector): void;
  onPassage(passage: StoredPassage): void;
}

/** The first 64 bits of a blob's hash, as two numbers: unique within a repository. */
export function blobPrefix(oid: string): { high: number; low: number } {
  return { high: Number.parseInt(oid.slice(0, 8), 16), low: Number.parseInt(oid.slice(8, 16), 16) };
}

/** Header of a file for vectors of these dimensions. */
export function encodeVectorHeader(dimensions: number): Buffer {
  return encodeHeader(KIND, { dimensions, textVersion: TEXT_VERSION });
}

export function encodeVector({ key, factor, bytes }: StoredVector): Buffer {
  const record = Buffer.alloc(VECTOR_RECORD_OVERHEAD + bytes.length);
  record.writeUInt32LE(VECTOR, 0);
  record.write(key, 4, KEY_BYTES, 'hex');
  record.writeFloatLE(factor, 4 + KEY_BYTES);
  record.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 8 + KEY_BYTES);
  return withChecksum(record);
}

export function encodePassage({ high, low, ordinal, vector }: StoredPassage): Buffer {
  const record = Buffer.alloc(PASSAGE_RECORD_BYTES);
  const numbers = [PASSAGE, high, low, ordinal, vector];
  for (const [index, value] of numbers.entries()) record.writeUInt32LE(value, 4 * index);
  return withChecksum(record);
}

/**
 * Reads a file up to its first truncated or damaged record. Returns the dimensions and the number of valid bytes; null for
 * a missing file and for one of another version.
 */
export async function readVectorLog(
  path: string,
  listener: RecordListener,
  signal?: AbortSignal,
): Promise<{ dimensions: number; bytes: number } | null> {
  let pending: Buffer = Buffer.alloc(0);
  let dimensions: number | null = null;
  let validBytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20, signal })) {
      pending = pending.length === 0 ? (chunk as Buffer) : Buffer.concat([pending, chunk as Buffer]);
      if (dimensions === null) {
        const header = readHeader(pending);
        if (header === 'incomplete') continue;
        if (header === null) return null;
        dimensions = header.dimensions;
        validBytes = header.bytes;
        pending = pending.subarray(header.bytes);
      }
      const { used, isDamaged } = readRecords(pending, paddedWidth(dimensions), listener);
      validBytes += used;
      if (isDamaged) break;
      pending = pending.subarray(used);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return dimensions === null ? null : { dimensions, bytes: validBytes };
}

/** Reads all complete records; returns their bytes, and true for `isDamaged` when no record follows. */
function readRecords(
  buffer: Buffer,
  width: number,
  { onVector, onPassage }: RecordListener,
): { used: number; isDamaged: boolean } {
  for (let at = 0; ; ) {
    if (at + 4 > buffer.length) return { used: at, isDamaged: false };
    const kind = buffer.readUInt32LE(at);
    if (kind !== VECTOR && kind !== PASSAGE) return { used: at, isDamaged: true };
    const length = kind === VECTOR ? VECTOR_RECORD_OVERHEAD + width : PASSAGE_RECORD_BYTES;
    if (at + length > buffer.length) return { used: at, isDamaged: false };
    const record = buffer.subarray(at, at + length);
    if (!hasValidChecksum(record)) return { used: at, isDamaged: true };
    if (kind === VECTOR) onVector(readVector(record, width));
    else onPassage(readPassage(record));
    at += length;
  }
}

function readVector(record: Buffer, width: number): StoredVector {
  return {
    key: record.toString('hex', 4, 4 + KEY_BYTES),
    factor: record.readFloatLE(4 + KEY_BYTES),
    bytes: new Int8Array(record.buffer, record.byteOffset + 8 + KEY_BYTES, width),
  };
}

function readPassage(record: Buffer): StoredPassage {
  const [high, low, ordinal, vector] = [4, 8, 12, 16].map((at) => record.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  return { high, low, ordinal, vector };
}

/** Reads the header of the current or the legacy format; null when it is unusable. */
function readHeader(buffer: Buffer): { dimensions: number; bytes: number } | 'incomplete' | null {
  if (buffer.length < PREAMBLE_BYTES) return 'incomplete';
  if (buffer.subarray(0, LEGACY_MAGIC.length).equals(LEGACY_MAGIC)) return readLegacyHeader(buffer);
  try {
    const bytes = bodyOffsetOf(buffer);
    if (bytes > MAX_HEADER_BYTES) return null;
    if (buffer.length < bytes) return 'incomplete';
    const { dimensions, textVersion } = decodeHeader(buffer.subarray(0, bytes), KIND);
    return textVersion === TEXT_VERSION ? { dimensions: dimensions as number, bytes } : null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

function readLegacyHeader(buffer: Buffer): { dimensions: number; bytes: number } | null {
  const header = buffer.subarray(0, LEGACY_HEADER_BYTES);
  const isCurrent =
    header.readUInt32LE(8) === LEGACY_VERSION &&
    header.readUInt32LE(12) === TEXT_VERSION &&
    hasValidChecksum(header);
  return isCurrent ? { dimensions: header.readUInt32LE(16), bytes: LEGACY_HEADER_BYTES } : null;
}

/** Stores the checksum in the last four bytes. */
function withChecksum(record: Buffer): Buffer {
  record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
  return record;
}

function hasValidChecksum(record: Buffer): boolean {
  return crc32(record.subarray(0, -4)) === record.readUInt32LE(record.length - 4);
}
