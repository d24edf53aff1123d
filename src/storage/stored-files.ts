import { randomBytes } from 'node:crypto';
import { type FileHandle, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { contentHash, MAX_OBJECT_BYTES, type ObjectStore, objectKey } from './object-store.ts';

/** A file as a list of objects: consecutive pieces of at most MAX_OBJECT_BYTES, by their hashes. */
export interface StoredFile {
  /** Path below the folder that is stored; empty for a file that is stored by itself. */
  name: string;
  bytes: number;
  objects: string[];
}

/** Age after which objects that no row names are deleted. */
export const UNREFERENCED_OBJECT_MS = 24 * 3600_000;
/** Objects that are transferred at once; each has a buffer. */
const CONCURRENCY = 4;
/** Attempts to read an object whose content does not match its key. */
const MAX_READS = 3;
/** Names that are unique by a random or content-derived part: such files are written once. */
export const WRITTEN_ONCE = /-[0-9a-f]{8,}(?:\.\w+)?$/;

interface Upload {
  /** Folder of the keys. */
  prefix: string;
  /** Path of the file, or of the folder that `names` are below. */
  path: string;
  names: readonly string[];
  /** Files that are stored already; those with unique names are not read again. Without them every object is written. */
  known?: readonly StoredFile[] | null;
  signal?: AbortSignal | undefined;
}

/** Stores files; those that are stored already are not sent again. All are durable once it resolves. */
export async function uploadFiles(
  store: ObjectStore,
  { prefix, path, names, known = null, signal }: Upload,
): Promise<StoredFile[]> {
  const stored = new Set(known?.flatMap(({ objects }) => objects));
  const write = known === null ? store.put : putIfAbsent.bind(null, store);
  const files: StoredFile[] = [];
  for (const name of names) {
    const file = await open(join(path, name), 'r');
    try {
      const { size } = await file.stat();
      const same = known?.find((one) => one.name === name && one.bytes === size && WRITTEN_ONCE.test(name));
      if (same) {
        files.push(same);
        continue;
      }
      const objects = await mapPieces(size, async (offset, bytes) => {
        const content = await readPiece(file, offset, bytes);
        const hash = contentHash(content);
        if (!stored.has(hash)) await write(objectKey(prefix, hash), content, signal);
        stored.add(hash);
        return hash;
      });
      files.push({ name, bytes: size, objects });
    } finally {
      await file.close();
    }
  }
  return files;
}

/**
 * Writes an object unless it is stored. One that may soon be deleted as unreferenced is written again, so that no row can name
 * an object that is being deleted.
 */
async function putIfAbsent(
  store: ObjectStore,
  key: string,
  content: Buffer,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = await store.head(key, signal);
  const isFresh = found && Date.now() - found.modified.getTime() < UNREFERENCED_OBJECT_MS / 2;
  if (!isFresh || found.bytes !== content.length) await store.put(key, content, signal);
}

interface Download {
  prefix: string;
  /** Path of the file, or of the folder of all. */
  path: string;
  files: readonly StoredFile[];
  /** Folder of unfinished files, on the same disk. */
  unfinished: string;
  /** Finds a file of this machine with the same content. */
  findCopy?(file: StoredFile): Promise<string | null>;
  signal?: AbortSignal | undefined;
}

/** Fetches files to their places, one after the other, each visible once it is whole. Throws `unavailable` for a missing object. */
export async function downloadFiles(
  store: ObjectStore,
  { prefix, path, files, unfinished, findCopy, signal }: Download,
): Promise<void> {
  if (files.length > 0) await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const stored of files) {
    const target = join(path, stored.name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const temporary = join(unfinished, randomBytes(6).toString('hex'));
    try {
      const copy = await findCopy?.(stored);
      const isLinked =
        copy != null &&
        (await link(copy, temporary).then(
          () => true,
          () => false,
        ));
      if (!isLinked) await downloadFile(store, { prefix, path: temporary, stored, signal });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

async function downloadFile(
  store: ObjectStore,
  {
    prefix,
    path,
    stored,
    signal,
  }: { prefix: string; path: string; stored: StoredFile; signal: AbortSignal | undefined },
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await mapPieces(stored.bytes, async (offset, bytes, index) => {
      const key = objectKey(prefix, stored.objects[index] ?? '');
      const content = await readObject(store, key, signal);
      if (content.length !== bytes) throw damaged(store, key);
      await file.write(content, 0, bytes, offset);
    });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Reads an object and compares it with its hash. */
async function readObject(store: ObjectStore, key: string, signal?: AbortSignal): Promise<Buffer> {
  for (let attempt = 1; attempt <= MAX_READS; attempt++) {
    const content = await store.get(key, signal);
    if (content === null) break;
    if (key.endsWith(`/${contentHash(content)}`)) return content;
  }
  throw damaged(store, key);
}

function damaged(store: ObjectStore, key: string): AppError {
  return new AppError('unavailable', 'stored_object_damaged', {
    reason: 'stored_object_damaged',
    cause: new Error(`${store.name} has no intact object ${key}.`),
  });
}

/** True when the file has the size and, unless its name is unique, the content of the stored one. */
export async function isSameFile(path: string, stored: StoredFile): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.size !== stored.bytes) return false;
  if (WRITTEN_ONCE.test(stored.name)) return true;
  const file = await open(path, 'r');
  try {
    const hashes = await mapPieces(stored.bytes, async (offset, bytes) =>
      contentHash(await readPiece(file, offset, bytes)),
    );
    return hashes.every((hash, index) => hash === stored.objects[index]);
  } finally {
    await file.close();
  }
}

/** Maps the pieces of a file, CONCURRENCY at once; after a failure none is begun. */
async function mapPieces<T>(
  size: number,
  map: (offset: number, bytes: number, index: number) => Promise<T>,
): Promise<T[]> {
  const count = Math.ceil(size / MAX_OBJECT_BYTES);
  const results: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      const offset = index * MAX_OBJECT_BYTES;
      try {
        results[index] = await map(offset, Math.min(MAX_OBJECT_BYTES, size - offset), index);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  const done = await Promise.allSettled(Array.from({ length: Math.min(CONCURRENCY, count) }, work));
  for (const one of done) if (one.status === 'rejected') throw one.reason;
  return results;
}

async function readPiece(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const content = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(content, at, bytes - at, offset + at);
    if (bytesRead === 0) throw new Error('The file was truncated while it was read.');
    at += bytesRead;
  }
  return content;
}
