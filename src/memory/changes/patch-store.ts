import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { upperBound } from '../bytes/binary-search.ts';
import type { SectionFile } from '../bytes/section-file.ts';
import type { SectionWriter } from '../bytes/section-writer.ts';
import { asBytes } from '../bytes/sections.ts';

/** Bytes of patches that are compressed together: the unit of a read. A third of it takes a twelfth more space. */
const BLOCK_BYTES = 3 << 16;
/** Takes nearly three times the time of the default level for an eighth less space; git takes longer than both. */
const COMPRESSION_LEVEL = 9;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL } };
/** Decompressed blocks that a thread caches: consecutive lookups often hit the same one. */
const MAX_CACHED_BLOCKS = 12;
/** Bytes of patches that it caches, and of one patch: a block is decompressed in a hundredth of the time of a large one. */
const PATCH_CACHE_BYTES = 8 * 2 ** 20;
const MAX_CACHED_PATCH_BYTES = 1 << 18;
/** Bytes of one commit's patch that are read. */
const MAX_PATCH_BYTES = 16 * 2 ** 20;
const LF = 10;
/** One output buffer for a whole block: many small ones take a quarter longer. */
const DECOMPRESSION = { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES };

/**
 * The patches of all commits, concatenated and cut into separately compressed blocks:
 *
 *     patches       the compressed blocks
 *     patchBlocks   f64 start of each block in the uncompressed patches, and the end of the last one
 *     patchOffsets  f64 its start in `patches`, and the end of the last one
 *     patchHunks    u32 number of hunks of the change block that started before each block
 *     patchStarts   f64 start of each commit's patch in the uncompressed patches
 */
export class PatchWriter {
  readonly #open = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #length = 0;
  readonly #blocks: Uint8Array[] = [];
  readonly #blockStarts: number[] = [];
  readonly #patchStarts: number[] = [];
  readonly #blockHunks: number[] = [];
  #hunks = 0;
  /** Hunks that had started before the open block. */
  #hunksBefore = 0;

  /** Uncompressed bytes of all patches so far. */
  get length(): number {
    return this.#length + this.#used;
  }

  /** Starts the patch of the next commit. */
  begin(): void {
    this.#patchStarts.push(this.#length + this.#used);
  }

  /** Starts a hunk of the index; its first line follows. */
  beginHunk(): void {
    this.#hunks++;
  }

