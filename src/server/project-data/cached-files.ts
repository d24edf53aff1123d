import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { ObjectStore } from '#storage/object-store.ts';
import { downloadFiles, type StoredFile, WRITTEN_ONCE } from '#storage/stored-files.ts';

interface WholeDownload {
  prefix: string;
  path: string;
  files: StoredFile[];
  unfinished: string;
}

/** Fetches a file, or a folder that becomes visible when it is whole. */
export async function downloadWhole(store: ObjectStore, download: WholeDownload): Promise<void> {
  const { path, files, unfinished } = download;
  if (files[0]?.name === '') return await downloadFiles(store, download);
  const temporary = join(unfinished, randomBytes(6).toString('hex'));
  const findCopy = (file: StoredFile) => findInSiblings(path, file);
  try {
    await downloadFiles(store, { ...download, path: temporary, findCopy });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Finds a file with a unique name in the folders beside: generations of an index share segments. */
async function findInSiblings(local: string, { name, bytes }: StoredFile): Promise<string | null> {
  if (!WRITTEN_ONCE.test(name)) return null;
  const parent = dirname(local);
  for (const sibling of await readdir(parent).catch(() => [])) {
    const path = join(parent, sibling, name);
    if (sibling !== basename(local) && (await stat(path).catch(() => null))?.size === bytes) return path;
  }
  return null;
}

/** Names below a folder, those that list others last; one empty name for a file. */
export async function listNames(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) return found ? [''] : [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => relative(path, join(entry.parentPath, entry.name)));
  return names.toSorted((a, b) => Number(WRITTEN_ONCE.test(b)) - Number(WRITTEN_ONCE.test(a)));
}

/** Removes files of a folder that a version does not list. */
export async function removeUnlistedFiles(path: string, files: readonly StoredFile[]): Promise<void> {
  const listed = new Set(files.map(({ name }) => name));
  for (const name of await listNames(path))
    if (!listed.has(name)) await rm(join(path, name), { force: true });
}

/** True for an existing file or folder. */
export async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** Runs work of the same key one after the other. */
export function createKeyedQueue(): (key: string, work: () => Promise<void>) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).catch(() => {}).then(work);
    last.set(key, run);
    try {
      await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
