import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mount, PLACES } from './bubblewrap.ts';
import type { SandboxCommand } from './sandbox.ts';

/** Folders of a prepared set-up: what it left in the checkout, and its caches. */
export const SETUP_FOLDERS = { checkout: 'checkout', home: 'home' } as const;

/**
 * Mounts of a prepared set-up. bwrap would follow a link on the way to a mount point, also to a folder of the host, so every
 * folder on the way is checked and made here, while no command runs. What the revision has itself is not covered.
 */
export async function setupMounts({
  checkout,
  setup,
}: Pick<SandboxCommand, 'checkout' | 'setup'>): Promise<Mount[]> {
  if (!setup) return [];
  const mounts: Mount[] = [{ from: join(setup.folder, SETUP_FOLDERS.home), to: PLACES.setup }];
  for (const path of setup.paths) {
    const from = join(setup.folder, SETUP_FOLDERS.checkout, path);
    if (await makeMountPoint(checkout, path, from)) {
      mounts.push({ from, to: `${PLACES.checkout}/${path}` });
    }
  }
  return mounts;
}

/** False where the checkout has something of its own there, or a link on the way. */
async function makeMountPoint(checkout: string, path: string, from: string): Promise<boolean> {
  const segments = path.split('/');
  let place = checkout;
  for (const segment of segments.slice(0, -1)) {
    place = join(place, segment);
    if (!(await ensureFolder(place))) return false;
  }
  place = join(checkout, path);
  if ((await lstat(from)).isDirectory()) {
    return (await ensureFolder(place)) && (await readdir(place)).length === 0;
  }
  return await writeFile(place, '', { flag: 'wx' }).then(
    () => true,
    async () => (await lstat(place)).isFile() && (await lstat(place)).size === 0,
  );
}

/** Makes a folder unless something is there; true when it is a folder and not a link to one. */
async function ensureFolder(place: string): Promise<boolean> {
  await mkdir(place).catch(() => {});
  return (await lstat(place)).isDirectory();
}
