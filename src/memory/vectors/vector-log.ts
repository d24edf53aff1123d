import { createReadStream } from 'node:fs';
import { crc32 } from 'node:zlib';
import { TEXT_VERSION } from './passage-text.ts';
import { paddedWidth } from './quantized-vectors.ts';

/**
 * A file of vectors that only grows:
 *
 *     header   'HSVECTOR', u32 version, u32 version of the texts, u32 dimensions, u32 crc32 of what is before
 *     record   a vector or a passage, in the order in which they came
 *     vector   u32 1, 16 bytes key of the text, f32 factor, `width` signed bytes, u32 crc32 of what is before
 *     passage  u32 2, 8 bytes beginning of the blob's name, u32 ordinal, u32 number of the vector, u32 crc32
 *
 * Numbers are little-endian; the vectors are numbered as they come, and a passage comes after its vector. The first record
 * that is cut short or damaged ends the file: it is what a killed process left.
 */
const MAGIC = Buffer.from('HSVECTOR');
const VERSION = 1;
const VECTOR = 1;
const PASSAGE = 2;
const KEY_BYTES = 16;

export const HEADER_BYTES = 24;
/** Bytes of a vector's record beside the vector. */
export const VECTOR_RECORD_OVERHEAD = 4 + KEY_BYTES + 4 + 4;
export const PASSAGE_RECORD_BYTES = 24;

/** A vector of the file; `bytes` are borrowed. */
export interface StoredVector {
  key: string;
  factor: number;
  bytes: Int8Array;
}

/** Which vector a passage has: the first 64 bits of its blob's name, and where it comes in the blob. */
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

/** The first 64 bits of a blob's name, as two numbers: enough to tell those of one repository apart. */
export function blobPrefix(oid: string): { high: number; low: number } {
  return { high: Number.parseInt(oid.slice(0, 8), 16), low: Number.parseInt(oid.slice(8, 16), 16) };
}

/** The beginning of a file for vectors of so many numbers. */
export function encodeHeader(dimensions: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(TEXT_VERSION, 12);
  header.writeUInt32LE(dimensions, 16);
  return sealed(header);
}

export function encodeVector({ key, factor, bytes }: StoredVector): Buffer {
  const record = Buffer.alloc(VECTOR_RECORD_OVERHEAD + bytes.length);
  record.writeUInt32LE(VECTOR, 0);
  record.write(key, 4, KEY_BYTES, 'hex');
  record.writeFloatLE(factor, 4 + KEY_BYTES);
  record.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), 8 + KEY_BYTES);
  return sealed(record);
}

export function encodePassage({ high, low, ordinal, vector }: StoredPassage): Buffer {
  const record = Buffer.alloc(PASSAGE_RECORD_BYTES);
  const numbers = [PASSAGE, high, low, ordinal, vector];
  for (const [index, value] of numbers.entries()) record.writeUInt32LE(value, 4 * index);
  return sealed(record);
}

/**
 * Reads a file to its end, or to where it was cut short. Returns the numbers of a vector and how many bytes are sound;
 * null for no file, and for one of another version.
 */
export async function readVectorLog(
  path: string,
  listener: RecordListener,
  signal?: AbortSignal,
): Promise<{ dimensions: number; bytes: number } | null> {
  let left: Buffer = Buffer.alloc(0);
  let dimensions: number | null = null;
  let sound = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20, signal })) {
      left = left.length === 0 ? (chunk as Buffer) : Buffer.concat([left, chunk as Buffer]);
      if (dimensions === null) {
        if (left.length < HEADER_BYTES) continue;
        dimensions = readHeader(left);
        if (dimensions === null) return null;
        left = left.subarray(HEADER_BYTES);
        sound = HEADER_BYTES;
      }
      const { used, damaged } = readRecords(left, paddedWidth(dimensions), listener);
      sound += used;
      if (damaged) break;
      left = left.subarray(used);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return dimensions === null ? null : { dimensions, bytes: sound };
}

/** As many records as are whole; tells how many bytes they take, and whether what follows is none. */
function readRecords(
  buffer: Buffer,
  width: number,
  { onVector, onPassage }: RecordListener,
): { used: number; damaged: boolean } {
  for (let at = 0; ; ) {
    if (at + 4 > buffer.length) return { used: at, damaged: false };
    const kind = buffer.readUInt32LE(at);
    if (kind !== VECTOR && kind !== PASSAGE) return { used: at, damaged: true };
    const length = kind === VECTOR ? VECTOR_RECORD_OVERHEAD + width : PASSAGE_RECORD_BYTES;
    if (at + length > buffer.length) return { used: at, damaged: false };
    const record = buffer.subarray(at, at + length);
    if (!isSound(record)) return { used: at, damaged: true };
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

function readHeader(buffer: Buffer): number | null {
  const header = buffer.subarray(0, HEADER_BYTES);
  const isOurs = header.subarray(0, 8).equals(MAGIC) && header.readUInt32LE(8) === VERSION && isSound(header);
  return isOurs && header.readUInt32LE(12) === TEXT_VERSION ? header.readUInt32LE(16) : null;
}

/** Puts the checksum into the last four bytes. */
function sealed(record: Buffer): Buffer {
  record.writeUInt32LE(crc32(record.subarray(0, -4)), record.length - 4);
  return record;
}

function isSound(record: Buffer): boolean {
  return crc32(record.subarray(0, -4)) === record.readUInt32LE(record.length - 4);
}
