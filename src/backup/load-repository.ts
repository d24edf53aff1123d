import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { initRepository } from '#git/packs.ts';
import { git, startGit } from '#git/run.ts';
import { findObjects } from './dump-repository.ts';
import { isPackFile, type StoredRepository, storedRepository } from './repository-format.ts';
import { backupDamaged } from './tar.ts';

const TIMEOUT_MS = 4 * 3600_000;
const MAX_MEMORY = 4 * 2 ** 30;

/** A repository that is being restored. */
export interface RepositoryLoad {
  /** Adds a pack or its index as it was. */
  addPack(name: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Adds a part of a pack of loose objects; `number` names the pack. */
  addLoose(number: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Writes the refs, each of which must have its object. */
  finish(): Promise<void>;
}

/** Creates a repository from its description. */
export async function beginRepository(repo: string, description: Buffer): Promise<RepositoryLoad> {
  const stored = storedRepository.parse(JSON.parse(description.toString()));
  await mkdir(repo, { recursive: true, mode: 0o700 });
  await initRepository(repo, { format: stored.object_format });
  await mkdir(join(repo, 'objects/pack'), { recursive: true });
  let loose: { number: string; file: string } | null = null;
  const endLoose = async () => {
    if (loose === null) return;
    const { file } = loose;
    loose = null;
    await indexPack(repo, file);
    await rm(file);
  };
  const syncing: Promise<void>[] = [];
  return {
    async addPack(name, chunks) {
      if (!isPackFile(name)) throw backupDamaged();
      const sync = await writeChunks(join(repo, 'objects/pack', name), chunks, 'wx');
      const synced = sync();
      // Thrown by `finish`, which is not called after an error elsewhere.
      synced.catch(() => {});
      syncing.push(synced);
    },
    async addLoose(number, chunks) {
      if (loose?.number !== number) await endLoose();
      loose ??= { number, file: join(repo, `loose-${Number(number)}.pack`) };
      await (await writeChunks(loose.file, chunks, 'a'))();
    },
    async finish() {
      await Promise.all([...syncing, endLoose()]);
      await writeRefs(repo, stored);
    },
  };
}

/** Writes a file, each chunk while the next one is read. Returns what syncs and closes it. */
export async function writeChunks(
  path: string,
  chunks: AsyncIterable<Buffer>,
  flags: 'wx' | 'a',
): Promise<() => Promise<void>> {
  const file = await open(path, flags, 0o600);
  let writing = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      await writing;
      writing = file.writeFile(chunk);
      // Thrown when it is awaited.
      writing.catch(() => {});
    }
    await writing;
  } catch (error) {
    await writing.catch(() => {});
    await file.close();
    throw error;
  }
  return () => file.sync().finally(() => file.close());
}

async function indexPack(repo: string, file: string): Promise<void> {
  const limits = { memory: MAX_MEMORY };
  const run = startGit(repo, ['index-pack', '--stdin'], {
    name: 'index-pack',
    limits,
    timeoutMs: TIMEOUT_MS,
  });
  run.child.stdout.resume();
  const source = await open(file);
  try {
    for await (const chunk of source.createReadStream({ autoClose: false })) {
      if (!run.child.stdin.write(chunk))
        await new Promise((next) => run.child.stdin.once('drain', next).once('close', next));
    }
    run.child.stdin.end();
    const end = await run.end;
    if (end instanceof AppError) throw end;
  } finally {
    await source.close();
  }
}

/** Writes all refs at once, as `git pack-refs` does; git reads the file without the peeled tags that it may hold. */
async function writeRefs(repo: string, { refs, head }: StoredRepository): Promise<void> {
  const present = await findObjects(
    repo,
    refs.map(([oid]) => oid),
  );
  const missing = refs.find(([oid]) => !present.has(oid));
  if (missing) throw backupDamaged(new Error(`${missing[1]} has no object`));
  const lines = refs
    .toSorted(([, a], [, b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([oid, name]) => `${oid} ${name}\n`);
  await writeFile(join(repo, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`, { flush: true });
  if (head !== null) await writeFile(join(repo, 'HEAD'), `ref: ${head}\n`, { flush: true });
  await git(repo, ['commit-graph', 'write', '--reachable', '--no-progress'], {
    name: 'commit-graph',
    limits: { memory: MAX_MEMORY },
    timeoutMs: TIMEOUT_MS,
  });
}
