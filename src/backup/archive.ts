import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { readTar, type TarEntry, tarEnd, tarHeader, tarPadding } from './tar.ts';

/** Number of the format; raised when an earlier program cannot read what a later one writes. */
export const BACKUP_FORMAT = 1;

/** First file of a backup. */
export const HEADER_FILE = 'backup.json';
/** Last file of a backup: one that lacks it was cut off. */
export const MANIFEST_FILE = 'manifest.json';

const name = z.string().min(1).max(200);

/** Content of the first file: what is needed to begin a restore. */
export const backupHeader = z.object({
  format: z.number().int(),
  program: z.string().max(100),
  postgres: z.string().max(100),
  created_at: z.string().max(40),
  /** Names of the migrations that the database has. */
  migrations: z.array(name).max(10_000),
  tables: z.array(z.object({ name, columns: z.array(name).max(1600) })).max(10_000),
  projects: z.number().int(),
  /** True when the secret key is included. */
  keys: z.boolean(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

/** Content of the last file: checksums of all others and numbers of rows. */
export const backupManifest = z.object({
  files: z.array(z.tuple([z.string().max(300), z.number().int(), z.string().length(64)])).max(10_000_000),
  rows: z.record(name, z.number().int()),
  jobs: z.number().int(),
  /** Projects whose repository could not be read, such as one that was not yet cloned. */
  without_repository: z.array(name).max(1_000_000),
  /** Working branches whose commit the repository lacks. */
  missing_branches: z.array(z.object({ project_id: name, name: z.string().max(300) })).max(1_000_000),
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** Place that a backup is written to. */
export interface ArchiveSink {
  write(chunk: Buffer): Promise<void>;
}

/** Bytes of a part of a stream whose length is not known before: the memory that writing one takes. */
const PART_BYTES = 4 * 2 ** 20;

/** Writes the files of a backup and remembers their checksums. */
export class ArchiveWriter {
  readonly #sink: ArchiveSink;
  readonly #files: BackupManifest['files'] = [];
  bytes = 0;

  constructor(sink: ArchiveSink) {
    this.#sink = sink;
  }

  /** Writes a file. */
  async add(path: string, content: Buffer | object): Promise<void> {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    await this.addFile(path, bytes.length, [bytes]);
  }

  /** Writes a file of a known length. */
  async addFile(
    path: string,
    bytes: number,
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  ): Promise<void> {
    const hash = createHash('sha256');
    let written = 0;
    await this.#write(tarHeader(path, bytes));
    for await (const chunk of chunks) {
      written += chunk.length;
      hash.update(chunk);
      await this.#write(chunk);
    }
    if (written !== bytes) throw new Error(`${path} has ${written} bytes instead of ${bytes}.`);
    await this.#write(tarPadding(bytes));
    this.#files.push([path, bytes, hash.digest('hex')]);
  }

  /** Writes a stream as `<folder>/000001` and so on, at least one. */
  async addStream(folder: string, chunks: AsyncIterable<Buffer>): Promise<void> {
    let part: Buffer[] = [];
    let bytes = 0;
    let number = 0;
    const flush = async () => {
      number += 1;
      await this.addFile(`${folder}/${String(number).padStart(6, '0')}`, bytes, part);
      part = [];
      bytes = 0;
    };
    for await (const chunk of chunks) {
      part.push(chunk);
      bytes += chunk.length;
      if (bytes >= PART_BYTES) await flush();
    }
    if (bytes > 0 || number === 0) await flush();
  }

  /** Writes the manifest and the end. */
  async finish(rest: Omit<BackupManifest, 'files'>): Promise<void> {
    await this.add(MANIFEST_FILE, { files: [...this.#files], ...rest } satisfies BackupManifest);
    await this.#write(tarEnd());
  }

  async #write(chunk: Buffer): Promise<void> {
    if (chunk.length === 0) return;
    this.bytes += chunk.length;
    await this.#sink.write(chunk);
  }
}

/** Reads the files of a backup in their order, and adds each to `files` with its checksum once it was read. */
export async function* readArchive(
  source: AsyncIterable<Buffer>,
  files: BackupManifest['files'],
): AsyncGenerator<TarEntry, void, undefined> {
  for await (const { name: path, bytes, content } of readTar(source)) {
    const hash = createHash('sha256');
    const hashed = updateHash(content, hash);
    yield { name: path, bytes, content: hashed };
    for await (const _ of hashed);
    files.push([path, bytes, hash.digest('hex')]);
  }
}

async function* updateHash(content: TarEntry['content'], hash: Hash): TarEntry['content'] {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
