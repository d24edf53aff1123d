import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { addSection, type Draft, type ShardFile } from '../../bytes/container.ts';

/**
 * The texts of a code segment's passages, so that what is found can be shown without asking git for whole files:
 *
 *     file                 pieces, each packed for itself with its checksum
 *     texts.starts   u32   where each passage begins in the texts as they were, in bytes, and where the last one ends
 *     texts.pieces   u32   where each piece begins in the file, and where the last one ends
 *
 * The two sections lie in the segment. A passage of no bytes is one whose text is not kept.
 */
const BLOCK_BYTES = 1 << 12;
const COMPRESSION = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** Room for a whole piece at once. */
const DECOMPRESSION = { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES };
/** Places in the texts are kept in 32 bits; what lies beyond is asked of git. */
const MAX_OFFSET = 2 ** 32 - 1;

/** Where the texts of a segment lie: beside it. */
export const passageTextsPath = (segment: string) => `${segment}.texts`;

/** Writes texts into a new file, which is there once the first piece is full. */
export class PassageTextWriter {
  readonly #path: string;
  #file: number | null = null;
  readonly #open = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  /** Bytes of all texts, and of all pieces. */
  #length = 0;
  #packed = 0;
  readonly #starts = new ChunkedUint32Array();
  readonly #pieces = new ChunkedUint32Array();

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes of the file so far. */
  get compressedBytes(): number {
    return this.#packed;
  }

  /** Adds the text of the next passage. */
  add(text: string): void {
    this.#starts.push(this.#length);
    const bytes = Buffer.from(text);
    if (this.#length + bytes.length > MAX_OFFSET) return;
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.#open, this.#used, at);
      this.#used += copied;
      at += copied;
      if (this.#used === BLOCK_BYTES) this.#pack();
    }
  }

  /** Makes the file durable and adds what is needed to read it. */
  finish(draft: Draft): void {
    this.#pack();
    this.#starts.push(this.#length);
    this.#pieces.push(this.#packed);
    addSection(draft, 'texts.starts', this.#starts);
    addSection(draft, 'texts.pieces', this.#pieces);
    fsyncSync(this.#written());
    this.close();
  }

  /** Closes the file, finished or not. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #written(): number {
    this.#file ??= openSync(this.#path, 'wx', 0o600);
    return this.#file;
  }

  #pack(): void {
    if (this.#used === 0) return;
    this.#pieces.push(this.#packed);
    const piece = zstdCompressSync(this.#open.subarray(0, this.#used), COMPRESSION);
    for (let at = 0; at < piece.length; ) at += writeSync(this.#written(), piece, at);
    this.#packed += piece.length;
    this.#used = 0;
  }
}

/** The text of a passage of the segment, or null when it is not kept or can't be read any more: git has it. */
export type ReadPassageText = (passage: number) => string | null;

/** Opens the texts that `TextsWriter` wrote to `path`; null for a segment that was never written to a file. */
export function openPassageTexts(segment: ShardFile, path: string | null): ReadPassageText {
  if (path === null) return () => null;
  const starts = segment.u32('texts.starts');
  const places = segment.u32('texts.pieces');
  /** The last piece that was read: the passages of a file follow one another. */
  let last: { number: number; bytes: Buffer } | null = null;
  const pieceOf = (number: number) => {
    if (last?.number !== number) {
      last = { number, bytes: readBlock(path, places[number]!, places[number + 1]!) };
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
        parts.push(pieceOf(number).subarray(Math.max(0, from - start), to - start));
      }
      return (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
    } catch {
      // Generations that were replaced are removed while a memory of them may still be in use.
      return null;
    }
  };
}

/** Where packed pieces are read to, none of them longer: new room for each would soon call for a collection of all garbage. */
const readBuffer = Buffer.allocUnsafeSlow(2 * BLOCK_BYTES);

/** A piece that lies between two places of the file, unpacked. */
function readBlock(path: string, start: number, end: number): Buffer {
  const packed = readBuffer.subarray(0, end - start);
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < packed.length; ) {
      const read = readSync(file, packed, at, packed.length - at, start + at);
      if (read === 0) throw new Error('cut short');
      at += read;
    }
  } finally {
    closeSync(file);
  }
  return zstdDecompressSync(packed, DECOMPRESSION);
}
