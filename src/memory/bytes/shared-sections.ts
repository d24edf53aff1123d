import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { yieldIfDue } from '#scheduling/yield.ts';
import {
  bodyOffsetOf,
  damaged,
  decodeHeader,
  encodeHeader,
  PREAMBLE_BYTES,
  padTo8,
  requireLittleEndian,
} from './container.ts';
import {
  decodeFooter,
  encodeFooter,
  type Footer,
  measureFooter,
  PAGE_BYTES,
  TRAILER_BYTES,
} from './section-writer.ts';
import { asBytes, createSections, type SectionDraft, type Sections } from './sections.ts';

/** A container that lies in shared memory as a whole: any thread that holds the buffer can read it. */
interface SharedSections extends Sections {
  readonly buffer: SharedArrayBuffer;
}

/** Reads of 2 GiB and more fail in Node. */
const MAX_READ_BYTES = 1 << 30;

/** Reads a whole container into shared memory and checks all of it. Throws `index_rebuilding` if it can't be used. */
export async function readSharedSections(path: string, kind: string): Promise<SharedSections> {
  requireLittleEndian();
  const buffer = await readFile(path);
  const bytes = Buffer.from(buffer);
  const bodyOffset = bodyOffsetOf(bytes);
  decodeHeader(bytes.subarray(0, bodyOffset), kind);
  if (bytes.length < bodyOffset + TRAILER_BYTES) throw damaged('truncated');
  const body = bytes.subarray(bodyOffset);
  const sizes = measureFooter(body.subarray(-TRAILER_BYTES), body.length);
  const { footer, checksums } = decodeFooter(body.subarray(sizes.length), sizes);
  for (const [page, checksum] of checksums.entries()) {
    const at = page * PAGE_BYTES;
    if (crc32(body.subarray(at, Math.min(at + PAGE_BYTES, footer.length))) !== checksum)
      throw damaged('with a damaged page');
    await yieldIfDue();
  }
  return viewFooter(buffer, bodyOffset, footer);
}

async function readFile(path: string): Promise<SharedArrayBuffer> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (cause) {
    throw damaged('missing', cause);
  }
  try {
    const { size } = await file.stat();
    const buffer = new SharedArrayBuffer(size);
    for (let at = 0; at < size; ) {
      const part = new Uint8Array(buffer, at, Math.min(size - at, MAX_READ_BYTES));
      const { bytesRead } = await file.read(part, 0, part.length, at);
      if (bytesRead === 0) throw damaged('truncated');
      at += bytesRead;
    }
    return buffer;
  } finally {
    await file.close();
  }
}

/** The sections of a buffer that `readSharedSections` or `toSharedSections` made, in any thread. */
export function viewSharedSections(buffer: SharedArrayBuffer): SharedSections {
  const bytes = Buffer.from(buffer);
  const bodyOffset = PREAMBLE_BYTES + bytes.readUInt32LE(12);
  const trailer = bytes.length - TRAILER_BYTES;
  const footerStart = trailer - bytes.readUInt32LE(trailer);
  return viewFooter(buffer, bodyOffset, JSON.parse(bytes.toString('utf8', footerStart, trailer)) as Footer);
}

function viewFooter(
  buffer: SharedArrayBuffer,
  bodyOffset: number,
  { facts, sections }: Footer,
): SharedSections {
  const bytesOf = (name: string) => {
    const [offset, bytes] = sections[name] ?? [];
    return offset === undefined ? undefined : new Uint8Array(buffer, bodyOffset + offset, bytes);
  };
  return { buffer, ...createSections(facts, bytesOf) };
}

/** A draft as the buffer of its container, without checksums of pages: it never reaches a disk. */
export function toSharedSections(kind: string, { sections, facts }: SectionDraft): SharedArrayBuffer {
  const places: Footer['sections'] = {};
  let length = 0;
  for (const [name, chunks] of sections) {
    const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
    places[name] = [length, bytes];
    length += padTo8(bytes);
  }
  const header = encodeHeader(kind);
  const end = encodeFooter(new Uint8Array(0), { length, facts, sections: places });
  const buffer = new SharedArrayBuffer(header.length + length + end.length);
  const target = new Uint8Array(buffer);
  target.set(header);
  for (const [name, chunks] of sections) {
    let at = header.length + places[name]![0];
    for (const chunk of chunks) {
      target.set(asBytes(chunk), at);
      at += chunk.byteLength;
    }
  }
  target.set(end, header.length + length);
  return buffer;
}
