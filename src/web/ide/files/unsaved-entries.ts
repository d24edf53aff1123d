import type { FileTree, TreeEntry } from '#contract/ide.ts';

/** Files and folders that are not stored yet. */
export interface UnsavedEntries {
  files: readonly string[];
  folders: readonly string[];
}

type Listings = ReadonlyMap<string, FileTree | undefined>;

/** Adds entries that are not stored yet, and the folders on the way to them, to the listings of folders. */
export function addUnsaved(listings: Listings, { files, folders }: UnsavedEntries): Listings {
  const all = new Map(listings);
  const add = (path: string, entry: TreeEntry) => {
    const { folder, name } = splitPath(path);
    if (folder !== '') add(folder, { type: 'directory' });
    const listing = all.get(folder);
    if (listing ? Object.hasOwn(listing, name) : folder === '') return;
    // No prototype: `__proto__` is a name like any other.
    all.set(folder, Object.assign(Object.create(null), listing, { [name]: entry }));
  };
  for (const path of folders) {
    add(path, { type: 'directory' });
    if (!all.get(path)) all.set(path, Object.create(null));
  }
  for (const path of files) add(path, { type: 'file', size: null });
  return all;
}

/** True for a folder that is not in the stored listing of its parent, as far as that is loaded. */
export function isMissingFolder(path: string, listingOf: (path: string) => FileTree | undefined): boolean {
  if (path === '') return false;
  const { folder, name } = splitPath(path);
  if (isMissingFolder(folder, listingOf)) return true;
  const parent = listingOf(folder);
  return parent !== undefined && !(Object.hasOwn(parent, name) && parent[name]?.type === 'directory');
}

function splitPath(path: string): { folder: string; name: string } {
  const slash = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
}