  /** Appends a line, given without its line feed. */
  append(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const copied = bytes.copy(this.#open, this.#used, at, to);
      this.#used += copied;
      at += copied;
      if (this.#used === BLOCK_BYTES) this.#compress();
    }
    this.#open[this.#used++] = LF;
    if (this.#used === BLOCK_BYTES) this.#compress();
  }

  /** Writes all patches to `file`. */
  write(file: SectionWriter): void {
    this.#compress();
    writePatches(file, [
      {
        blocks: this.#blocks,
        blockStarts: this.#blockStarts,
        length: this.#length,
        patchStarts: this.#patchStarts,
        blockHunks: this.#blockHunks,
        hunks: this.#hunks,
      },
    ]);
  }

  #compress(): void {
    if (this.#used === 0) return;
    this.#blockStarts.push(this.#length);
    this.#blockHunks.push(this.#hunksBefore);
    this.#hunksBefore = this.#hunks;
    this.#blocks.push(zstdCompressSync(this.#open.subarray(0, this.#used), COMPRESSION));
    this.#length += this.#used;
    this.#used = 0;
  }
}

/** Compressed blocks, and the starts of blocks and of the commits' patches in the uncompressed patches. */
interface CompressedPatches {
  blocks: Iterable<Uint8Array>;
  blockStarts: Iterable<number>;
  /** Uncompressed bytes of all patches. */
  length: number;
  patchStarts: Iterable<number>;
  /** Hunks that started before each block. */
  blockHunks: Iterable<number>;
}

/** Concatenates patches of several change blocks without decompressing them. */
export function writePatches(
  file: SectionWriter,
  sources: Iterable<CompressedPatches & { hunks: number }>,
): void {
  const [blockStarts, blockOffsets, patchStarts]: [number[], number[], number[]] = [[], [], []];
  const blockHunks: number[] = [];
  let [length, offset, hunks] = [0, 0, 0];
  for (const source of sources) {
    for (const block of source.blocks) {
      file.write(block);
      blockOffsets.push(offset);
      offset += block.length;
    }
    for (const start of source.blockStarts) blockStarts.push(length + start);
    for (const start of source.patchStarts) patchStarts.push(length + start);
    for (const started of source.blockHunks) blockHunks.push(hunks + started);
    length += source.length;
    hunks += source.hunks;
  }
  file.endSection('patches');
  for (const [name, numbers] of [
    ['patchBlocks', [...blockStarts, length]],
    ['patchOffsets', [...blockOffsets, offset]],
    ['patchStarts', patchStarts],
  ] as const) {
    file.write(asBytes(Float64Array.from(numbers)));
    file.endSection(name);
  }
  file.write(asBytes(Uint32Array.from(blockHunks)));
  file.endSection('patchHunks');
}

/** Patches of an open block. Throws `index_rebuilding` where the file is damaged. */
export class PatchReader {
  readonly #file: SectionFile;
  readonly #sectionOffset: number;
  readonly #blockStarts: Float64Array;
  readonly #blockOffsets: Float64Array;
  readonly #patchStarts: Float64Array;
  /** Null in a file that was written before they were stored. */
  readonly #blockHunks: Uint32Array | null;
  readonly #blocks = new LRUCache<number, Buffer>({ max: MAX_CACHED_BLOCKS });
  /** Patches that were read last: an answer reads some more than once, and so does the next one. */
  readonly #patches = new LRUCache<number, Buffer>({
    maxSize: PATCH_CACHE_BYTES,
    maxEntrySize: MAX_CACHED_PATCH_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(file: SectionFile) {
    this.#file = file;
    this.#sectionOffset = file.section('patches').offset;
    this.#blockStarts = file.readF64('patchBlocks');
    this.#blockOffsets = file.readF64('patchOffsets');
    this.#patchStarts = file.readF64('patchStarts');
    this.#blockHunks = file.sectionNames.includes('patchHunks') ? file.readU32('patchHunks') : null;
  }

  /** The patch of a commit of the block as git shows it, without what was skipped; of a huge one the beginning. */
  patch(commit: number): Buffer {
    const cached = this.#patches.get(commit);
    if (cached) return cached;
    const patch = this.#readPatch(commit);
    // A copy: a part of a block keeps the whole block alive.
    if (patch.length < MAX_CACHED_PATCH_BYTES) this.#patches.set(commit, Buffer.from(patch));
    return patch;
  }

  /** A part of a commit's patch that has all changed lines of this hunk of the block: of a large patch, few blocks. */
  hunkBytes(commit: number, hunk: number): Buffer {
    const { start, end } = this.#rangeOf(commit);
    if (this.#blockHunks === null || end - start < MAX_CACHED_PATCH_BYTES) return this.patch(commit);
    const first = Math.max(0, upperBound(this.#blockHunks, hunk) - 1);
    const last = upperBound(this.#blockHunks, hunk + 1) - 1;
    return this.#readRange(
      Math.max(start, this.#blockStarts[first]!),
      Math.min(end, this.#blockStarts[last + 1]!),
    );
  }

  #readPatch(commit: number): Buffer {
    const { start, end } = this.#rangeOf(commit);
    return this.#readRange(start, Math.min(end, start + MAX_PATCH_BYTES));
  }

  #rangeOf(commit: number): { start: number; end: number } {
    const [start = 0, end = this.#blockStarts.at(-1)!] = this.#patchStarts.subarray(commit, commit + 2);
    return { start, end };
  }

  #readRange(start: number, end: number): Buffer {
    const parts: Buffer[] = [];
    for (
      let block = Math.max(0, upperBound(this.#blockStarts, start) - 1);
      this.#blockStarts[block]! < end;
      block++
    ) {
      const first = this.#blockStarts[block]!;
      parts.push(this.#decompress(block).subarray(Math.max(0, start - first), end - first));
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** All patches as they are stored, for a block that this one is merged into. */
  compressed(): CompressedPatches {
    const count = this.#blockOffsets.length - 1;
    return {
      blocks: Array.from({ length: count })
        .keys()
        .map((block) => this.#readBlock(block)),
      blockStarts: this.#blockStarts.subarray(0, count),
      length: this.#blockStarts.at(-1)!,
      patchStarts: this.#patchStarts,
      blockHunks: this.#blockHunks ?? [],
    };
  }

  #decompress(block: number): Buffer {
    const cached = this.#blocks.get(block);
    if (cached) return cached;
    const bytes = zstdDecompressSync(this.#readBlock(block), DECOMPRESSION);
    this.#blocks.set(block, bytes);
    return bytes;
  }

  #readBlock(block: number): Buffer {
    const [from, to] = [this.#blockOffsets[block]!, this.#blockOffsets[block + 1]!];
    return this.#file.readUncached(this.#sectionOffset + from, to - from);
  }
}
