import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { AppError } from '#contract/errors.ts';

/**
 * A shard file: named sections of numbers that are used as they lie in memory, little-endian.
 *
 *     0   'HSSHARD\n'
 *     8   u32 version, u32 bytes of the header, u32 crc32 of the header, u32 zero
 *     24  header: JSON { kind, length, facts, sections: [{ name, type, offset, bytes, crc }] }
 *     …   sections, each at a multiple of 8 bytes; `offset` counts from the end of the header, padded
 */
const MAGIC = Buffer.from('HSSHARD\n');
const VERSION = 2;
const PREFIX = 24;
/** Reads and writes of 2 GiB and more fail in Node. */
const PIECE = 1 << 30;

type Numbers = Uint8Array | Uint32Array | Float64Array;
type Fact = string | number | string[];

interface Section {
  name: string;
  type: 'u8' | 'u32' | 'f64';
  offset: number;
  bytes: number;
  crc: number;
}

interface Header {
  kind: string;
  length: number;
  facts: Record<string, Fact>;
  sections: Section[];
}

/** What will become a shard file: sections, each in one or several pieces, and a few single values beside them. */
export interface Draft {
  readonly sections: Map<string, Numbers[]>;
  readonly facts: Record<string, Fact>;
}

/** An empty draft. */
export function newDraft(): Draft {
  return { sections: new Map(), facts: {} };
}

/** Adds a section to a draft. Numbers that were collected in chunks are never put together in memory. */
export function addSection(draft: Draft, name: string, data: Numbers | { pieces(): Numbers[] }): void {
  draft.sections.set(name, 'pieces' in data ? data.pieces() : [data]);
}

/** A read shard file: views of one shared buffer. Asking for a section that it lacks throws. */
export interface ShardFile {
  readonly buffer: SharedArrayBuffer;
  u8(name: string): Uint8Array;
  u32(name: string): Uint32Array;
  f64(name: string): Float64Array;
  text(fact: string): string;
  number(fact: string): number;
  list(fact: string): string[];
}

const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;
const asBytes = (numbers: Numbers) => new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);

const bytesIn = (parts: Numbers[]) => parts.reduce((sum, part) => sum + part.byteLength, 0);

function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function checksum(parts: Numbers[]): number {
  let crc = 0;
  for (const part of parts) for (const piece of split(asBytes(part))) crc = crc32(piece, crc);
  return crc;
}

/** Writes a draft to a new file and makes it durable. `kind` must be given again when it is read. */
export function writeShardFile(path: string, kind: string, draft: Draft): void {
  const sections: Section[] = [];
  let offset = 0;
  for (const [name, parts] of draft.sections) {
    const type = parts[0] instanceof Uint8Array ? 'u8' : parts[0] instanceof Uint32Array ? 'u32' : 'f64';
    const bytes = bytesIn(parts);
    sections.push({ name, type, offset, bytes, crc: checksum(parts) });
    offset += padded(bytes);
  }
  const header = Buffer.from(JSON.stringify({ kind, length: offset, facts: draft.facts, sections }));
  const prefix = Buffer.alloc(PREFIX);
  MAGIC.copy(prefix);
  prefix.writeUInt32LE(VERSION, 8);
  prefix.writeUInt32LE(header.length, 12);
  prefix.writeUInt32LE(crc32(header), 16);

  const file = openSync(path, 'wx', 0o600);
  try {
    const write = (bytes: Uint8Array) => {
      for (const piece of split(bytes)) {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      }
    };
    const pad = (bytes: number) => write(new Uint8Array(padded(bytes) - bytes));
    write(prefix);
    write(header);
    pad(PREFIX + header.length);
    for (const parts of draft.sections.values()) {
      for (const part of parts) write(asBytes(part));
      pad(bytesIn(parts));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a whole shard file into shared memory and checks all of it. Throws `index_rebuilding` if it can't be used. */
export async function readShardFile(path: string, kind: string): Promise<ShardFile> {
  if (endianness() !== 'LE')
    throw new AppError('unavailable', 'This machine stores numbers in the other order.');
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (cause) {
    throw unusable('missing', cause);
  }
  try {
    const { size } = await handle.stat();
    if (size < PREFIX) throw unusable('cut short');
    const buffer = new SharedArrayBuffer(size);
    for (const piece of split(new Uint8Array(buffer))) {
      for (let at = 0; at < piece.length; ) {
        const { bytesRead } = await handle.read(piece, at, piece.length - at);
        if (bytesRead === 0) throw unusable('cut short');
        at += bytesRead;
      }
    }
    verify(buffer, kind);
    return viewShardFile(buffer);
  } finally {
    await handle.close();
  }
}

function verify(buffer: SharedArrayBuffer, kind: string): void {
  const bytes = Buffer.from(buffer);
  if (!bytes.subarray(0, 8).equals(MAGIC)) throw unusable('not a shard');
  if (bytes.readUInt32LE(8) !== VERSION) throw unusable('of another version');
  const length = bytes.readUInt32LE(12);
  const header = bytes.subarray(PREFIX, PREFIX + length);
  if (header.length !== length || crc32(header) !== bytes.readUInt32LE(16)) throw unusable('damaged');
  const parsed = JSON.parse(header.toString()) as Header;
  const body = padded(PREFIX + length);
  if (parsed.kind !== kind || bytes.length !== body + parsed.length) throw unusable('damaged');
  for (const section of parsed.sections) {
    const from = body + section.offset;
    if (checksum([bytes.subarray(from, from + section.bytes)]) !== section.crc) throw unusable('damaged');
  }
}

/** Views of a buffer that `readShardFile` has checked, for any thread that holds it. */
export function viewShardFile(buffer: SharedArrayBuffer): ShardFile {
  const length = new Uint32Array(buffer, 12, 1)[0]!;
  const header = JSON.parse(Buffer.from(buffer, PREFIX, length).toString()) as Header;
  const body = padded(PREFIX + length);
  const sections = new Map(header.sections.map((section) => [section.name, section]));
  const view = <T>(name: string, make: (offset: number, bytes: number) => T): T => {
    const section = sections.get(name);
    if (!section) throw unusable(`without ${name}`);
    return make(body + section.offset, section.bytes);
  };
  const fact = (name: string) => {
    const value = header.facts[name];
    if (value === undefined) throw unusable(`without ${name}`);
    return value;
  };
  return {
    buffer,
    u8: (name) => view(name, (offset, bytes) => new Uint8Array(buffer, offset, bytes)),
    u32: (name) => view(name, (offset, bytes) => new Uint32Array(buffer, offset, bytes / 4)),
    f64: (name) => view(name, (offset, bytes) => new Float64Array(buffer, offset, bytes / 8)),
    text: (name) => fact(name) as string,
    number: (name) => fact(name) as number,
    list: (name) => fact(name) as string[],
  };
}

function unusable(state: string, cause?: unknown): AppError {
  return new AppError('index_rebuilding', "This project's memory is being rebuilt. Try again shortly.", {
    reason: 'damaged_index',
    retryAfter: 5,
    cause: cause ?? new Error(`shard file ${state}`),
  });
}
