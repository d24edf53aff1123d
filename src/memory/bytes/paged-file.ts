import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { AppError } from '#contract/errors.ts';

/**
 * A file that is written once from front to end and read in pages, each checked when it is read:
 *
 *     pages    of 16 KiB, the last one shorter: the sections, one behind the other
 *     table    u32 crc32 of every page
 *     footer   JSON { kind, length, facts, sections: { name: [offset, bytes] } }; `length` is that of all pages
 *     trailer  'HSPAGES\n', u32 version, u32 bytes of the footer, u32 crc32 of table and footer, u32 zero
 *
 * Numbers are little-endian.
 */
const MAGIC = Buffer.from('HSPAGES\n');
const VERSION = 1;
const TRAILER = 24;
export const PAGE_BYTES = 1 << 14;

type Facts = Record<string, number | string>;

interface Footer {
  kind: string;
  length: number;
  facts: Facts;
  sections: Record<string, [number, number]>;
}

/** Writes a paged file section by section. `abandon` closes it unfinished. */
export class PagedWriter {
  readonly #file: number;
  readonly #page = Buffer.allocUnsafe(PAGE_BYTES);
  readonly #crcs: number[] = [];
  readonly #sections: Footer['sections'] = {};
  #used = 0;
  #sectionStart = 0;
  /** Bytes written so far. */
  length = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + PAGE_BYTES - this.#used);
      this.#page.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === PAGE_BYTES) this.#flush();
    }
    this.length += bytes.length;
  }

  /** Ends the section that began where the one before it ended. */
  endSection(name: string): void {
    this.#sections[name] = [this.#sectionStart, this.length - this.#sectionStart];
    this.#sectionStart = this.length;
  }

  /** Makes the file whole and durable; returns its size in bytes. */
  finish(kind: string, facts: Facts): number {
    this.#flush();
    const table = Buffer.from(Uint32Array.from(this.#crcs).buffer);
    const footer: Footer = { kind, length: this.length, facts, sections: this.#sections };
    const tail = Buffer.concat([table, Buffer.from(JSON.stringify(footer))]);
    const trailer = Buffer.alloc(TRAILER);
    MAGIC.copy(trailer);
    trailer.writeUInt32LE(VERSION, 8);
    trailer.writeUInt32LE(tail.length - table.length, 12);
    trailer.writeUInt32LE(crc32(tail), 16);
    writeAll(this.#file, tail);
    writeAll(this.#file, trailer);
    fsyncSync(this.#file);
    closeSync(this.#file);
    return this.length + tail.length + TRAILER;
  }

  abort(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    if (this.#used === 0) return;
    const page = this.#page.subarray(0, this.#used);
    this.#crcs.push(crc32(page));
    writeAll(this.#file, page);
    this.#used = 0;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Pages of several files, the least recently read dropped beyond so many bytes. */
export class PageCache {
  readonly #pages = new Map<number, Buffer>();
  readonly #most: number;
  #files = 0;

  constructor(maxBytes: number) {
    this.#most = Math.max(1, Math.floor(maxBytes / PAGE_BYTES));
  }

  /** The first of keys that no other file uses: a file has fewer pages than that. */
  reserve(): number {
    this.#files += 1;
    return this.#files * 2 ** 32;
  }

  get(key: number, load: () => Buffer): Buffer {
    const known = this.#pages.get(key);
    const page = known ?? load();
    if (known) this.#pages.delete(key);
    else if (this.#pages.size >= this.#most) this.#pages.delete(this.#pages.keys().next().value!);
    this.#pages.set(key, page);
    return page;
  }
}

/** An open paged file. Reading throws `index_rebuilding` where the file is damaged. */
export class PagedFile {
  readonly facts: Facts;
  readonly bytes: number;
  readonly #file: number;
  readonly #cache: PageCache;
  /** Of all pages of this file in the cache, the lowest key. */
  readonly #firstKey: number;
  readonly #footer: Footer;
  readonly #crcs: Uint32Array;

  /** Opens a file of this kind; throws `index_rebuilding` when it is missing, cut short, damaged or of another version. */
  constructor(path: string, kind: string, cache: PageCache) {
    try {
      this.#file = openSync(path, 'r');
    } catch (cause) {
      throw unusable('missing', cause);
    }
    try {
      this.bytes = fstatSync(this.#file).size;
      ({ footer: this.#footer, crcs: this.#crcs } = readTail(this.#file, this.bytes, kind));
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.facts = this.#footer.facts;
    this.#cache = cache;
    this.#firstKey = cache.reserve();
  }

  /** Where a section begins and how long it is, in bytes. Throws when there is none of this name. */
  section(name: string): { offset: number; bytes: number } {
    const [offset, bytes] = this.#footer.sections[name] ?? [];
    if (offset === undefined || bytes === undefined) throw unusable(`without ${name}`);
    return { offset, bytes };
  }

  /** Bytes of the file; within one page they are the cached ones themselves, not to be written to. */
  read(offset: number, bytes: number): Buffer {
    if (offset < 0 || bytes < 0 || offset + bytes > this.#footer.length) throw unusable('damaged');
    const first = Math.floor(offset / PAGE_BYTES);
    const inside = offset % PAGE_BYTES;
    if (inside + bytes <= PAGE_BYTES) return this.#page(first).subarray(inside, inside + bytes);
    const whole = Buffer.allocUnsafe(bytes);
    for (let done = 0, page = first; done < bytes; page++) {
      const start = page === first ? inside : 0;
      done += this.#page(page).copy(whole, done, start, Math.min(PAGE_BYTES, start + bytes - done));
    }
    return whole;
  }

  /** A whole section. */
  readSection(name: string): Buffer {
    const { offset, bytes } = this.section(name);
    return this.read(offset, bytes);
  }

  /** Reads every page; throws `index_rebuilding` when one is damaged. */
  verify(): void {
    for (let page = 0; page < this.#crcs.length; page++) this.#load(page);
  }

  close(): void {
    closeSync(this.#file);
  }

  #page(number: number): Buffer {
    return this.#cache.get(this.#firstKey + number, () => this.#load(number));
  }

  #load(number: number): Buffer {
    const at = number * PAGE_BYTES;
    const page = readFully(this.#file, at, Math.min(PAGE_BYTES, this.#footer.length - at));
    if (crc32(page) !== this.#crcs[number]) throw unusable('damaged');
    return page;
  }
}

/** Bytes of their own, which begin where any number may: what is lent lies somewhere on a page. */
export function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function readTail(file: number, size: number, kind: string): { footer: Footer; crcs: Uint32Array } {
  if (size < TRAILER) throw unusable('cut short');
  const trailer = readFully(file, size - TRAILER, TRAILER);
  if (!trailer.subarray(0, 8).equals(MAGIC)) throw unusable('cut short');
  if (trailer.readUInt32LE(8) !== VERSION) throw unusable('of another version');
  const footerBytes = trailer.readUInt32LE(12);
  // length + 4 * pages + footer + trailer = size, and pages follow from length.
  const rest = size - TRAILER - footerBytes;
  const pages = Math.ceil(rest / (PAGE_BYTES + 4));
  const start = rest - pages * 4;
  if (start < 0) throw unusable('damaged');
  const tail = readFully(file, start, pages * 4 + footerBytes);
  if (crc32(tail) !== trailer.readUInt32LE(16)) throw unusable('damaged');
  const footer = JSON.parse(tail.toString('utf8', pages * 4)) as Footer;
  if (footer.kind !== kind || footer.length !== start) throw unusable('damaged');
  return { footer, crcs: new Uint32Array(tail.buffer.slice(tail.byteOffset, tail.byteOffset + pages * 4)) };
}

function readFully(file: number, offset: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const read = readSync(file, buffer, at, bytes - at, offset + at);
    if (read === 0) throw unusable('cut short');
    at += read;
  }
  return buffer;
}

function unusable(state: string, cause?: unknown): AppError {
  return new AppError('index_rebuilding', "This project's history is being read again. Try again shortly.", {
    reason: 'damaged_history',
    retryAfter: 5,
    cause: cause ?? new Error(`history file ${state}`),
  });
}
