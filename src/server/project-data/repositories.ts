import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { Database } from '#db/schema.ts';
import { consolidatePacks } from '#git/packs.ts';
import { listRefs, updateRefs } from '#git/ref-updates.ts';
import type { ObjectStore } from '#storage/object-store.ts';
import type { StoredFile } from '#storage/stored-files.ts';
import { createKeyedQueue, exists } from './cached-files.ts';
import { missingIndex } from './missing-index.ts';
import { saveFileVersion } from './published-files.ts';
import {
  createEmptyRepository,
  downloadPack,
  downloadRepository,
  type RepositoryPlace,
  uploadNewObjects,
  uploadRepository,
} from './repository-files.ts';
import {
  adoptRefs,
  countVersionUp,
  deletePacks,
  PUSHES_FOLDER,
  REPOSITORY_FOLDER,
  type RepositoryState,
  readRepositoryState,
  readRepositoryVersion,
  savePack,
} from './repository-rows.ts';
import { projectStorage } from './storage.ts';

/** A change of branches or pushes. */
interface RefChange {
  /** Changes rows and writes objects; returns what was written, or null when nothing has changed. */
  apply(trx: Transaction<Database>): Promise<WrittenObjects | null>;
  /** Moves the ref on this disk once the rows are committed; false when it could not. */
  move(repo: string): Promise<boolean>;
}

/** New objects of a change. */
interface WrittenObjects {
  /** Null without new objects. */
  commit: string | null;
  /** Commits that the store has with all that they reach. */
  known: readonly string[];
}

/** Steps of a change, after which a process may be killed. */
export type ChangeStep = 'written' | 'stored' | 'committed' | 'moved';

/** Options of the repositories; `store` is null where this disk holds them. */
interface RepositoriesOptions {
  db: Kysely<Database>;
  dataDir: string;
  store: ObjectStore | null;
  onStep?: ((step: ChangeStep) => void) | undefined;
}

/** State of a repository on this disk. */
interface LocalRepository {
  /** Null when a ref could not be moved: the next use synchronizes. */
  version: string | null;
  published: RepositoryState['published'];
  /** Names of stored packs whose objects are here. */
  packs: Set<string>;
}

/** Time that a request waits for a repository that is being fetched. */
const MAX_WAIT_MS = 20_000;
const MAX_ATTEMPTS = 5;
/** Version of a change that no other disk has to follow. */
const UNVERSIONED = 'unversioned';
const OWN_REFS = ['refs/heads', PUSHES_FOLDER];
const UNFINISHED_FOLDER = 'unfinished';

/**
 * Repositories of projects. The heads of branches are rows, and the refs on a disk follow them; with an object store, the objects
 * of a new commit are stored before its row is committed, so that every server has what one has acknowledged.
 */
export class Repositories {
  readonly #db: Kysely<Database>;
  readonly #dataDir: string;
  readonly #store: ObjectStore | null;
  readonly #onStep: (step: ChangeStep) => void;
  readonly #local = new Map<string, LocalRepository>();
  readonly #usedAt = new Map<string, number>();
  /** Jobs that are working on a repository, by project. */
  readonly #holders = new Map<string, number>();
  readonly #enqueue = createKeyedQueue();

  constructor({ db, dataDir, store, onStep = () => {} }: RepositoriesOptions) {
    this.#db = db;
    this.#dataDir = dataDir;
    this.#store = store;
    this.#onStep = onStep;
  }

