import { Zip, ZipDeflate } from 'fflate';

/** A file of an archive. Its bytes are asked for when its turn comes. */
export interface ZipEntry {
  /** With `/` between folders; never from outside without `safeName`. */
  name: string;
  content: AsyncIterable<string | Uint8Array>;
}

/** An archive as it is made, entry by entry: neither it nor any file of it is ever held whole. */
export async function* createZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  let failure: Error | null = null;
  const archive = new Zip((error, bytes) => {
    if (error) failure = error;
    else made.push(bytes);
  });
  const take = () => {
    if (failure) throw failure;
    const bytes = made;
    made = [];
    return bytes;
  };
  for await (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: 6 });
    archive.add(file);
    for await (const part of content) {
      file.push(typeof part === 'string' ? Buffer.from(part) : part);
      yield* take();
    }
    file.push(new Uint8Array(0), true);
    yield* take();
  }
  archive.end();
  yield* take();
}

/** A name that people chose, as one part of a path: no folder, no `..`, nothing that a file system refuses. */
export function safeFileName(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[. -]+|[. -]+$/g, '')
    .slice(0, 80);
  return plain === '' ? 'unnamed' : plain;
}
