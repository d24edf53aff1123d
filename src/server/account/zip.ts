import { Zip, ZipDeflate } from 'fflate';

/** An entry of an archive, whose content is streamed. */
export interface ZipEntry {
  /** With `/` between folders; user-chosen parts pass through `safeFileName`. */
  name: string;
  content: AsyncIterable<string | Uint8Array>;
}

/** Streams an archive, entry by entry. */
export async function* createZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let failure: Error | null = null;
  const archive = new Zip((error, bytes) => {
    if (error) failure = error;
    else chunks.push(bytes);
  });
  const drain = () => {
    if (failure) throw failure;
    const bytes = chunks;
    chunks = [];
    return bytes;
  };
  for await (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: 6 });
    archive.add(file);
    for await (const part of content) {
      file.push(typeof part === 'string' ? Buffer.from(part) : part);
      yield* drain();
    }
    file.push(new Uint8Array(0), true);
    yield* drain();
  }
  archive.end();
  yield* drain();
}

/** Sanitizes a user-chosen name to a single path segment that every file system accepts. */
export function safeFileName(text: string): string {
  const sanitized = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[. -]+|[. -]+$/g, '')
    .slice(0, 80);
  return sanitized === '' ? 'unnamed' : sanitized;
}