  /** Returns the path of a repository after bringing it to what all servers have acknowledged. */
  async open(projectId: string): Promise<string> {
    const { repo } = this.#place(projectId);
    this.#usedAt.set(projectId, Date.now());
    // Most requests need neither a timer nor the queue.
    if (await this.#isUpToDate(projectId)) return repo;
    const waited = new AbortController();
    const limit = sleep(MAX_WAIT_MS, undefined, { signal: waited.signal, ref: false }).then(async () => {
      throw await missingIndex({ db: this.#db }, projectId);
    });
    try {
      await Promise.race([this.#bringUpToDate(projectId), limit]);
    } finally {
      waited.abort();
      limit.catch(() => {});
    }
    return repo;
  }

  /** Runs a job on a repository, which stays on this disk until it ends. */
  async hold<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    this.#holders.set(projectId, (this.#holders.get(projectId) ?? 0) + 1);
    try {
      await this.#bringUpToDate(projectId);
      return await work();
    } finally {
      this.#usedAt.set(projectId, Date.now());
      const holders = this.#holders.get(projectId)! - 1;
      if (holders > 0) this.#holders.set(projectId, holders);
      else this.#holders.delete(projectId);
    }
  }

  /**
   * Changes branches or pushes: objects are written, then stored, then the rows are committed, then the refs of this disk move. The
   * caller holds the locks of the branches until it returns.
   */
  async change(projectId: string, { apply, move }: RefChange): Promise<void> {
    const repo = await this.open(projectId);
    if (this.#store !== null && !this.#local.get(projectId)?.published) await this.publish(projectId);
    let stored: string | null = null;
    const version = await this.#db.transaction().execute(async (trx) => {
      const written = await apply(trx);
      if (written === null) return null;
      this.#onStep('written');
      stored = await this.#storeObjects(trx, projectId, written);
      // One disk has no other to tell.
      return this.#store === null ? UNVERSIONED : await countVersionUp(trx, projectId);
    });
    if (version === null) return;
    this.#onStep('committed');
    await this.#enqueue(projectId, async () => {
      const isMoved = await move(repo).catch(() => false);
      const local = this.#local.get(projectId);
      if (!local) return;
      if (stored !== null) local.packs.add(stored);
      // Where another change came between, the next use synchronizes.
      if (!isMoved || !isNext(local.version, version)) local.version = null;
      else if (version !== UNVERSIONED) local.version = version;
    });
    this.#onStep('moved');
  }

  /** Publishes the repository of this disk with all packs; without an object store it does nothing. */
  async publish(projectId: string): Promise<void> {
    if (this.#store === null) return;
    for (let attempt = 1; ; attempt++) {
      await this.#bringUpToDate(projectId);
      const place = this.#storedPlace(projectId);
      const state = await readRepositoryState(this.#db, projectId);
      const local = this.#local.get(projectId);
      if (state === null || !local || !(await exists(place.repo))) return;
      // What a pack brought is on this disk, and is loose or in a pack of its own.
      const folded = state.packs.map(({ name }) => name).filter((name) => local.packs.has(name));
      await consolidatePacks(place.repo);
      const files = await uploadRepository(place, state.published?.files ?? []);
      const isSame = JSON.stringify(files) === JSON.stringify(state.published?.files);
      if (isSame && folded.length === 0) return;
      if (await this.#savePublished(projectId, { state, files, folded })) return;
      if (attempt === MAX_ATTEMPTS) throw new AppError('unavailable', 'branch_locked', { retryAfter: 2 });
    }
  }

  /** True where an object store shares the commits with other disks. */
  get isShared(): boolean {
    return this.#store !== null;
  }

  /** True while a job works on the repository. */
  isHeld(projectId: string): boolean {
    return this.#holders.has(projectId);
  }

  /** Time of the last use in milliseconds since 1970; 0 where this process has not used it. */
  usedAt(projectId: string): number {
    return this.#usedAt.get(projectId) ?? 0;
  }

  /** Stores new objects and names their pack; returns its name, or null where there is none. */
  async #storeObjects(
    trx: Transaction<Database>,
    projectId: string,
    { commit, known }: WrittenObjects,
  ): Promise<string | null> {
    if (commit === null || this.#store === null) return null;
    const pack = await uploadNewObjects(this.#storedPlace(projectId), { commit, known });
    this.#onStep('stored');
    if (pack !== null) await savePack(trx, projectId, pack);
    return pack?.name ?? null;
  }

  async #savePublished(
    projectId: string,
    { state, files, folded }: { state: RepositoryState; files: StoredFile[]; folded: string[] },
  ): Promise<boolean> {
    const saved = await this.#db.transaction().execute(async (trx) => {
      const version = await countVersionUp(trx, projectId);
      const current = await trx
        .selectFrom('project_files')
        .select('published_at')
        .where('project_id', '=', projectId)
        .where('path', '=', REPOSITORY_FOLDER)
        .executeTakeFirst();
      // Another server has published meanwhile.
      if ((current?.published_at.getTime() ?? null) !== (state.published?.version ?? null)) return null;
      const published = await saveFileVersion(trx, { projectId, path: REPOSITORY_FOLDER, files });
      await deletePacks(trx, projectId, folded);
      return published === null ? null : { version, published };
    });
    const local = this.#local.get(projectId);
    if (saved === null || !local) return saved !== null;
    local.published = { files, version: saved.published };
    for (const name of folded) local.packs.delete(name);
    local.version = isNext(local.version, saved.version) ? saved.version : null;
    return true;
  }

  async #bringUpToDate(projectId: string): Promise<void> {
    this.#usedAt.set(projectId, Date.now());
    if (await this.#isUpToDate(projectId)) return;
    await this.#enqueue(projectId, async () => {
      if (await this.#isUpToDate(projectId)) return;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
        if (await this.#synchronize(projectId)) return;
    });
  }

  async #isUpToDate(projectId: string): Promise<boolean> {
    const local = this.#local.get(projectId);
    // One process or several share the refs of this disk: only a killed one leaves them behind its rows.
    if (this.#store === null) return local !== undefined && local.version !== null;
    const version = await readRepositoryVersion(this.#db, projectId);
    return local !== undefined && version === local.version && (await this.#isHere(projectId));
  }

  /** Brings the repository on this disk to that of the rows; false when a ref has moved meanwhile. */
  async #synchronize(projectId: string): Promise<boolean> {
    const { repo } = this.#place(projectId);
    const isHere = await this.#isHere(projectId);
    // Before the rows are read: a ref that is new in between has its row.
    const refs = isHere ? await listRefs(repo, OWN_REFS) : new Map<string, string>();
    if (isHere && (await readRepositoryVersion(this.#db, projectId)) === null)
      await adoptRefs(this.#db, projectId, refs);
    const state = await readRepositoryState(this.#db, projectId);
    if (state === null) return true;
    if (!isHere) return await this.#restore(projectId, state);
    const local = this.#local.get(projectId);
    if (this.#store !== null) await this.#fetch(this.#storedPlace(projectId), state, local);
    if (!(await updateRefs(repo, { from: refs, to: state.refs, reflog: true }))) return false;
    this.#remember(projectId, state);
    return true;
  }

  /** Fetches what the store has beyond a state of this disk. */
  async #fetch(
    place: RepositoryPlace,
    { published, packs }: RepositoryState,
    local: LocalRepository | undefined,
  ): Promise<void> {
    for (const pack of packs) {
      if (local?.packs.has(pack.name)) continue;
      if (!(await exists(join(place.repo, `objects/pack/pack-${pack.name}.idx`))))
        await downloadPack(place, pack);
    }
    if (published === null || published.version === local?.published?.version) return;
    const current = new Set(packs.map(({ name }) => name));
    const folded = [...(local?.packs ?? [])].filter((name) => !current.has(name));
    const previous = [
      ...(local?.published?.files ?? []),
      ...folded.flatMap((name) =>
        ['pack', 'idx'].map((end) => ({ name: `objects/pack/pack-${name}.${end}`, bytes: 0, objects: [] })),
      ),
    ];
    await downloadRepository(place, { files: published.files, previous });
  }

  /** Fetches a whole repository, which becomes visible when it is complete. */
  async #restore(projectId: string, state: RepositoryState): Promise<boolean> {
    if (this.#store === null || state.published === null) return true;
    const place = this.#storedPlace(projectId);
    const repo = join(place.unfinished, `repository-${randomBytes(6).toString('hex')}`);
    try {
      await createEmptyRepository(repo, state.published.files);
      await this.#fetch({ ...place, repo }, state, undefined);
      await updateRefs(repo, { from: new Map(), to: state.refs, reflog: true });
      await rm(place.repo, { recursive: true, force: true });
      await rename(repo, place.repo);
    } finally {
      await rm(repo, { recursive: true, force: true });
    }
    this.#remember(projectId, state);
    return true;
  }

  #remember(projectId: string, { version, published, packs }: RepositoryState): void {
    const names = new Set(packs.map(({ name }) => name));
    this.#local.set(projectId, { version, published, packs: names });
  }

  async #isHere(projectId: string): Promise<boolean> {
    return await exists(join(this.#place(projectId).repo, 'HEAD'));
  }

  #place(projectId: string): Omit<RepositoryPlace, 'store'> {
    const { root, repo } = projectStorage(this.#dataDir, projectId);
    return { prefix: projectId, repo, unfinished: join(root, UNFINISHED_FOLDER) };
  }

  #storedPlace(projectId: string): RepositoryPlace {
    return { ...this.#place(projectId), store: this.#store! };
  }
}

/** True when no other change lies between two versions. */
function isNext(before: string | null, after: string): boolean {
  return before !== null && (after === UNVERSIONED || BigInt(before) + 1n === BigInt(after));
}
