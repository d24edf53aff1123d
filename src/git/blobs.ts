import { openObjectReader } from './object-reader.ts';

/** A blob's bytes, or its size when that is more than was asked for. */
type BlobContent = { content: Buffer } | { tooLarge: number };

/** Reads blobs through one git process; many reads may be under way at once. */
export interface BlobReader {
  /** Null when there is no such object. `oid` is a full hash; the size is known before any content is read. */
  read(oid: string, maxBytes: number): Promise<BlobContent | null>;
  /** Reads that are under way reject with `unavailable`. */
  close(): void;
}

/** Opens a reader of blobs. */
export function openBlobReader(repo: string, options: { signal?: AbortSignal } = {}): BlobReader {
  const objects = openObjectReader(repo, options);
  return {
    async read(oid, maxBytes) {
      const found = await objects.read(oid, maxBytes);
      if (found === null) return null;
      return found.content === null ? { tooLarge: found.size } : { content: found.content };
    },
    close: objects.close,
  };
}
