import type { BackupHeader, BackupManifest } from './archive.ts';
import { beginLoad, type DatabaseLoad } from './load-database.ts';
import { backupDamaged } from './tar.ts';

/** Rows that wait in memory while the database is being created. */
const MAX_WAITING_BYTES = 64 * 2 ** 20;

/** A load that takes rows before its database is ready. Errors of the database come with a later call, at the latest with `finish`. */
export interface QueuedLoad {
  addRows(table: string, chunks: AsyncIterable<Buffer>): Promise<void>;
  setSequences(content: Buffer): Promise<void>;
  addJobs(chunks: AsyncIterable<Buffer>): Promise<void>;
  /** Begins to check the references between tables, once: no rows follow. Throws when something has failed. */
  endRows(): void;
  finish(expected: Pick<BackupManifest, 'rows' | 'jobs'>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database and begins to load it while the backup is read on; `openDatabase` returns its URL. */
export function queueLoad(openDatabase: () => Promise<string>, header: BackupHeader): QueuedLoad {
  const opening = openDatabase().then((url) => beginLoad(url, header));
  let failure: { error: unknown } | null = null;
  let last: Promise<void> = opening.then(() => {}).catch(fail);
  let waitingBytes = 0;
  let hasEnded = false;
  function fail(error: unknown) {
    failure ??= { error };
  }
  const rethrow = () => {
    if (failure !== null) throw failure.error;
  };
  const enqueue = (work: (load: DatabaseLoad) => Promise<void>) => {
    last = last.then(async () => {
      if (failure === null) await work(await opening).catch(fail);
    });
  };
  const addChunks = async (
    chunks: AsyncIterable<Buffer>,
    add: (load: DatabaseLoad, chunk: Buffer) => Promise<void>,
  ) => {
    for await (const chunk of chunks) {
      rethrow();
      waitingBytes += chunk.length;
      enqueue((load) => add(load, chunk).finally(() => (waitingBytes -= chunk.length)));
      if (waitingBytes > MAX_WAITING_BYTES) await last;
    }
  };
  return {
    async addRows(table, chunks) {
      if (hasEnded) throw backupDamaged();
      // A table without rows is known as well.
      enqueue((load) => load.beginTable(table));
      await addChunks(chunks, (load, chunk) => load.addRows(chunk));
    },
    async setSequences(content) {
      enqueue((load) => load.setSequences(content));
    },
    addJobs: (chunks) => addChunks(chunks, (load, chunk) => load.addJobs(chunk)),
    endRows() {
      rethrow();
      if (hasEnded) return;
      hasEnded = true;
      enqueue((load) => load.checkReferences());
    },
    async finish(expected) {
      enqueue((load) => load.finish(expected));
      await last;
      rethrow();
    },
    async close() {
      // What is under way ends first: a database that is being created would outlive its folder.
      await last;
      await opening.then(
        (load) => load.close(),
        () => {},
      );
    },
  };
}
