import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { damaged, encodeHeader, type Facts, padTo8 } from './container.ts';

/**
 * The body of a container that is written once from front to end. Its pages are checked when they are read:
 *
 *     pages    of 16 KiB, the last one shorter: the sections, each at a multiple of 8 bytes
 *     table    u32 crc32 of every page
 *     footer   JSON { length, facts, sections: { name: [offset, bytes] } }, offsets from the start of the pages;
 *              `length` is that of all pages
 *     trailer  u32 bytes of the footer, u32 crc32 of table and footer
 */
export const PAGE_BYTES = 1 << 14;
export const TRAILER_BYTES = 8;
/** Pages that are written together. */
const PAGES_PER_WRITE = 16;
const PADDING = new Uint8Array(8);

export interface Footer {
  length: number;
  facts: Facts;
  sections: Record<string, [offset: number, bytes: number]>;
}

/** Writes a container section by section. `abort` closes it unfinished. */
export class SectionWriter {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(PAGES_PER_WRITE * PAGE_BYTES);
  readonly #checksums: number[] = [];
  readonly #sections: Footer['sections'] = {};
  readonly #headerBytes: number;
  #used = 0;
  #sectionStart = 0;
  /** Bytes of all sections so far. */
  length = 0;

  /** Creates the file. `kind` must be given again when it is read. */
  constructor(path: string, kind: string) {
    this.#file = openSync(path, 'wx', 0o600);
    const header = encodeHeader(kind);
    this.#headerBytes = header.length;
    writeAll(this.#file, header);
  }

  /** Appends bytes to the open section. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + this.#buffer.length - this.#used);
      this.#buffer.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === this.#buffer.length) this.#flush();
    }
    this.length += bytes.length;
  }

  /** Ends the open section; the next one begins. */
  endSection(name: string): void {
    this.#sections[name] = [this.#sectionStart, this.length - this.#sectionStart];
    this.write(PADDING.subarray(0, padTo8(this.length) - this.length));
    this.#sectionStart = this.length;
  }

  /** Completes the file and makes it durable; returns its size in bytes. */
  finish(facts: Facts): number {
    this.#flush();
    const table = Buffer.from(Uint32Array.from(this.#checksums).buffer);
    const end = encodeFooter(table, { length: this.length, facts, sections: this.#sections });
    writeAll(this.#file, end);
    fsyncSync(this.#file);
    closeSync(this.#file);
    return this.#headerBytes + this.length + end.length;
  }

  abort(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
      this.#checksums.push(crc32(bytes.subarray(at, at + PAGE_BYTES)));
    }
    writeAll(this.#file, bytes);
    this.#used = 0;
  }
}

/** All that follows the pages. `table` holds their checksums. */
export function encodeFooter(table: Uint8Array, footer: Footer): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const end = Buffer.concat([table, json, Buffer.alloc(TRAILER_BYTES)]);
  const trailer = end.length - TRAILER_BYTES;
  end.writeUInt32LE(json.length, trailer);
  end.writeUInt32LE(crc32(end.subarray(0, trailer)), trailer + 4);
  return end;
}

/** Sizes of what follows the pages, by the trailer of a file whose pages, table and trailer take `bytes`. */
export function measureFooter(trailer: Buffer, bytes: number): { length: number; tableBytes: number } {
  // pages + 4 * number of pages + footer + trailer = bytes, and their number follows from their length.
  const rest = bytes - TRAILER_BYTES - trailer.readUInt32LE(0);
  const tableBytes = Math.ceil(rest / (PAGE_BYTES + 4)) * 4;
  if (rest < tableBytes) throw damaged('with a damaged footer');
  return { length: rest - tableBytes, tableBytes };
}

/** The footer and the checksums of the pages; throws `index_rebuilding` when they are damaged. */
export function decodeFooter(
  end: Buffer,
  { length, tableBytes }: { length: number; tableBytes: number },
): { footer: Footer; checksums: Uint32Array } {
  const trailer = end.length - TRAILER_BYTES;
  if (crc32(end.subarray(0, trailer)) !== end.readUInt32LE(trailer + 4))
    throw damaged('with a damaged footer');
  const footer = JSON.parse(end.toString('utf8', tableBytes, trailer)) as Footer;
  if (footer.length !== length) throw damaged('with a damaged footer');
  return { footer, checksums: new Uint32Array(new Uint8Array(end.subarray(0, tableBytes)).buffer) };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
