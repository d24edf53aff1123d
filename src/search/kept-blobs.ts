import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type BlobContent, type BlobReader, openBlobs } from '#git/blobs.ts';

/** Repositories whose reader stays open in a thread: as many as it keeps memories. A thread has one question at a time. */
const MOST_KEPT = 2;

/** Bytes of contents that a thread keeps, packed: about four times as much source. */
const MOST_PACKED = 16 * 2 ** 20;
/** Packing must cost less than git takes to find the blob. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Readers of this thread by repository, the last one used at the end. They end with the thread. */
const readers = new Map<string, BlobReader>();

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
  const reader = readers.get(repo) ?? openBlobs(repo);
  readers.delete(repo);
  readers.set(repo, reader);
  for (const [oldest, other] of readers) {
    if (readers.size <= MOST_KEPT) break;
    readers.delete(oldest);
    other.close();
  }
  return reader;
}
