import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { ObjectStore } from '#storage/object-store.ts';
import { CachedProjectFiles } from './cached-project-files.ts';
import { type ChangeStep, Repositories } from './repositories.ts';

/**
 * Files and folders of projects, by their path below the folder of the project. With an object store they are published there,
 * each version by one row, and the disk is a cache. Without one they lie on this disk alone, and nothing here does anything.
 */
export interface ProjectFileStore {
  /** Repositories, whose branches are rows. */
  readonly repositories: Repositories;
  /** Fetches a file or folder that is not on this disk; what is there is taken as it is. */
  fetch(projectId: string, path: string): Promise<void>;
  /**
   * Fetches a file or folder that is not on this disk; one that is there is used while it is brought to the published version. For
   * what can be made again: a damaged version is withdrawn.
   */
  follow(projectId: string, path: string): Promise<void>;
  /** Brings a file or folder on this disk to the published version, whole and verified. */
  refresh(projectId: string, path: string): Promise<void>;
  /** Publishes a file or folder of this disk; files of another path that it shares are not read again. */
  publish(projectId: string, path: string, sharedWith?: string | null): Promise<void>;
  /** Runs work that changes a file or folder, on the published version, and publishes the result, also of failed work. */
  update<T>(projectId: string, path: string, work: () => Promise<T>): Promise<T>;
  /** Withdraws files and folders, which are then deleted from the store. */
  withdraw(projectId: string, paths: readonly string[]): Promise<void>;
  /** Withdraws all below a folder but these paths. */
  withdrawOthers(projectId: string, folder: string, kept: readonly string[]): Promise<void>;
  /** Deletes what a removed project has in the store. */
  deleteProject(projectId: string): Promise<void>;
  /** Deletes the least recently used files from this disk while they exceed the limit. */
  evict(maxBytes: number, now?: number): Promise<void>;
  /** Deletes what killed processes left unfinished; no other process may use the disk. */
  removeUnfinished(): Promise<void>;
  /** Deletes objects that no version has named for a day. */
  deleteUnreferenced(signal: AbortSignal, now?: number): Promise<void>;
}

const doNothing = async () => {};

/** Files of projects on this disk alone. */
const LOCAL_FILES: Omit<ProjectFileStore, 'repositories'> = {
  fetch: doNothing,
  follow: doNothing,
  refresh: doNothing,
  publish: doNothing,
  update: async (_projectId, _path, work) => await work(),
  withdraw: doNothing,
  withdrawOthers: doNothing,
  deleteProject: doNothing,
  evict: doNothing,
  removeUnfinished: doNothing,
  deleteUnreferenced: doNothing,
};

/** Opens the files of all projects; `store` is null where `DATA_DIR` holds them. */
export function openProjectFiles(options: {
  db: Kysely<Database>;
  dataDir: string;
  store: ObjectStore | null;
  /** Called between the steps of a change of branches. */
  onStep?: (step: ChangeStep) => void;
}): ProjectFileStore {
  const { store } = options;
  const repositories = new Repositories(options);
  return store === null
    ? { ...LOCAL_FILES, repositories }
    : new CachedProjectFiles({ ...options, store, repositories });
}
