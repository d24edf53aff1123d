import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { type CachedFiles, selectEvictions } from '#storage/disk-cache.ts';
import type { ObjectStore } from '#storage/object-store.ts';
import { downloadFiles, isSameFile, type StoredFile, uploadFiles } from '#storage/stored-files.ts';
import { createKeyedQueue, downloadWhole, exists, listNames, removeUnlistedFiles } from './cached-files.ts';
import type { ProjectFileStore } from './project-files.ts';
import { findFileVersion, saveFileVersion } from './published-files.ts';
import type { Repositories } from './repositories.ts';
import { REPOSITORY_FOLDER } from './repository-rows.ts';
import { isDamage, projectStorage } from './storage.ts';
import { deleteUnreferenced } from './unreferenced-objects.ts';

interface CachedFilesOptions {
  db: Kysely<Database>;
  dataDir: string;
  store: ObjectStore;
  repositories: Repositories;
}

const ignore = () => {};

const UNFINISHED_FOLDER = 'unfinished';

/** Files of projects in an object store, with this disk as a cache of them. */
export class CachedProjectFiles implements ProjectFileStore {
  readonly repositories: Repositories;
  readonly #db: Kysely<Database>;
  readonly #dataDir: string;
  readonly #store: ObjectStore;
  /** Versions on this disk, and the time of their last use, by path on this disk. */
  readonly #versions = new Map<string, number>();
  readonly #usedAt = new Map<string, number>();
  /** Paths that are being refreshed while they are in use, and those that this process is changing. */
  readonly #following = new Set<string>();
  readonly #changing = new Set<string>();
  readonly #enqueue = createKeyedQueue();

  constructor({ db, dataDir, store, repositories }: CachedFilesOptions) {
    this.repositories = repositories;
    this.#db = db;
    this.#dataDir = dataDir;
    this.#store = store;
  }

  async fetch(projectId: string, path: string): Promise<void> {
    const local = this.#use(projectId, path);
    if (await exists(local)) return;
    await this.#enqueue(local, async () => {
      if (await exists(local)) return;
      const found = await findFileVersion(this.#db, projectId, path);
      if (found === null) return;
      const unfinished = this.#unfinished(projectId);
      await downloadWhole(this.#store, { prefix: projectId, path: local, files: found.files, unfinished });
      this.#versions.set(local, found.version);
    });
  }

