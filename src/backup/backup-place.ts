import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { MAX_OBJECT_BYTES, type ObjectStore } from '#storage/object-store.ts';
import type { ArchiveSink } from './archive.ts';

/** A place that a backup is written to; it appears there with `finish` only. */
interface BackupTarget extends ArchiveSink {
  finish(): Promise<void>;
  abort(): Promise<void>;
}

/** Begin of the names that stand for the object store. */
const STORE_PREFIX = 'store:';
const STORED_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Opens the place of a new backup: a file, or `store:NAME` in the object store. A file of this name is replaced at the end. */
export async function openBackupTarget(place: string, store: ObjectStore | null): Promise<BackupTarget> {
  const name = storedName(place);
  return name === null ? await openFile(resolve(place)) : openObjects(requireStore(store), name);
}

/** Reads a backup from its place. */
export async function openBackupSource(
  place: string,
  store: ObjectStore | null,
): Promise<AsyncIterable<Buffer>> {
  const name = storedName(place);
  if (name !== null) return await readObjects(requireStore(store), name);
  const file = await open(resolve(place)).catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('not_found', 'backup_not_found', { params: { place, problem: cause.message }, cause });
  });
  return createReadStream('', { fd: file, highWaterMark: 2 ** 20 });
}

function storedName(place: string): string | null {
  if (!place.startsWith(STORE_PREFIX)) return null;
  const name = place.slice(STORE_PREFIX.length);
  if (!STORED_NAME.test(name)) throw new AppError('invalid_input', 'backup_bad_name', { params: { name } });
  return name;
}

function requireStore(store: ObjectStore | null): ObjectStore {
  if (store === null) throw new AppError('invalid_input', 'backup_no_store');
  return store;
}

async function openFile(path: string): Promise<BackupTarget> {
  const draft = `${path}.${process.pid}.unfinished`;
  const file = await open(draft, 'w', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('conflict', 'backup_not_writable', {
      params: { place: path, problem: cause.message },
      cause,
    });
  });
  return {
    write: async (chunk) => {
      for (let rest = chunk; rest.length > 0; ) rest = rest.subarray((await file.write(rest)).bytesWritten);
    },
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(draft, path);
      const folder = await open(dirname(path));
      await folder.sync().finally(() => folder.close());
    },
    abort: async () => {
      await file.close().catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

/** Key of a piece. Keys without a folder belong to no project, whose unreferenced objects are deleted. */
function pieceKey(name: string, piece: number | 'end'): string {
  return `backup-${name}.${typeof piece === 'number' ? String(piece).padStart(6, '0') : piece}`;
}

/** Writes pieces of the largest size of an object, and at the end an object with their number. */
function openObjects(store: ObjectStore, name: string): BackupTarget {
  let pending: Buffer[] = [];
  let bytes = 0;
  let pieces = 0;
  const flush = async () => {
    const content = Buffer.concat(pending);
    pending = [content.subarray(MAX_OBJECT_BYTES)];
    bytes = pending[0]!.length;
    await store.put(pieceKey(name, pieces), content.subarray(0, MAX_OBJECT_BYTES));
    pieces += 1;
  };
  return {
    write: async (chunk) => {
      pending.push(chunk);
      bytes += chunk.length;
      while (bytes >= MAX_OBJECT_BYTES) await flush();
    },
    finish: async () => {
      if (bytes > 0) await flush();
      await store.put(pieceKey(name, 'end'), Buffer.from(String(pieces)));
    },
    abort: async () => {
      for (let piece = 0; piece < pieces; piece++) await store.delete(pieceKey(name, piece)).catch(() => {});
    },
  };
}

async function readObjects(store: ObjectStore, name: string): Promise<AsyncIterable<Buffer>> {
  const missing = (place: string) =>
    new AppError('not_found', 'backup_not_found', { params: { place, problem: store.name } });
  const end = await store.get(pieceKey(name, 'end'));
  if (end === null) throw missing(STORE_PREFIX + name);
  const pieces = Number(end.toString());
  return (async function* () {
    for (let piece = 0; piece < pieces; piece++) {
      const content = await store.get(pieceKey(name, piece));
      if (content === null) throw missing(pieceKey(name, piece));
      yield content;
    }
  })();
}
