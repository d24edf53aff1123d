import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Generations being written lie beside the finished ones under this prefix. */
const TEMP_PREFIX = '.new-';
/** A generation that was replaced may still be being opened for so long. */
const RETENTION_MS = 10 * 60 * 1000;

/** Makes a folder for the next generation. It counts only once `publish` has renamed it. */
export async function createGeneration(directory: string): Promise<{ name: string; folder: string }> {
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  const folder = join(directory, TEMP_PREFIX + name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { name, folder };
}

/** A name for a segment that no other has; `kind` says what it holds. */
export function newSegmentName(kind: string): string {
  return `${kind}-${randomBytes(6).toString('hex')}`;
}

/** Makes a written generation durable and visible under its name, in one step. */
export async function publishGeneration(
  directory: string,
  generation: { name: string; folder: string },
): Promise<void> {
  await syncFolder(generation.folder);
  await rename(generation.folder, join(directory, generation.name));
  await syncFolder(directory);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what a killed run left behind. Call only while nobody else writes this shard. */
export async function removeUnpublished(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (const name of await readdir(directory)) {
    if (name.startsWith(TEMP_PREFIX)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Removes generations but `current`, the newest beside it, and those replaced less than ten minutes before `now`. */
export async function pruneGenerations(directory: string, current: string, now: number): Promise<void> {
  const generations: { name: string; made: number }[] = [];
  for (const name of await readdir(directory)) {
    if (name === current || name.startsWith(TEMP_PREFIX)) continue;
    generations.push({ name, made: (await stat(join(directory, name))).mtimeMs });
  }
  generations.sort((a, b) => b.made - a.made);
  for (let i = 1; i < generations.length; i++) {
    const replaced = generations[i - 1]!.made;
    if (now - replaced < RETENTION_MS) continue;
    await rm(join(directory, generations[i]!.name), { recursive: true, force: true });
  }
}
