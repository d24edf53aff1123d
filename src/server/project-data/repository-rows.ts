import type { Kysely, Transaction } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Refs } from '#git/ref-updates.ts';
import type { StoredFile } from '#storage/stored-files.ts';

/** Path of a published repository below the folder of its project. */
export const REPOSITORY_FOLDER = 'repo.git';
/** Folder of the refs that keep the commits of pushes. */
export const PUSHES_FOLDER = 'refs/hindsight/pushes';

/** A pack of new commits that the published repository lacks. */
export interface StoredPack {
  name: string;
  objects: string[];
  bytes: number;
}

/** Repository of a project as the rows have it. */
export interface RepositoryState {
  version: string;
  /** Null until the repository is published in the object store. */
  published: { files: StoredFile[]; version: number } | null;
  packs: StoredPack[];
  /** Branches of users, and the commits of pushes under way. */
  refs: Refs;
}

/** Reads the version of a repository; null for one whose branches are not rows yet. */
export async function readRepositoryVersion(db: Kysely<Database>, projectId: string): Promise<string | null> {
  const row = await db
    .selectFrom('repositories')
    .select('version')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row?.version ?? null;
}

/** Reads all that belongs to one version of a repository; null for one whose branches are not rows yet. */
export async function readRepositoryState(
  db: Kysely<Database>,
  projectId: string,
): Promise<RepositoryState | null> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const version = await readRepositoryVersion(trx, projectId);
      if (version === null) return null;
      const published = await trx
        .selectFrom('project_files')
        .select(['files', 'published_at'])
        .where('project_id', '=', projectId)
        .where('path', '=', REPOSITORY_FOLDER)
        .executeTakeFirst();
      const packs = await trx
        .selectFrom('repository_packs')
        .select(['name', 'objects', 'bytes'])
        .where('project_id', '=', projectId)
        .execute();
      return {
        version,
        published: published ? { files: published.files, version: published.published_at.getTime() } : null,
        packs: packs.map(({ bytes, ...pack }) => ({ ...pack, bytes: Number(bytes) })),
        refs: await readRefRows(trx, projectId),
      };
    });
}

async function readRefRows(db: Kysely<Database>, projectId: string): Promise<Refs> {
  const branches = await db
    .selectFrom('branches')
    .select(['name', 'head'])
    .where('project_id', '=', projectId)
    .execute();
  const pushes = await db
    .selectFrom('pushes')
    .select(['id', 'head'])
    .where('project_id', '=', projectId)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return new Map([
    ...branches.map(({ name, head }): [string, string] => [`refs/heads/${name}`, head]),
    ...pushes.map(({ id, head }): [string, string] => [`${PUSHES_FOLDER}/${id}`, head]),
  ]);
}

/** Makes the rows of branches authoritative: until then the refs of the repository were. Does nothing later on. */
export async function adoptRefs(db: Kysely<Database>, projectId: string, local: Refs): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const added = await trx
      .insertInto('repositories')
      .columns(['project_id'])
      .expression(trx.selectFrom('projects').select('id').where('id', '=', projectId))
      .onConflict((conflict) => conflict.column('project_id').doNothing())
      .returning('project_id')
      .executeTakeFirst();
    if (!added) return;
    for (const [ref, head] of await readRefRows(trx, projectId)) {
      const found = local.get(ref);
      if (!ref.startsWith('refs/heads/') || found === undefined || found === head) continue;
      await trx
        .updateTable('branches')
        .set({ head: found })
        .where('project_id', '=', projectId)
        .where('name', '=', ref.slice('refs/heads/'.length))
        .execute();
    }
  });
}

/** Makes other changes of names wait until this one is committed. */
export async function lockRepository(trx: Transaction<Database>, projectId: string): Promise<void> {
  await trx
    .selectFrom('repositories')
    .select('version')
    .where('project_id', '=', projectId)
    .forUpdate()
    .execute();
}

/** Counts the version up at the end of a change; other changes of the same repository wait until it is committed. */
export async function countVersionUp(trx: Transaction<Database>, projectId: string): Promise<string> {
  const { version } = await trx
    .updateTable('repositories')
    .set((row) => ({ version: row('version', '+', '1') }))
    .where('project_id', '=', projectId)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Names a pack that lies in the object store. */
export async function savePack(
  trx: Transaction<Database>,
  projectId: string,
  pack: StoredPack,
): Promise<void> {
  await trx
    .insertInto('repository_packs')
    .values({ project_id: projectId, ...pack })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .execute();
}

/** Forgets packs that the published repository has. */
export async function deletePacks(
  trx: Transaction<Database>,
  projectId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  await trx
    .deleteFrom('repository_packs')
    .where('project_id', '=', projectId)
    .where('name', 'in', [...names])
    .execute();
}
