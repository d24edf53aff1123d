import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type PagedFile, type PagedWriter, toArrayBuffer } from '../bytes/paged-file.ts';

/** Bytes of patches that are packed together: what is unpacked to read one commit. A third of it takes a twelfth more. */
const BLOCK_BYTES = 3 << 16;
/** Two and a half times the time of the usual level for a ninth less; git takes longer than both. */
const COMPRESSION_LEVEL = 8;
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL } };
/** Pieces that a thread keeps of a block: commits that are asked for one after the other often lie in one. */
const MAX_CACHED_BLOCKS = 12;
/** Bytes of patches that it keeps, and the most of one: a piece is unpacked for a hundredth of it. */
const PATCH_CACHE_BYTES = 8 * 2 ** 20;
const MAX_CACHED_PATCH_BYTES = 1 << 18;
/** Patches of one commit that are read, in bytes. */
const MAX_PATCH_BYTES = 16 * 2 ** 20;
/** Room for a whole piece at once: put together from small ones it takes a quarter longer. */
const DECOMPRESSION = { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES };

/**
 * The patches of a block's commits, one behind the other, in pieces that are packed each for itself:
 *
 *     patches      the packed pieces
 *     pieceStarts  f64 where each piece begins in the patches as they were, and where the last one ends
 *     piecePlaces  f64 where it begins in `patches`, and where the last one ends
 *     patchStarts  f64 where the patch of each commit begins
 */
export class PatchWriter {
  readonly #open = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #length = 0;
  readonly #pieces: Uint8Array[] = [];
  readonly #pieceStarts: number[] = [];
  readonly #patchStarts: number[] = [];

  /** Bytes of all patches so far, unpacked. */
  get length(): number {
    return this.#length + this.#used;
  }

  /** Begins the patch of the next commit. */
  begin(): void {
    this.#patchStarts.push(this.#length + this.#used);
  }

  /** Adds a line, without its end. */
  append(bytes: Buffer, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const copied = bytes.copy(this.#open, this.#used, at, to);
      this.#used += copied;
      at += copied;
      if (this.#used === BLOCK_BYTES) this.#pack();
    }
    this.#open[this.#used++] = LF;
    if (this.#used === BLOCK_BYTES) this.#pack();
  }

  /** Writes everything into `file`. */
  write(file: PagedWriter): void {
    this.#pack();
    writePatches(file, [
      {
        pieces: this.#pieces,
        starts: this.#pieceStarts,
        length: this.#length,
        patchStarts: this.#patchStarts,
      },
    ]);
  }

  #pack(): void {
    if (this.#used === 0) return;
    this.#pieceStarts.push(this.#length);
    this.#pieces.push(zstdCompressSync(this.#open.subarray(0, this.#used), COMPRESSION));
    this.#length += this.#used;
    this.#used = 0;
  }
}

const LF = 10;

/** Packed pieces with where they and the commits' patches begin. */
interface CompressedPatches {
  pieces: Iterable<Uint8Array>;
  starts: Iterable<number>;
  /** Bytes of all patches as they were. */
  length: number;
  patchStarts: Iterable<number>;
}

/** Writes the patches of several blocks one behind the other; nothing is unpacked. */
export function writePatches(file: PagedWriter, blocks: Iterable<CompressedPatches>): void {
  const [pieceStarts, piecePlaces, patchStarts]: [number[], number[], number[]] = [[], [], []];
  let [length, place] = [0, 0];
  for (const block of blocks) {
    for (const piece of block.pieces) {
      file.write(piece);
      piecePlaces.push(place);
      place += piece.length;
    }
    for (const start of block.starts) pieceStarts.push(length + start);
    for (const start of block.patchStarts) patchStarts.push(length + start);
    length += block.length;
  }
  file.endSection('patches');
  for (const [name, numbers] of [
    ['pieceStarts', [...pieceStarts, length]],
    ['piecePlaces', [...piecePlaces, place]],
    ['patchStarts', patchStarts],
  ] as const) {
    file.write(new Uint8Array(Float64Array.from(numbers).buffer));
    file.endSection(name);
  }
}

/** The patches of an opened block. Throws `index_rebuilding` where the file is damaged. */
export class PatchReader {
  readonly #file: PagedFile;
  readonly #offset: number;
  readonly #starts: Float64Array;
  readonly #places: Float64Array;
  readonly #patchStarts: Float64Array;
  /** Pieces that were unpacked last, the last one used at the end. */
  readonly #unpacked = new Map<number, Buffer>();
  /** Patches of commits that were read last, likewise: an answer reads some more than once, and so does the next one. */
  readonly #kept = new Map<number, Buffer>();
  #keptBytes = 0;

  constructor(file: PagedFile) {
    this.#file = file;
    this.#offset = file.section('patches').offset;
    this.#starts = numbersOf(file, 'pieceStarts');
    this.#places = numbersOf(file, 'piecePlaces');
    this.#patchStarts = numbersOf(file, 'patchStarts');
  }

  /** The patch of a commit of the block, as git shows it but for what was left out; of a huge one the beginning. */
  patch(commit: number): Buffer {
    const known = this.#kept.get(commit);
    if (known) this.#kept.delete(commit);
    const patch = known ?? this.#readPatch(commit);
    if (known) this.#kept.set(commit, known);
    else if (patch.length <= MAX_CACHED_PATCH_BYTES) this.#keep(commit, patch);
    return patch;
  }

  #keep(commit: number, patch: Buffer): void {
    // A copy: a part of a piece holds on to all of it.
    this.#kept.set(commit, Buffer.from(patch));
    this.#keptBytes += patch.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= PATCH_CACHE_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
  }

  #readPatch(commit: number): Buffer {
    const start = this.#patchStarts[commit] ?? 0;
    const end = Math.min(this.#patchStarts[commit + 1] ?? this.#starts.at(-1)!, start + MAX_PATCH_BYTES);
    const parts: Buffer[] = [];
    for (let piece = lastUpTo(this.#starts, start); this.#starts[piece]! < end; piece++) {
      const first = this.#starts[piece]!;
      parts.push(this.#unpack(piece).subarray(Math.max(0, start - first), end - first));
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** All of it, for a block into which this one goes. */
  packed(): CompressedPatches {
    const pieces = this.#places.length - 1;
    return {
      pieces: Array.from({ length: pieces })
        .keys()
        .map((piece) => this.#read(piece)),
      starts: this.#starts.subarray(0, pieces),
      length: this.#starts.at(-1)!,
      patchStarts: this.#patchStarts,
    };
  }

  #unpack(piece: number): Buffer {
    const bytes = this.#unpacked.get(piece) ?? zstdDecompressSync(this.#read(piece), DECOMPRESSION);
    this.#unpacked.delete(piece);
    this.#unpacked.set(piece, bytes);
    if (this.#unpacked.size > MAX_CACHED_BLOCKS) this.#unpacked.delete(this.#unpacked.keys().next().value!);
    return bytes;
  }

  #read(piece: number): Buffer {
    const [from, to] = [this.#places[piece]!, this.#places[piece + 1]!];
    return this.#file.read(this.#offset + from, to - from);
  }
}

function numbersOf(file: PagedFile, section: string): Float64Array {
  return new Float64Array(toArrayBuffer(file.readSection(section)));
}

/** The last of the rising numbers that is not above `limit`. */
function lastUpTo(rising: Float64Array, limit: number): number {
  let [low, high] = [0, rising.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! <= limit) low = middle;
    else high = middle;
  }
  return low;
}
