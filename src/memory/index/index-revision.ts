import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { log } from '#git/log.ts';
import { requireReadableTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { toSharedSections, viewSharedSections } from '../bytes/shared-sections.ts';
import { chunkFileInProcess } from '../chunk/parser-processes.ts';
import { budgetForIndexBytes, type IndexLimits } from '../limits.ts';
import type { RepositoryIndex, SharedPart } from '../repository-index.ts';
import { buildFileTable, listFiles } from './build-code.ts';
import { CODE_SEGMENT, COMMIT_SEGMENT, FILES_FILE, HISTORY_FILE, openIndex } from './generation-reader.ts';
import { indexContents } from './index-contents.ts';
import { IndexedContents, toIndexedSegment } from './indexed-contents.ts';
import { CodeSegmentBuilder } from './segments/code-segment-builder.ts';
import { buildCommitOrder } from './segments/commit-order.ts';
import { CommitSegmentBuilder } from './segments/commit-segment-builder.ts';

/** Limits of indexing another revision. */
export interface RevisionOptions {
  limits: IndexLimits;
  signal?: AbortSignal;
}

/** Contents that are read for one revision; files beyond that are listed as skipped. */
const MAX_CONTENTS = 5000;
/** Bytes that the cached revisions of a thread may take beyond the indexes that they extend. */
const MAX_CACHE_BYTES = 128 * 2 ** 20;
/** Budget for the commits and for the contents of one revision that its base lacks. Newest commits first. */
const REVISION_BUDGET = budgetForIndexBytes(64 * 2 ** 20);
/** Bytes of git's log of these commits. */
const MAX_LOG_BYTES = 64 * 2 ** 20;

interface CachedRevision {
  readonly repo: string;
  readonly index: Promise<RepositoryIndex>;
  bytes: number;
}

/** Revisions of this thread. The one used last stays, whatever its size. */
const cache = new LRUCache<string, CachedRevision>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ bytes }) => Math.min(bytes + 1, MAX_CACHE_BYTES),
});

/**
 * Indexes another commit, given by its full hash, on top of an index: its files and the commits that it reaches,
 * numbered as in a missing build. Only what `base` lacks is read, into segments that this thread caches. Rejects with an
 * AppError when the repository lacks the commit or the signal aborts.
 */
export async function indexRevision(
  repo: string,
  base: RepositoryIndex,
  revision: string,
  options: RevisionOptions,
): Promise<RepositoryIndex> {
  if (revision === base.revision) return base;
  const key = `${base.generation} ${base.code === null ? 'history' : 'all'} ${revision}`;
  const cached = cache.get(key);
  if (cached) return await cached.index;
  const entry: CachedRevision = { repo, index: buildRevision(repo, base, revision, options), bytes: 0 };
  cache.set(key, entry);
  try {
    const index = await entry.index;
    entry.bytes = Math.max(0, index.bytes - base.bytes);
    // Set again: its size is contents now.
    if (cache.peek(key) === entry) cache.set(key, entry);
    return index;
  } catch (error) {
    if (cache.peek(key) === entry) cache.delete(key);
    throw error;
  }
}

/** Releases cached revisions of this thread whose repository has been deleted. */
export function releaseRemovedRevisions(): void {
  for (const [key, { repo }] of [...cache.entries()]) if (!existsSync(repo)) cache.delete(key);
}

/** Number of revisions that this thread caches. */
export const countCachedRevisions = () => cache.size;

async function buildRevision(
  repo: string,
  base: RepositoryIndex,
  revision: string,
  options: RevisionOptions,
): Promise<RepositoryIndex> {
  const { generation, code, pending } = base.shared;
  await requireReadableTree(repo, revision, options.signal);
  const commits = await indexCommits(repo, base, revision, options);
  const codePart = code && (await indexCode(repo, code, revision, options));
  await yieldIfDue(options.signal);
  return openIndex({ generation: `${generation}@${revision}`, commits, code: codePart, pending });
}

async function indexCommits(
  repo: string,
  base: RepositoryIndex,
  revision: string,
  { signal }: RevisionOptions,
): Promise<SharedPart> {
  const segments = [...base.shared.commits.segments];
  if (base.commits.find(revision) === -1) {
    const tips = segments.flatMap(({ buffer }) => viewSharedSections(buffer).list('tips'));
    const builder = new CommitSegmentBuilder();
    const options = {
      from: revision,
      not: tips,
      maxBytes: MAX_LOG_BYTES,
      renameMs: 1_000,
      signal,
    };
    for await (const commit of log(repo, options)) {
      if (builder.count > 0 && builder.allocatedBytes > REVISION_BUDGET.indexBytes) break;
      builder.add(commit);
      await yieldIfDue(signal);
    }
    const name = `${COMMIT_SEGMENT}@${revision}`;
    if (builder.count > 0)
      segments.push({
        name,
        buffer: toSharedSections(COMMIT_SEGMENT, await builder.finish([revision], signal)),
        texts: null,
      });
  }
  await yieldIfDue(signal);
  const files = segments.map(({ name, buffer }) => ({ name, file: viewSharedSections(buffer) }));
  return { manifest: toSharedSections(HISTORY_FILE, buildCommitOrder([revision], files).draft), segments };
}

async function indexCode(
  repo: string,
  code: SharedPart,
  revision: string,
  { limits, signal = new AbortController().signal }: RevisionOptions,
): Promise<SharedPart> {
  const task = { repo, revision, limits, budget: REVISION_BUDGET };
  const { files, skipped } = await listFiles(task, signal);
  await yieldIfDue(signal);
  const segments = [...code.segments];
  const contents = new IndexedContents(
    segments.map(({ name, buffer }) => toIndexedSegment(name, viewSharedSections(buffer))),
  );
  await yieldIfDue(signal);
  const missing = contents.selectMissing(files);
  for (const { key } of missing.splice(MAX_CONTENTS)) contents.skip(key, 'over_limit');
  const builder = new CodeSegmentBuilder(null);
  const chunk = (path: string, text: string) => chunkFileInProcess(path, text, { signal });
  await indexContents(builder, task, missing, contents, { onProgress: () => {}, signal, chunk });
  await yieldIfDue(signal);
  const name = `${CODE_SEGMENT}@${revision}`;
  if (!builder.isEmpty)
    segments.push({
      name,
      buffer: toSharedSections(CODE_SEGMENT, await builder.finish(signal)),
      texts: null,
    });
  await yieldIfDue(signal);
  const table = buildFileTable(files, skipped, contents).builder;
  await yieldIfDue(signal);
  const names = segments.map((segment) => segment.name);
  return { manifest: toSharedSections(FILES_FILE, await table.finish(revision, names, signal)), segments };
}
