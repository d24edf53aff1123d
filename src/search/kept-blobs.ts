import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type BlobContent, type BlobReader, openBlobs } from '#git/blobs.ts';

/** Repositories whose reader stays open in a thread: as many as it keeps memories. A thread has one question at a time. */
const MOST_KEPT = 2;

/** Bytes of contents that a thread keeps, packed: about four times as much source. */
const MOST_PACKED = 16 * 2 ** 20;
/** Packing must cost less than git takes to find the blob. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Milliseconds that one stays open: packs that git has replaced take up disk as long as a process has them open. */
const MOST_OPEN_MS = 600_000;

const CLOSE_AFTER_MS = 5000;

interface Opened {
  readonly reader: BlobReader;
  readonly at: number;
}

/** Readers of this thread by repository, the last one used at the end. They end with the thread. */
const readers = new Map<string, Opened>();

/** Contents that were read lately, the last one used at the end. */
const packed = new Map<string, { bytes: Buffer; size: number }>();
let packedBytes = 0;

/**
 * Reads a blob of a repository, whose path is absolute, and keeps it for the next question: files that fit one
 * question often fit another, and git takes longer to find them than the search to rank them. Null when there is no
 * such object; throws as `BlobReader.read` does.
 */
export async function readKept(repo: string, oid: string, maxBytes: number): Promise<BlobContent | null> {
  const name = `${oid} ${repo}`;
  const known = packed.get(name);
  if (known) {
    packed.delete(name);
    packed.set(name, known);
    const { bytes, size } = known;
    // Room for all of it at once; less than 64 bytes are refused.
    return size > maxBytes ? { tooLarge: size } : { content: unpack(bytes, Math.max(64, size)) };
  }
  const found = await readerOf(repo).read(oid, maxBytes);
  if (found && 'content' in found) keep(name, found.content);
  return found;
}

const unpack = (bytes: Buffer, chunkSize: number) => zstdDecompressSync(bytes, { chunkSize });

function keep(name: string, content: Buffer): void {
  const added = zstdCompressSync(content, PACKING);
  packedBytes += added.length - (packed.get(name)?.bytes.length ?? 0);
  packed.set(name, { bytes: added, size: content.length });
  for (const [oldest, { bytes }] of packed) {
    if (packedBytes <= MOST_PACKED) break;
    packed.delete(oldest);
    packedBytes -= bytes.length;
  }
}

/** A git process that stays for the next question: starting one costs more than all else that a search does. */
function readerOf(repo: string): BlobReader {
  const now = performance.now();
  for (const [old, { reader, at }] of readers) {
    if (now - at < MOST_OPEN_MS && (readers.has(repo) || readers.size < MOST_KEPT)) continue;
    readers.delete(old);
    // Other reads of the same question may be under way.
    setTimeout(() => reader.close(), CLOSE_AFTER_MS).unref();
  }
  const known = readers.get(repo) ?? { reader: openBlobs(repo), at: now };
  readers.delete(repo);
  readers.set(repo, known);
  return known.reader;
}
