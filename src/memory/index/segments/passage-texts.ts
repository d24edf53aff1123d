import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { addSection, type SectionDraft, type Sections } from '../../bytes/sections.ts';

/**
 * The texts of a code segment's passages, so that results are shown without reading whole files from git:
 *
 *     file                 the concatenated texts in blocks, each compressed separately with a checksum
 *     texts.starts   u32   start of each passage in the uncompressed texts in bytes, and the end of the last one
 *     texts.blocks   u32   offset of each block in the file, and the end of the last one
 *
 * The two sections are part of the segment. An empty passage is one whose text is not stored.
 */
const BLOCK_BYTES = 1 << 12;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** One output buffer for a whole block. */
const DECOMPRESSION = { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES };
/** Offsets in the texts have 32 bits; what lies beyond is read from git. */
const MAX_OFFSET = 2 ** 32 - 1;

/** Path of the texts beside a segment. */
export const passageTextsPath = (segment: string) => `${segment}.texts`;

/** Writes texts to a file, which is created with the first full block. */
export class PassageTextWriter {
  readonly #path: string;
  #file: number | null = null;
  readonly #buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  /** Bytes of all texts, and of all blocks. */
  #length = 0;
  #compressed = 0;
  readonly #starts = new ChunkedUint32Array();
  readonly #blocks = new ChunkedUint32Array();

  constructor(path: string) {
    this.#path = path;
  }

  /** Size of the file so far. */
  get compressedBytes(): number {
    return this.#compressed;
  }

  /** Adds the text of the next passage. */
  add(text: string): void {
    this.#starts.push(this.#length);
    const bytes = Buffer.from(text);
    if (this.#length + bytes.length > MAX_OFFSET) return;
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.#buffer, this.#used, at);
      this.#used += copied;
      at += copied;
      if (this.#used === BLOCK_BYTES) this.#flush();
    }
  }

  /** Makes the file durable and adds its sections to the segment. */
  finish(draft: SectionDraft): void {
    this.#flush();
    this.#starts.push(this.#length);
    this.#blocks.push(this.#compressed);
    addSection(draft, 'texts.starts', this.#starts);
    addSection(draft, 'texts.blocks', this.#blocks);
    fsyncSync(this.#openFile());
    this.close();
  }

  /** Closes the file, finished or not. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #openFile(): number {
    this.#file ??= openSync(this.#path, 'wx', 0o600);
    return this.#file;
  }

  #flush(): void {
    if (this.#used === 0) return;
    this.#blocks.push(this.#compressed);
    const block = zstdCompressSync(this.#buffer.subarray(0, this.#used), COMPRESSION);
    for (let at = 0; at < block.length; ) at += writeSync(this.#openFile(), block, at);
    this.#compressed += block.length;
    this.#used = 0;
  }
}

/** Reads the text of a passage; null when it is not stored or its file has been removed, and must be read from git. */
export type ReadPassageText = (passage: number) => string | null;

/** Opens the texts that `PassageTextWriter` wrote to `path`; null for a segment that was never written to a file. */
export function openPassageTexts(segment: Sections, path: string | null): ReadPassageText {
  if (path === null) return () => null;
  const starts = segment.u32('texts.starts');
  const offsets = segment.u32('texts.blocks');
  /** The last block that was read: the passages of a file follow one another. */
  let last: { number: number; bytes: Buffer } | null = null;
  const blockAt = (number: number) => {
    if (last?.number !== number) {
      last = { number, bytes: readBlock(path, offsets[number]!, offsets[number + 1]!) };
    }
    return last.bytes;
  };
  return (passage) => {
    const [from, to] = [starts[passage]!, starts[passage + 1]!];
    if (from === to) return null;
    try {
      const parts: Buffer[] = [];
      for (let number = Math.floor(from / BLOCK_BYTES); number * BLOCK_BYTES < to; number++) {
        const start = number * BLOCK_BYTES;
        parts.push(blockAt(number).subarray(Math.max(0, from - start), to - start));
      }
      return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
    } catch {
      // Replaced generations are removed while an open index of them may still be in use.
      return null;
    }
  };
}

/** Buffer that compressed blocks, none of them longer, are read into: one for each would cause frequent garbage collection. */
const readBuffer = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES);

/** Reads and decompresses the block between two offsets of the file. */
function readBlock(path: string, start: number, end: number): Buffer {
  const compressed = readBuffer.subarray(0, end - start);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < compressed.length; ) {
      const read = readSync(file, compressed, at, compressed.length - at, start + at);
      if (read === 0) throw new Error('cut short');
      at += read;
    }
  } finally {
    closeSync(file);
  }
  return zstdDecompressSync(compressed, DECOMPRESSION);
}