  async follow(projectId: string, path: string): Promise<void> {
    const local = this.#use(projectId, path);
    if (!(await exists(local)))
      return await this.fetch(projectId, path).catch(this.#withdrawDamaged(projectId, path));
    if (this.#following.has(local)) return;
    this.#following.add(local);
    // The version on this disk answers meanwhile, and the next call tries again.
    void this.refresh(projectId, path)
      .catch(ignore)
      .finally(() => this.#following.delete(local));
  }

  async refresh(projectId: string, path: string): Promise<void> {
    const local = this.#use(projectId, path);
    await this.#enqueue(local, async () => {
      if (this.#changing.has(local)) return;
      const found = await findFileVersion(this.#db, projectId, path);
      if (found === null) return;
      if (this.#versions.get(local) === found.version && (await exists(local))) return;
      const changed: StoredFile[] = [];
      for (const file of found.files)
        if (!(await isSameFile(join(local, file.name), file))) changed.push(file);
      const unfinished = this.#unfinished(projectId);
      await downloadFiles(this.#store, { prefix: projectId, path: local, files: changed, unfinished });
      await removeUnlistedFiles(local, found.files);
      this.#versions.set(local, found.version);
    });
  }

  async publish(projectId: string, path: string, sharedWith: string | null = path): Promise<void> {
    const local = this.#use(projectId, path);
    const names = await listNames(local);
    if (names.length === 0) return;
    const known = sharedWith === null ? null : await findFileVersion(this.#db, projectId, sharedWith);
    const upload = { prefix: projectId, path: local, names, known: known?.files ?? null };
    const files = await uploadFiles(this.#store, upload);
    const version = await saveFileVersion(this.#db, { projectId, path, files });
    if (version !== null) this.#versions.set(local, version);
  }

  async update<T>(projectId: string, path: string, work: () => Promise<T>): Promise<T> {
    await this.refresh(projectId, path).catch(this.#withdrawDamaged(projectId, path));
    // A refresh that waits for its turn sees it, and one that runs has ended before that of above.
    const local = this.#use(projectId, path);
    this.#changing.add(local);
    try {
      const result = await work().catch(async (error: unknown) => {
        // Finished parts survive, as they do on disk.
        await this.publish(projectId, path).catch(ignore);
        throw error;
      });
      await this.publish(projectId, path);
      return result;
    } finally {
      this.#changing.delete(local);
    }
  }

  async withdraw(projectId: string, paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const rows = this.#db.deleteFrom('project_files').where('project_id', '=', projectId);
    await rows.where('path', 'in', [...paths]).execute();
  }

  async withdrawOthers(projectId: string, folder: string, kept: readonly string[]): Promise<void> {
    const rows = this.#db.deleteFrom('project_files').where('project_id', '=', projectId);
    await rows
      .where('path', 'like', `${folder}/%`)
      .where('path', 'not in', [...kept])
      .execute();
  }

  async deleteProject(projectId: string): Promise<void> {
    try {
      for await (const { key } of this.#store.list(projectId)) await this.#store.delete(key);
    } catch {
      // The cleanup job deletes what is left.
    }
  }

  async evict(maxBytes: number, now = Date.now()): Promise<void> {
    await this.#removeDeletedProjects();
    const cached = (await this.#listCached()).filter(({ path }) => !this.#changing.has(path));
    for (const { path, projectId } of selectEvictions(cached, { maxBytes, now })) {
      const removed = join(this.#unfinished(projectId), randomBytes(6).toString('hex'));
      await mkdir(dirname(removed), { recursive: true, mode: 0o700 });
      await rename(path, removed);
      await rm(removed, { recursive: true, force: true });
    }
  }

  async removeUnfinished(): Promise<void> {
    const projects = await this.#db.selectFrom('projects').select('id').execute();
    for (const { id } of projects) await rm(this.#unfinished(id), { recursive: true, force: true });
  }

  async deleteUnreferenced(signal: AbortSignal, now = Date.now()): Promise<void> {
    await deleteUnreferenced({ db: this.#db, store: this.#store, now }, signal);
  }

  /** Removes the folders of projects that were deleted on other servers. */
  async #removeDeletedProjects(): Promise<void> {
    const folder = dirname(projectStorage(this.#dataDir, 'any').root);
    const names = (await readdir(folder, { withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    if (names.length === 0) return;
    const rows = await this.#db.selectFrom('projects').select('id').where('id', 'in', names).execute();
    const known = new Set(rows.map(({ id }) => id));
    for (const name of names)
      if (!known.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }

  /** Withdraws a version whose objects are missing or damaged, so that the next one is written as a whole. */
  #withdrawDamaged(projectId: string, path: string): (error: unknown) => Promise<void> {
    return async (error) => {
      if (!(error instanceof AppError) || !isDamage(error)) throw error;
      await this.withdraw(projectId, [path]);
    };
  }

  /** Published files that are on this disk. */
  async #listCached(): Promise<(CachedFiles & { projectId: string })[]> {
    const rows = await this.#db.selectFrom('project_files').select(['project_id', 'path', 'bytes']).execute();
    const cached: (CachedFiles & { projectId: string })[] = [];
    for (const { project_id: projectId, path, bytes } of rows) {
      const local = join(projectStorage(this.#dataDir, projectId).root, path);
      const found = await stat(local).catch(() => null);
      const isRepository = path === REPOSITORY_FOLDER;
      if (isRepository && this.repositories.isHeld(projectId)) continue;
      const used = isRepository ? this.repositories.usedAt(projectId) : this.#usedAt.get(local);
      const usedAt = used || (found?.mtimeMs ?? 0);
      if (found) cached.push({ projectId, path: local, bytes: Number(bytes), usedAt });
    }
    return cached;
  }

  /** Folder of what is being fetched or deleted; killed processes leave files there. */
  #unfinished(projectId: string): string {
    return join(projectStorage(this.#dataDir, projectId).root, UNFINISHED_FOLDER);
  }

  /** Path on this disk, which is in use from now on. */
  #use(projectId: string, path: string): string {
    const local = join(projectStorage(this.#dataDir, projectId).root, path);
    this.#usedAt.set(local, Date.now());
    return local;
  }
}
