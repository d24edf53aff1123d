import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import {
  bodyOffsetOf,
  damaged,
  decodeHeader,
  type Facts,
  PREAMBLE_BYTES,
  requireLittleEndian,
} from './container.ts';
import { decodeFooter, type Footer, measureFooter, PAGE_BYTES, TRAILER_BYTES } from './section-writer.ts';
import { createDraft, createSections, type SectionDraft, type Sections } from './sections.ts';

/** Pages of several files, the least recently used ones evicted beyond a number of bytes. */
export class PageCache {
  readonly #pages: LRUCache<number, Buffer>;
  #files = 0;

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({ max: Math.max(1, Math.floor(maxBytes / PAGE_BYTES)) });
  }

  /** The first of 2^32 keys that no other file uses. */
  reserveKeys(): number {
    this.#files += 1;
    return this.#files * 2 ** 32;
  }

  get(key: number, load: () => Buffer): Buffer {
    const cached = this.#pages.get(key);
    if (cached) return cached;
    const page = load();
    this.#pages.set(key, page);
    return page;
  }
}

/** An open container that is read page by page. Reading throws `index_rebuilding` where the file is damaged. */
export class SectionFile {
  readonly facts: Facts;
  readonly bytes: number;
  readonly #file: number;
  readonly #cache: PageCache;
  /** The lowest key of this file's pages in the cache. */
  readonly #firstKey: number;
  readonly #bodyOffset: number;
  readonly #footer: Footer;
  readonly #checksums: Uint32Array;

  /** Opens a file of this kind; throws `index_rebuilding` when it is missing, truncated, damaged or of another version. */
  constructor(path: string, kind: string, cache: PageCache) {
    requireLittleEndian();
    try {
      this.#file = openSync(path, 'r');
    } catch (cause) {
      throw damaged('missing', cause);
    }
    try {
      this.bytes = fstatSync(this.#file).size;
      this.#bodyOffset = this.#readHeader(kind);
      ({ footer: this.#footer, checksums: this.#checksums } = this.#readFooter());
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
    this.facts = this.#footer.facts;
    this.#cache = cache;
    this.#firstKey = cache.reserveKeys();
  }

  get sectionNames(): string[] {
    return Object.keys(this.#footer.sections);
  }

  /** Offset and size of a section in bytes. Throws `index_rebuilding` when there is none of this name. */
  section(name: string): { offset: number; bytes: number } {
    const [offset, bytes] = this.#footer.sections[name] ?? [];
    if (offset === undefined || bytes === undefined) throw damaged(`without section ${name}`);
    return { offset, bytes };
  }

  /** Bytes of the file; those within one page are the cached page itself and must not be written to. */
  read(offset: number, bytes: number): Buffer {
    this.#checkRange(offset, bytes);
    // An empty section may stand at the end, where no page follows.
    if (bytes === 0) return Buffer.alloc(0);
    const first = Math.floor(offset / PAGE_BYTES);
    const inPage = offset % PAGE_BYTES;
    if (inPage + bytes <= PAGE_BYTES) return this.#page(first).subarray(inPage, inPage + bytes);
    const copy = Buffer.allocUnsafeSlow(bytes);
    for (let done = 0, page = first; done < bytes; page++) {
      const start = page === first ? inPage : 0;
      done += this.#page(page).copy(copy, done, start, Math.min(PAGE_BYTES, start + bytes - done));
    }
    return copy;
  }

  /** Bytes that the caller caches in another form: read at once, which takes half the time, and not cached. */
  readUncached(offset: number, bytes: number): Buffer {
    this.#checkRange(offset, bytes);
    const first = Math.floor(offset / PAGE_BYTES);
    const start = first * PAGE_BYTES;
    const end = Math.min(this.#footer.length, Math.ceil((offset + bytes) / PAGE_BYTES) * PAGE_BYTES);
    const pages = this.#readBytes(this.#bodyOffset + start, end - start);
    for (let page = first, at = 0; at < pages.length; page++, at += PAGE_BYTES)
      this.#checkPage(page, pages.subarray(at, at + PAGE_BYTES));
    return pages.subarray(offset - start, offset - start + bytes);
  }

  /** Bytes of a section, valid as those of `read`. */
  readSection(name: string): Buffer {
    const { offset, bytes } = this.section(name);
    return this.read(offset, bytes);
  }

  /** Copies of sections as numbers, which are aligned wherever they lie in the file. */
  readU32(name: string): Uint32Array {
    return new Uint32Array(copyBytes(this.readSection(name)).buffer);
  }

  readF64(name: string): Float64Array {
    return new Float64Array(copyBytes(this.readSection(name)).buffer);
  }

  /** Reads and checks every page; throws `index_rebuilding` when one is damaged. */
  verify(): void {
    for (let page = 0; page < this.#checksums.length; page++) this.#load(page);
  }

  close(): void {
    closeSync(this.#file);
  }

  #page(number: number): Buffer {
    return this.#cache.get(this.#firstKey + number, () => this.#load(number));
  }

  #load(number: number): Buffer {
    const at = number * PAGE_BYTES;
    const page = this.#readBytes(this.#bodyOffset + at, Math.min(PAGE_BYTES, this.#footer.length - at));
    this.#checkPage(number, page);
    return page;
  }

  #checkRange(offset: number, bytes: number): void {
    if (offset < 0 || bytes < 0 || offset + bytes > this.#footer.length)
      throw damaged('with a damaged offset');
  }

  #checkPage(number: number, page: Buffer): void {
    if (crc32(page) !== this.#checksums[number]) throw damaged('with a damaged page');
  }

  #readHeader(kind: string): number {
    if (this.bytes < PREAMBLE_BYTES + TRAILER_BYTES) throw damaged('truncated');
    const bodyOffset = bodyOffsetOf(this.#readBytes(0, PREAMBLE_BYTES));
    if (bodyOffset + TRAILER_BYTES > this.bytes) throw damaged('truncated');
    decodeHeader(this.#readBytes(0, bodyOffset), kind);
    return bodyOffset;
  }

  #readFooter() {
    const trailer = this.#readBytes(this.bytes - TRAILER_BYTES, TRAILER_BYTES);
    const sizes = measureFooter(trailer, this.bytes - this.#bodyOffset);
    const start = this.#bodyOffset + sizes.length;
    return decodeFooter(this.#readBytes(start, this.bytes - start), sizes);
  }

  #readBytes(offset: number, bytes: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    for (let at = 0; at < bytes; ) {
      const read = readSync(this.#file, buffer, at, bytes - at, offset + at);
      if (read === 0) throw damaged('truncated');
      at += read;
    }
    return buffer;
  }
}

/** Reads some sections of a container into memory of their own. Throws `index_rebuilding` if they can't be used. */
export function readSections(path: string, kind: string, names: readonly string[]): Sections {
  const file = new SectionFile(path, kind, new PageCache(PAGE_BYTES));
  try {
    const wanted = new Map(names.map((name) => [name, copyBytes(file.readSection(name))]));
    return createSections(file.facts, (name) => wanted.get(name));
  } finally {
    file.close();
  }
}

/** Reads a whole container as a draft, of which sections may be replaced. Throws `index_rebuilding` if it can't be used. */
export function readDraft(path: string, kind: string): SectionDraft {
  const file = new SectionFile(path, kind, new PageCache(PAGE_BYTES));
  try {
    const draft = createDraft();
    Object.assign(draft.facts, file.facts);
    for (const name of file.sectionNames) draft.sections.set(name, [copyBytes(file.readSection(name))]);
    return draft;
  } finally {
    file.close();
  }
}

function copyBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
