import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assertOid, git } from './run.ts';

const PACK_TIMEOUT_MS = 10 * 60_000;
const PACKS_FOLDER = 'objects/pack';
const PACK_FILE = /^pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap)$/;

/** Creates an empty bare repository in an existing empty folder. */
export async function initRepository(
  folder: string,
  { format, signal }: { format: 'sha1' | 'sha256'; signal?: AbortSignal | undefined },
): Promise<void> {
  const args = ['--bare', '-q', '--template=', '--initial-branch=main', `--object-format=${format}`];
  await git(null, ['init', ...args, '--', folder], { name: 'init', ...(signal && { signal }) });
}

/**
 * Packs the objects that a commit reaches and that none of the known commits does, all full hashes. Writes
 * `pack-<name>.pack` in a folder and returns its name; null where there are none.
 */
export async function packNewObjects(
  repo: string,
  { commit, known, folder }: { commit: string; known: readonly string[]; folder: string },
): Promise<string | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lines = [assertOid(commit), ...known.map((oid) => `^${assertOid(oid)}`)];
  const args = ['pack-objects', '--revs', '--non-empty', '--delta-base-offset', '-q', join(folder, 'pack')];
  const { stdout } = await git(repo, args, {
    name: 'pack-objects',
    input: `${lines.join('\n')}\n`,
    timeoutMs: PACK_TIMEOUT_MS,
  });
  const name = stdout.toString().trim();
  if (name === '') return null;
  await rm(join(folder, `pack-${name}.idx`), { force: true });
  return assertOid(name);
}

/** Adds the pack of a file to a repository, whole or not at all. The file is moved. */
export async function addPack(repo: string, path: string, name: string): Promise<void> {
  await git(repo, ['index-pack', path], { name: 'index-pack', timeoutMs: PACK_TIMEOUT_MS });
  const target = join(repo, PACKS_FOLDER, `pack-${assertOid(name)}`);
  // git looks for the index first.
  await rename(path, `${target}.pack`);
  await rename(path.replace(/\.pack$/, '.idx'), `${target}.idx`);
}

/** Packs loose objects, and small packs with them. */
export async function consolidatePacks(repo: string): Promise<void> {
  await git(repo, ['repack', '-q', '--geometric=2', '-d'], { name: 'repack', timeoutMs: PACK_TIMEOUT_MS });
}

/** Deletes loose objects that are in a pack as well. */
export async function prunePackedObjects(repo: string): Promise<void> {
  await git(repo, ['prune-packed', '-q'], { name: 'prune-packed' });
}

/** Files of the packs by their path in the repository; the index of each comes after its pack. */
export async function listPackFiles(repo: string): Promise<string[]> {
  const names = (await readdir(join(repo, PACKS_FOLDER))).filter((name) => PACK_FILE.test(name));
  const withIndex = names.filter((name) => names.includes(name.replace(/\.\w+$/, '.idx')));
  return withIndex
    .toSorted((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')) || (a < b ? -1 : 1))
    .map((name) => `${PACKS_FOLDER}/${name}`);
}

/** Deletes packs, by the paths of their files. An index goes before its pack. */
export async function deletePackFiles(repo: string, paths: readonly string[]): Promise<void> {
  const ordered = paths.toSorted((a, b) => Number(b.endsWith('.idx')) - Number(a.endsWith('.idx')));
  for (const path of ordered) await rm(join(repo, path), { force: true });
}
