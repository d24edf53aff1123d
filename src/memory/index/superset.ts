import { link, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isIndexablePath } from '#git/paths.ts';
import { listTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { type IndexLimits, MAX_TREE_PATH_CHARS } from '../limits.ts';
import type { RepositoryIndex, SharedIndex } from '../repository-index.ts';
import { COMMIT_SEGMENT, HISTORY_FILE, readGeneration } from './generation-reader.ts';
import { runIndexTask } from './index-process.ts';
import { createSnapshot, type TreeFile } from './snapshot.ts';

/** Input of `addRevisions`. */
interface AddRevisionsOptions {
  /** Absolute path of the bare repository. */
  repo: string;
  /** Folder of the generation that revisions are added to, and its buffers. */
  generation: string;
  shared: SharedIndex;
  /** The commit that the generation indexes. */
  revision: string;
  /** Full hashes of commits that it reaches, whose trees are added. */
  others: readonly string[];
  /** A new folder on the same disk with a unique name, which the caller removes. */
  folder: string;
  limits: IndexLimits;
  signal: AbortSignal;
}

/**
 * Builds a superset: a generation with the code of further revisions, of which a process indexes only the contents that it
 * lacks. It contains all revisions at once, so read it through `snapshotAt`. Throws as `buildIndex` does.
 */
export async function addRevisions(options: AddRevisionsOptions): Promise<SharedIndex> {
  const { repo, generation, shared, revision, others, folder, limits, signal } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(generation)) {
    if (name === HISTORY_FILE || name.startsWith(COMMIT_SEGMENT))
      await link(join(generation, name), join(folder, name));
  }
  const task = { kind: 'code' as const, repo, revision, others, folder, previous: generation, limits };
  await runIndexTask(task, { onProgress: () => {}, signal });
  const buffers = new Map(
    [...shared.commits.segments, ...(shared.code?.segments ?? [])].map(({ name, buffer }) => [name, buffer]),
  );
  return await readGeneration(dirname(folder), basename(folder), (name) => buffers.get(name));
}

/** Files of a snapshot: a past tree may be larger than any that was indexed. */
const MAX_SNAPSHOT_FILES = 1_000_000;

/** Opens a superset at one of its revisions, a full hash. Throws `not_found` for a commit that it lacks. */
export async function snapshotAt(
  repo: string,
  superset: RepositoryIndex,
  revision: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<RepositoryIndex> {
  const files: TreeFile[] = [];
  let chars = 0;
  for await (const { type, path, oid } of listTree(repo, revision, { signal })) {
    if (type !== 'blob' || path === null || !isIndexablePath(path)) continue;
    files.push({ path, oid });
    chars += path.length;
    if (files.length >= MAX_SNAPSHOT_FILES || chars > MAX_TREE_PATH_CHARS) break;
  }
  await yieldIfDue(signal);
  return createSnapshot(superset, revision, files).snapshot;
}
