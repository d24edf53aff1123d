import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { type ObjectStore, objectKey } from '#storage/object-store.ts';
import { UNREFERENCED_OBJECT_MS } from '#storage/stored-files.ts';

/** Objects of a project that are examined together: their deletion locks the row of the project. */
const BATCH_SIZE = 20;

/**
 * Deletes the objects of a store that no row names and that were written more than a day ago: those of replaced versions, deleted
 * projects and killed uploads.
 */
export async function deleteUnreferenced(
  { db, store, now }: { db: Kysely<Database>; store: ObjectStore; now: number },
  signal: AbortSignal,
): Promise<void> {
  let batch: string[] = [];
  const folderOf = (key: string) => key.slice(0, Math.max(0, key.indexOf('/')));
  const flush = async () => {
    const keys = batch;
    batch = [];
    if (keys[0] !== undefined) await deleteBatch({ db, store, now }, folderOf(keys[0]), keys);
  };
  for await (const { key, modified } of store.list(null, signal)) {
    signal.throwIfAborted();
    if (now - modified.getTime() < UNREFERENCED_OBJECT_MS || folderOf(key) === '') continue;
    if (batch.length === BATCH_SIZE || (batch[0] !== undefined && folderOf(batch[0]) !== folderOf(key)))
      await flush();
    batch.push(key);
  }
  await flush();
}

/** Deletes those of a project's objects that no row names. Locks out new versions, which refer to its row. */
async function deleteBatch(
  { db, store, now }: { db: Kysely<Database>; store: ObjectStore; now: number },
  projectId: string,
  keys: readonly string[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate().execute();
    const rows = await trx
      .selectFrom('project_files')
      .select('files')
      .where('project_id', '=', projectId)
      .execute();
    const packs = await trx
      .selectFrom('repository_packs')
      .select('objects')
      .where('project_id', '=', projectId)
      .execute();
    const hashes = [...rows.flatMap(({ files }) => files), ...packs].flatMap(({ objects }) => objects);
    const named = new Set(hashes.map((hash) => objectKey(projectId, hash)));
    for (const key of keys) {
      if (named.has(key)) continue;
      // An upload may have written it again since it was listed.
      const found = await store.head(key);
      if (found && now - found.modified.getTime() >= UNREFERENCED_OBJECT_MS) await store.delete(key);
    }
  });
}
