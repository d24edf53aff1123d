import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type BlobContent, type BlobReader, openBlobs } from '#git/blobs.ts';

/** Repositories whose reader stays open in a thread, as many as it keeps memories. */
const MOST_KEPT = 2;

/** Bytes of contents that a thread keeps, packed: about four times as much source. */
const MOST_PACKED = 16 * 2 ** 20;
/** Packing must cost less than git takes to find the blob. */
const PACKING = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

interface Kept {
  readonly repo: string;
  readonly reader: BlobReader;
  /** Reads under way; what is retired is closed when there are none. */
  reading: number;
  retired: boolean;
}

/** Those of this thread, the last one used at the end. They end with the thread. */
const kept = new Map<string, Kept>();

/** Contents that were read lately, the last one used at the end. */
const packed = new Map<string, Buffer>();
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
    const content = zstdDecompressSync(known);
    return content.length > maxBytes ? { tooLarge: content.length } : { content };
  }
  const found = await readByKept(repo, oid, maxBytes);
  if (found && 'content' in found) keep(name, zstdCompressSync(found.content, PACKING));
  return found;
}

function keep(name: string, bytes: Buffer): void {
  packedBytes += bytes.length - (packed.get(name)?.length ?? 0);
  packed.set(name, bytes);
  for (const [oldest, { length }] of packed) {
    if (packedBytes <= MOST_PACKED) break;
    packed.delete(oldest);
    packedBytes -= length;
  }
}

/**
 * Reads a blob through a git process that stays for the next question: starting one costs more than all else that a
 * search does.
 */
async function readByKept(repo: string, oid: string, maxBytes: number): Promise<BlobContent | null> {
  const known = kept.get(repo);
  const found = await read(known ?? open(repo), oid, maxBytes);
  if (found !== null || known === undefined) return found;
  // Another repository may have taken its place since the process opened it.
  retire(known);
  return await read(kept.get(repo) ?? open(repo), oid, maxBytes);
}

async function read(one: Kept, oid: string, maxBytes: number): Promise<BlobContent | null> {
  one.reading++;
  if (kept.delete(one.repo)) kept.set(one.repo, one);
  try {
    return await one.reader.read(oid, maxBytes);
  } finally {
    one.reading--;
    if (one.retired && one.reading === 0) one.reader.close();
  }
}

function open(repo: string): Kept {
  const opened = { repo, reader: openBlobs(repo), reading: 0, retired: false };
  kept.set(repo, opened);
  for (const one of kept.values()) if (kept.size > MOST_KEPT) retire(one);
  return opened;
}

function retire(one: Kept): void {
  one.retired = true;
  if (kept.get(one.repo) === one) kept.delete(one.repo);
  if (one.reading === 0) one.reader.close();
}
