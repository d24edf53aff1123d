import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32, zstdDecompressSync } from 'node:zlib';
import { ChunkedUint32Array } from '../../bytes/chunked-arrays.ts';
import { addSection, type SectionDraft, type Sections } from '../../bytes/sections.ts';

/**
 * The texts of a code segment's passages, so that they are searched and shown without reading whole files from git:
 *
 *     file                 the concatenated texts in blocks, each followed by its checksum (u32 crc32)
 *     texts.starts   u32   start of each passage in the texts in bytes, and the end of the last one
 *     texts.blocks   u32   offset of each block in the file, and the end of the last one
 *
 * The two sections are part of the segment. An empty passage is one whose text is not stored. Older files hold blocks
 * compressed by zstd, which are shorter than their content.
 */
const BLOCK_BYTES = 1 << 12;
const CHECKSUM_BYTES = 4;
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
  readonly #buffer = Buffer.allocUnsafe(BLOCK_BYTES + CHECKSUM_BYTES);
  #used = 0;
  /** Bytes of all texts, and of all blocks. */
  #length = 0;
  #written = 0;
  readonly #starts = new ChunkedUint32Array();
  readonly #blocks = new ChunkedUint32Array();

  constructor(path: string) {
    this.#path = path;
  }

  /** Size of the file so far. */
  get writtenBytes(): number {
    return this.#written;
  }

  /** Adds the text of the next passage. */
  add(text: string): void {
    this.#starts.push(this.#length);
    const bytes = Buffer.from(text);
    if (this.#length + bytes.length > MAX_OFFSET) return;
    this.#length += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.#buffer, this.#used, at, at + BLOCK_BYTES - this.#used);
      this.#used += copied;
      at += copied;
      if (this.#used === BLOCK_BYTES) this.#flush();
    }
  }

  /** Makes the file durable and adds its sections to the segment. */
  finish(draft: SectionDraft): void {
    this.#flush();
    this.#starts.push(this.#length);
    this.#blocks.push(this.#written);
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
    this.#blocks.push(this.#written);
    const end = this.#buffer.writeUInt32LE(crc32(this.#buffer.subarray(0, this.#used)), this.#used);
    for (let at = 0; at < end; ) at += writeSync(this.#openFile(), this.#buffer, at, end - at);
    this.#written += end;
    this.#used = 0;
  }
}

/**
 * Reads the concatenated texts of consecutive passages; null when one is not stored or the file has been removed, so that
 * they must be read from git. The bytes are valid until the next read of this thread.
 */
export type ReadPassages = (first: number, count: number) => Buffer | null;

/** Opens the texts that `PassageTextWriter` wrote to `path`; null for a segment that was never written to a file. */
export function openPassageTexts(segment: Sections, path: string | null): ReadPassages {
  if (path === null) return () => null;
  const starts = segment.u32('texts.starts');
  const offsets = segment.u32('texts.blocks');
  /** 1 for blocks whose checksum this thread has verified: it takes as long as searching them. */
  const verified = new Uint8Array(offsets.length);
  const firstKey = blockCache.reserveKeys(offsets.length);
  const readBlocks = (first: number, end: number): Buffer => {
    const stored = readFromFile(path, offsets[first]!, offsets[end]!);
    const texts = reserve('texts', (end - first) * BLOCK_BYTES);
    for (let block = first; block < end; block++) {
      const [from, to] = [offsets[block]! - offsets[first]!, offsets[block + 1]! - offsets[first]!];
      const content = unpackBlock(stored.subarray(from, to), verified[block] === 1);
      content.copy(texts, (block - first) * BLOCK_BYTES);
      verified[block] = 1;
    }
    return texts;
  };
  const readBlock = (block: number): Buffer =>
    blockCache.get(firstKey + block) ?? blockCache.set(firstKey + block, readBlocks(block, block + 1));
  return (first, count) => {
    for (let passage = first; passage < first + count; passage++)
      if (starts[passage] === starts[passage + 1]) return null;
    const [from, to] = [starts[first]!, starts[first + count]!];
    const [firstBlock, endBlock] = [Math.floor(from / BLOCK_BYTES), Math.ceil(to / BLOCK_BYTES)];
    const skipped = firstBlock * BLOCK_BYTES;
    try {
      const texts =
        endBlock - firstBlock > MAX_CACHED_RUN
          ? readBlocks(firstBlock, endBlock)
          : joinBlocks(firstBlock, endBlock, readBlock);
      return texts.subarray(from - skipped, to - skipped);
    } catch {
      // Replaced generations are removed while an open index of them may still be in use.
      return null;
    }
  };
}

/** Longer runs of blocks, as a search of all lines reads them, would displace those of the passages that are shown. */
const MAX_CACHED_RUN = 4;
/** 8 MB for each thread. */
const CACHED_BLOCKS = 1 << 11;

/** Unpacked blocks that this thread has read last. Each has one possible slot, which costs less to find than the oldest one. */
const blockCache = {
  keys: new Float64Array(CACHED_BLOCKS).fill(-1),
  blocks: null as Buffer | null,
  nextKey: 0,
  /** Returns the first of so many keys that no other file has. */
  reserveKeys(count: number): number {
    this.nextKey += count;
    return this.nextKey - count;
  },
  get(key: number): Buffer | undefined {
    const slot = key % CACHED_BLOCKS;
    if (this.keys[slot] !== key) return undefined;
    return this.blocks!.subarray(slot * BLOCK_BYTES, (slot + 1) * BLOCK_BYTES);
  },
  set(key: number, block: Buffer): Buffer {
    this.blocks ??= Buffer.allocUnsafeSlow(CACHED_BLOCKS * BLOCK_BYTES);
    const slot = key % CACHED_BLOCKS;
    block.copy(this.blocks, slot * BLOCK_BYTES);
    this.keys[slot] = key;
    return block;
  },
};

function joinBlocks(first: number, end: number, read: (block: number) => Buffer): Buffer {
  if (end - first === 1) return read(first);
  const joined = reserve('joined', (end - first) * BLOCK_BYTES);
  for (let block = first; block < end; block++) read(block).copy(joined, (block - first) * BLOCK_BYTES);
  return joined;
}

/** Buffers that are read into: new ones for each read would cause frequent garbage collection. */
const buffers = {
  stored: Buffer.allocUnsafeSlow(1 << 18),
  texts: Buffer.allocUnsafeSlow(1 << 18),
  joined: Buffer.allocUnsafeSlow(MAX_CACHED_RUN * BLOCK_BYTES),
};

function reserve(name: keyof typeof buffers, bytes: number): Buffer {
  if (bytes > buffers[name].length) buffers[name] = Buffer.allocUnsafeSlow(2 * bytes);
  return buffers[name].subarray(0, bytes);
}

function readFromFile(path: string, start: number, end: number): Buffer {
  const stored = reserve('stored', end - start);
  const file = openForTurn(path);
  for (let at = 0; at < stored.length; ) {
    const read = readSync(file, stored, at, stored.length - at, start + at);
    if (read === 0) throw new Error('cut short');
    at += read;
  }
  return stored;
}

/** The file that was opened last, until the current turn of the event loop lets microtasks run. */
let openFile: { path: string; file: number } | null = null;

/** Opens a file, or returns it where the same synchronous code has read from it: most reads come in runs. */
function openForTurn(path: string): number {
  if (openFile?.path === path) return openFile.file;
  const file = openSync(path, 'r');
  if (openFile === null) queueMicrotask(closeOpenFile);
  else closeSync(openFile.file);
  openFile = { path, file };
  return file;
}

function closeOpenFile(): void {
  if (openFile !== null) closeSync(openFile.file);
  openFile = null;
}

const ZSTD_MAGIC = 0xfd2fb528;

/** The content of a stored block. Throws for a damaged one. */
function unpackBlock(stored: Buffer, isVerified: boolean): Buffer {
  if (stored.readUInt32LE(0) === ZSTD_MAGIC) return zstdDecompressSync(stored, DECOMPRESSION);
  const length = stored.length - CHECKSUM_BYTES;
  const content = stored.subarray(0, length);
  if (!isVerified && crc32(content) !== stored.readUInt32LE(length)) throw new Error('damaged');
  return content;
}
