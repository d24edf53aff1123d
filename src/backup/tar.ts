import { AppError } from '#contract/errors.ts';

/*
 * The POSIX ustar format, by which any `tar` reads a backup: for each file a header of 512 bytes, its content and zeros up to the
 * next 512 bytes; two blocks of zeros at the end.
 *
 *     offset  0 name 100 · 124 size 12 · 148 checksum 8 · 156 type 1 · 257 "ustar\0" "00" · 345 prefix 155
 *
 * Numbers are octal; sizes from 8 GiB are 12 bytes big-endian with the highest bit set, as GNU tar writes them.
 */
const BLOCK = 512;
const MAX_OCTAL_SIZE = 8 ** 11 - 1;
const MAX_NAME = 100;
const END = Buffer.alloc(2 * BLOCK);

/** A file of an archive. Its content must be read before the next file. */
export interface TarEntry {
  name: string;
  bytes: number;
  content: AsyncGenerator<Buffer, void, undefined>;
}

/** Header of a file. The name is ASCII with at most 100 characters after its last `/` and 155 before. */
export function tarHeader(name: string, bytes: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const slash = name.length > MAX_NAME ? name.lastIndexOf('/') : -1;
  header.write(name.slice(slash + 1), 0, MAX_NAME, 'latin1');
  if (slash > 0) header.write(name.slice(0, slash), 345, 155, 'latin1');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (bytes <= MAX_OCTAL_SIZE) header.write(`${bytes.toString(8).padStart(11, '0')}\0`, 124);
  else {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(bytes), 128);
  }
  header.write('00000000000\0', 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Zeros after a content. */
export function tarPadding(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

/** The end of an archive. */
export function tarEnd(): Buffer {
  return END;
}

/** Sum of the bytes, with those of the checksum itself as spaces. */
function checksum(header: Buffer): number {
  let sum = 0;
  for (let index = 0; index < BLOCK; index++) sum += index >= 148 && index < 156 ? 0x20 : header[index]!;
  return sum;
}

/** Reads the files of an archive in their order. Throws `bad_request` for an archive that is cut off or is none. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void, undefined> {
  const reader = createReader(source);
  try {
    while (true) {
      const header = await reader.exactly(BLOCK);
      if (header.every((byte) => byte === 0)) return;
      const entry = parseHeader(header);
      const content = reader.upTo(entry.bytes);
      yield { ...entry, content };
      for await (const _ of content);
      await reader.exactly(tarPadding(entry.bytes).length);
    }
  } finally {
    await reader.close();
  }
}

function parseHeader(header: Buffer): { name: string; bytes: number } {
  const text = (start: number, length: number) =>
    header.toString('latin1', start, start + length).replace(/\0.*$/s, '');
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== checksum(header))
    throw backupDamaged();
  const isOctal = header[124]! < 0x80;
  const bytes = isOctal ? Number.parseInt(text(124, 12), 8) : Number(header.readBigUInt64BE(128));
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw backupDamaged();
  const prefix = text(345, 155);
  return { name: prefix === '' ? text(0, MAX_NAME) : `${prefix}/${text(0, MAX_NAME)}`, bytes };
}

/** Reads exact numbers of bytes from chunks of any size; holds one chunk. */
function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const next = async (max: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { value, done } = await chunks.next();
      if (done) throw backupDamaged();
      rest = value;
    }
    const piece = rest.subarray(0, max);
    rest = rest.subarray(max);
    return piece;
  };
  return {
    async exactly(bytes: number): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for (let left = bytes; left > 0; left -= pieces.at(-1)!.length) pieces.push(await next(left));
      return Buffer.concat(pieces);
    },
    async *upTo(bytes: number): AsyncGenerator<Buffer, void, undefined> {
      for (let left = bytes; left > 0; ) {
        const piece = await next(left);
        left -= piece.length;
        yield piece;
      }
    },
    close: async () => void (await chunks.return?.()),
  };
}

/** The error of a file that is no complete backup. */
export function backupDamaged(cause?: unknown): AppError {
  return new AppError('bad_request', 'backup_damaged', { cause, reason: 'backup_damaged' });
}
