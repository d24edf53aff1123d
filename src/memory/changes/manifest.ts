import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';

/** The file that lists the current blocks: a line with the crc32 of the rest, then JSON. */
const MANIFEST = 'MANIFEST';
const VERSION = 1;

const manifestSchema = z.object({
  version: z.literal(VERSION),
  /** The commit whose whole history is in the blocks; null during the first build. */
  head: z.string().nullable(),
  /** The commit that is being indexed, and the number of non-merge commits of its history. */
  goal: z.object({ head: z.string(), commits: z.number() }).nullable(),
  /** Patterns of paths whose changes are not in the blocks. */
  excluded: z.array(z.string()).default([]),
  /** Newest commits first. */
  blocks: z.array(z.object({ name: z.string(), bytes: z.number(), commits: z.number(), hunks: z.number() })),
});
export type Manifest = z.infer<typeof manifestSchema>;
export type BlockEntry = Manifest['blocks'][number];

export const EMPTY_MANIFEST: Manifest = {
  version: VERSION,
  head: null,
  goal: null,
  excluded: [],
  blocks: [],
};

/** Reads the manifest of a directory; null when there is none that can be used. */
export function readManifest(directory: string): Manifest | null {
  let text: string;
  try {
    text = readFileSync(join(directory, MANIFEST), 'utf8');
  } catch {
    return null;
  }
  const [sum, body = ''] = text.split('\n', 2);
  if (sum !== String(crc32(body))) return null;
  return manifestSchema.safeParse(JSON.parse(body)).data ?? null;
}

/** Replaces the manifest atomically and durably. */
export function writeManifest(directory: string, manifest: Manifest): void {
  const body = JSON.stringify(manifest);
  const temporary = join(directory, `.new-${MANIFEST}`);
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, `${crc32(body)}\n${body}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, join(directory, MANIFEST));
  const folder = openSync(directory, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates a unique name for a block. */
export function newBlockName(): string {
  return `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** Removes files that the manifest does not list: those of a killed build, and merged blocks. */
export function removeUnlisted(directory: string, manifest: Manifest): void {
  const listed = new Set([MANIFEST, ...manifest.blocks.map(({ name }) => name)]);
  for (const name of readdirSync(directory)) {
    if (!listed.has(name)) rmSync(join(directory, name), { force: true });
  }
}
