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
const VERSION = 7;
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

/** A read shard file. Asking for a section that it lacks throws. */
export interface ShardFile {
  u8(name: string): Uint8Array;
  u32(name: string): Uint32Array;
  f64(name: string): Float64Array;
  text(fact: string): string;
  number(fact: string): number;
  list(fact: string): string[];
}

/** A shard file that lies in memory as a whole. */
export interface SharedFile extends ShardFile {
  readonly buffer: SharedArrayBuffer;
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

interface Layout {
  /** Everything before the sections, padded. */
  head: Buffer;
  sections: Section[];
  length: number;
}

function layOut(kind: string, draft: Draft): Layout {
  const sections: Section[] = [];
  let offset = 0;
  for (const [name, parts] of draft.sections) {
    const type = parts[0] instanceof Uint8Array ? 'u8' : parts[0] instanceof Uint32Array ? 'u32' : 'f64';
    const bytes = bytesIn(parts);
    sections.push({ name, type, offset, bytes, crc: checksum(parts) });
    offset += padded(bytes);
  }
  const header = Buffer.from(JSON.stringify({ kind, length: offset, facts: draft.facts, sections }));
  const head = Buffer.alloc(padded(PREFIX + header.length));
  MAGIC.copy(head);
  head.writeUInt32LE(VERSION, 8);
  head.writeUInt32LE(header.length, 12);
  head.writeUInt32LE(crc32(header), 16);
  header.copy(head, PREFIX);
  return { head, sections, length: head.length + offset };
}

/** Writes a draft to a new file and makes it durable. `kind` must be given again when it is read. */
export function writeShardFile(path: string, kind: string, draft: Draft): void {
  const { head } = layOut(kind, draft);
  const file = openSync(path, 'wx', 0o600);
  try {
    const write = (bytes: Uint8Array) => {
      for (const piece of split(bytes)) {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
      }
    };
    write(head);
    for (const parts of draft.sections.values()) {
      for (const part of parts) write(asBytes(part));
      const bytes = bytesIn(parts);
      write(new Uint8Array(padded(bytes) - bytes));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A draft as the buffer that would be read back from its file. */
export function toBuffer(kind: string, draft: Draft): SharedArrayBuffer {
  const { head, sections, length } = layOut(kind, draft);
  const buffer = new SharedArrayBuffer(length);
  const bytes = new Uint8Array(buffer);
  bytes.set(head);
  for (const { name, offset } of sections) {
    let at = head.length + offset;
    for (const part of draft.sections.get(name)!) {
      bytes.set(asBytes(part), at);
      at += part.byteLength;
    }
  }
  return buffer;
}

/** Reads a whole shard file into shared memory and checks all of it. Throws `index_rebuilding` if it can't be used. */
export async function readShardFile(path: string, kind: string): Promise<SharedFile> {
  return await withShardFile(path, async (handle, size) => {
    const buffer = new SharedArrayBuffer(size);
    await fill(handle, new Uint8Array(buffer), 0);
    const bytes = Buffer.from(buffer);
    const { header, body } = readHeader(bytes, kind, size);
    for (const { offset, bytes: length, crc } of header.sections) {
      if (checksum([bytes.subarray(body + offset, body + offset + length)]) !== crc)
        throw unusable('damaged');
    }
    return viewShardFile(buffer);
  });
}

/** Reads and checks some sections only. Throws `index_rebuilding` as `readShardFile` does. */
export async function readSections(path: string, kind: string, names: readonly string[]): Promise<ShardFile> {
  return await withShardFile(path, async (handle, size) => {
    const prefix = Buffer.alloc(PREFIX);
    await fill(handle, prefix, 0);
    const head = Buffer.alloc(Math.min(size, PREFIX + prefix.readUInt32LE(12)));
    await fill(handle, head, 0);
    const { header, body } = readHeader(head, kind, size);
    const read = new Map<string, Uint8Array>();
    for (const section of header.sections) {
      if (!names.includes(section.name)) continue;
      const bytes = new Uint8Array(section.bytes);
      await fill(handle, bytes, body + section.offset);
      if (checksum([bytes]) !== section.crc) throw unusable('damaged');
      read.set(section.name, bytes);
    }
    return viewSections(header, ({ name }) => {
      const bytes = read.get(name);
      if (!bytes) throw unusable(`without ${name}`);
      return bytes;
    });
  });
}

async function withShardFile<T>(
  path: string,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
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
    return await use(handle, size);
  } finally {
    await handle.close();
  }
}

/** Fills `bytes` from byte `from` of the file on. */
async function fill(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  let at = 0;
  for (const piece of split(bytes)) {
    for (let done = 0; done < piece.length; ) {
      const { bytesRead } = await handle.read(piece, done, piece.length - done, from + at + done);
      if (bytesRead === 0) throw unusable('cut short');
      done += bytesRead;
    }
    at += piece.length;
  }
}

/** Checks the beginning of a file of `size` bytes. `body` is where its sections begin. */
function readHeader(bytes: Buffer, kind: string, size: number): { header: Header; body: number } {
  if (!bytes.subarray(0, 8).equals(MAGIC)) throw unusable('not a shard');
  if (bytes.readUInt32LE(8) !== VERSION) throw unusable('of another version');
  const length = bytes.readUInt32LE(12);
  const header = bytes.subarray(PREFIX, PREFIX + length);
  if (header.length !== length || crc32(header) !== bytes.readUInt32LE(16)) throw unusable('damaged');
  const parsed = JSON.parse(header.toString()) as Header;
  const body = padded(PREFIX + length);
  if (parsed.kind !== kind || size !== body + parsed.length) throw unusable('damaged');
  return { header: parsed, body };
}

/** Views of a buffer that `readShardFile` has checked, for any thread that holds it. */
export function viewShardFile(buffer: SharedArrayBuffer): SharedFile {
  const length = new Uint32Array(buffer, 12, 1)[0]!;
  const header = JSON.parse(Buffer.from(buffer, PREFIX, length).toString()) as Header;
  const body = padded(PREFIX + length);
  const sections = viewSections(header, ({ offset, bytes }) => new Uint8Array(buffer, body + offset, bytes));
  return { buffer, ...sections };
}

function viewSections(header: Header, bytesOf: (section: Section) => Uint8Array): ShardFile {
  const sections = new Map(header.sections.map((section) => [section.name, section]));
  const find = (name: string) => {
    const section = sections.get(name);
    if (!section) throw unusable(`without ${name}`);
    return bytesOf(section);
  };
  const fact = (name: string) => {
    const value = header.facts[name];
    if (value === undefined) throw unusable(`without ${name}`);
    return value;
  };
  return {
    u8: find,
    u32: (name) => {
      const { buffer, byteOffset, byteLength } = find(name);
      return new Uint32Array(buffer, byteOffset, byteLength / 4);
    },
    f64: (name) => {
      const { buffer, byteOffset, byteLength } = find(name);
      return new Float64Array(buffer, byteOffset, byteLength / 8);
    },
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
