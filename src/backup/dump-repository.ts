import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { splitLines } from '#git/refs.ts';
import { git, gitStream } from '#git/run.ts';
import type { ArchiveWriter } from './archive.ts';
import type { BranchHead } from './dump-database.ts';
import { isPackFile, type StoredRepository } from './repository-format.ts';

const TIMEOUT_MS = 4 * 3600_000;
const CHUNK_BYTES = 2 ** 20;
/** Listings of packs after which a repository that is repacked again and again is taken as it is. */
const MAX_ATTEMPTS = 5;

/**
 * Writes a repository: its packs as they are, one more pack of the objects that are in none of them, and its refs, with
 * working branches where the snapshot of the database has them. Git's own upkeep may run meanwhile. Returns the branches whose
 * commit is not there; null where there is no repository.
 */
export async function dumpRepository(options: {
  repo: string;
  folder: string;
  branches: readonly BranchHead[];
  archive: ArchiveWriter;
}): Promise<BranchHead[] | null> {
  const { repo, folder, branches, archive } = options;
  if (!(await isRepository(repo))) return null;
  const { stored, missing } = await readRepository(repo, branches);
  await archive.add(`${folder}/repository.json`, stored);
  const written = new Set<string>();
  // An object moves from a loose file into a new pack before the file is deleted: while no pack is new, all are in what was read.
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const packs = await openPacks(repo, written);
    await writePacks(packs, folder, archive);
    for (const { name } of packs) written.add(name);
    await archive.addStream(`${folder}/loose/${attempt}`, packLooseObjects(repo, stored));
    if ((await listPacks(repo)).every((name) => written.has(name))) break;
  }
  return missing;
}

async function isRepository(repo: string): Promise<boolean> {
  return await readdir(join(repo, 'objects')).then(
    () => true,
    () => false,
  );
}

/** Reads the refs: upstream's branches and tags, kept commits, and working branches at the heads of the snapshot. */
async function readRepository(repo: string, branches: readonly BranchHead[]) {
  const [format, head] = [
    await git(repo, ['rev-parse', '--show-object-format'], { name: 'rev-parse' }),
    await git(repo, ['symbolic-ref', '--quiet', 'HEAD'], { name: 'symbolic-ref', ok: [0, 1] }),
  ].map(({ stdout }) => stdout.toString().trim());
  const refs = new Map<string, string>();
  const args = ['for-each-ref', '--format=%(objectname) %(refname) %(symref)'];
  for await (const line of splitLines(
    gitStream(repo, args, { name: 'for-each-ref', timeoutMs: TIMEOUT_MS }),
  )) {
    const [oid = '', name = '', symbolic] = line.split(' ');
    if (!symbolic) refs.set(name, oid);
  }
  const present = await findObjects(
    repo,
    branches.map((branch) => branch.head),
  );
  for (const { name, head: commit } of branches)
    if (present.has(commit)) refs.set(`refs/heads/${name}`, commit);
  const stored: StoredRepository = {
    object_format: format === 'sha256' ? 'sha256' : 'sha1',
    head: head || null,
    refs: [...refs].map(([name, oid]) => [oid, name]),
  };
  return { stored, missing: branches.filter((branch) => !present.has(branch.head)) };
}

/** The objects among these that the repository has. */
export async function findObjects(repo: string, oids: readonly string[]): Promise<Set<string>> {
  if (oids.length === 0) return new Set();
  const { stdout } = await git(repo, ['cat-file', '--batch-check=%(objectname)'], {
    name: 'cat-file',
    input: `${oids.join('\n')}\n`,
    timeoutMs: TIMEOUT_MS,
  });
  return new Set(stdout.toString().split('\n'));
}

interface OpenPack {
  name: string;
  file: FileHandle;
  bytes: number;
}

async function listPacks(repo: string): Promise<string[]> {
  return (await readdir(join(repo, 'objects/pack'))).filter(isPackFile).sort();
}

/** Opens all packs that were not written before: an open file can be read after it was deleted. */
async function openPacks(repo: string, written: ReadonlySet<string>): Promise<OpenPack[]> {
  for (let attempt = 1; ; attempt++) {
    const opened: OpenPack[] = [];
    try {
      for (const name of await listPacks(repo)) {
        if (written.has(name)) continue;
        const file = await open(join(repo, 'objects/pack', name));
        opened.push({ name, file, bytes: (await file.stat()).size });
      }
      return opened;
    } catch (error) {
      for (const { file } of opened) await file.close();
      // A pack was replaced since the folder was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function writePacks(packs: readonly OpenPack[], folder: string, archive: ArchiveWriter): Promise<void> {
  try {
    for (const { name, file, bytes } of packs)
      await archive.addFile(`${folder}/packs/${name}`, bytes, readChunks(file, bytes));
  } finally {
    for (const { file } of packs) await file.close();
  }
}

/** Reads a file from its beginning; it may grow meanwhile. */
export async function* readChunks(file: FileHandle, bytes: number): AsyncGenerator<Buffer, void, undefined> {
  for (let at = 0; at < bytes; ) {
    const { bytesRead, buffer } = await file.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      Math.min(CHUNK_BYTES, bytes - at),
      at,
    );
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Objects that the refs reach and no pack has, as a pack. */
function packLooseObjects(repo: string, { refs }: StoredRepository): AsyncGenerator<Buffer, void, undefined> {
  const args = [
    'pack-objects',
    '--revs',
    '--unpacked',
    '--incremental',
    '--stdout',
    '-q',
    '--delta-base-offset',
  ];
  const input = `${[...new Set(refs.map(([oid]) => oid))].join('\n')}\n`;
  return gitStream(repo, args, { name: 'pack-objects', input, timeoutMs: TIMEOUT_MS });
}
