import { existsSync } from 'node:fs';
import { log } from '#git/log.ts';
import { requireReadableTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { toBuffer, viewShardFile } from '../bytes/container.ts';
import { chunkFileInProcess } from '../chunk/parser-processes.ts';
import { budgetForIndexBytes, type IndexLimits } from '../limits.ts';
import type { RepositoryIndex } from '../repository-index.ts';
import { buildFileTable, indexContents, listFiles } from './build-code.ts';
import {
  CODE_SEGMENT,
  COMMIT_SEGMENT,
  FILES_FILE,
  HISTORY_FILE,
  openIndex,
  type SharedPart,
} from './generation-reader.ts';
import { IndexedContents, toIndexedSegment } from './indexed-contents.ts';
import { CodeSegmentBuilder } from './segments/code-segment-builder.ts';
import { buildCommitOrder } from './segments/commit-order.ts';
import { CommitSegmentBuilder } from './segments/commit-segment-builder.ts';

/** What reading another revision may cost, and who may end it. */
export interface RevisionOptions {
  limits: IndexLimits;
  signal?: AbortSignal;
}

/** Contents that are read for one revision at most; files beyond that are left out and listed so. */
const MAX_CONTENTS = 5000;
/** Bytes that the revisions opened in a thread may hold beyond the memories that they are made of. */
const MAX_CACHE_BYTES = 128 * 2 ** 20;
/** What is indexed for one revision beside the memory: of its commits and of its contents each. Newest commits first. */
const REVISION_BUDGET = budgetForIndexBytes(64 * 2 ** 20);
/** Bytes that git prints of its commits. */
const MAX_LOG_BYTES = 64 * 2 ** 20;

interface Opened {
  readonly repo: string;
  readonly memory: Promise<RepositoryIndex>;
  bytes: number;
}

/** Revisions opened in this thread, the last one used at the end. */
const opened = new Map<string, Opened>();

/**
 * The memory as of another commit, given by its full hash: its files and the commits that it reaches, numbered as
 * a build of that commit would. Only what the memory lacks is read, into segments that stay in this thread's
 * memory until others need the room. Rejects with an AppError when the repository lacks the commit, or when
 * stopped.
 */
export async function indexRevision(
  repo: string,
  memory: RepositoryIndex,
  revision: string,
  options: RevisionOptions,
): Promise<RepositoryIndex> {
  if (revision === memory.revision) return memory;
  const key = `${memory.generation} ${memory.code === null ? 'history' : 'all'} ${revision}`;
  const entry = opened.get(key) ?? { repo, memory: open(repo, memory, revision, options), bytes: 0 };
  opened.delete(key);
  opened.set(key, entry);
  try {
    const found = await entry.memory;
    entry.bytes = found.bytes - memory.bytes;
    forgetOldest();
    return found;
  } catch (error) {
    if (opened.get(key) === entry) opened.delete(key);
    throw error;
  }
}

/** Forgets revisions opened in this thread whose repository has been deleted. */
export function releaseRemovedRevisions(): void {
  for (const [key, { repo }] of opened) if (!existsSync(repo)) opened.delete(key);
}

/** How many revisions this thread keeps. */
export const countCachedRevisions = () => opened.size;

function forgetOldest(): void {
  let total = 0;
  for (const [key, { bytes }] of [...opened].reverse()) {
    total += bytes;
    if (total > MAX_CACHE_BYTES && total > bytes) opened.delete(key);
  }
}

async function open(
  repo: string,
  memory: RepositoryIndex,
  revision: string,
  options: RevisionOptions,
): Promise<RepositoryIndex> {
  const { generation, code } = memory.shared;
  await requireReadableTree(repo, revision, options.signal);
  const commits = await indexCommits(repo, memory, revision, options);
  const codeSide = code && (await indexCode(repo, code, revision, options));
  await yieldIfDue(options.signal);
  return openIndex({ generation: `${generation}@${revision}`, commits, code: codeSide });
}

async function indexCommits(
  repo: string,
  memory: RepositoryIndex,
  revision: string,
  { signal }: RevisionOptions,
): Promise<SharedPart> {
  const segments = [...memory.shared.commits.segments];
  if (memory.commits.find(revision) === -1) {
    const tips = segments.flatMap(({ buffer }) => viewShardFile(buffer).list('tips'));
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
      segments.push({ name, buffer: toBuffer(COMMIT_SEGMENT, builder.finish([revision])), texts: null });
  }
  await yieldIfDue(signal);
  const files = segments.map(({ name, buffer }) => ({ name, file: viewShardFile(buffer) }));
  return { manifest: toBuffer(HISTORY_FILE, buildCommitOrder([revision], files).draft), segments };
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
  const known = new IndexedContents(
    segments.map(({ name, buffer }) => toIndexedSegment(name, viewShardFile(buffer))),
  );
  await yieldIfDue(signal);
  const fresh = known.selectMissing(files);
  for (const { key } of fresh.splice(MAX_CONTENTS)) known.skip(key, 'over_cap');
  const builder = new CodeSegmentBuilder(null);
  const cut = (path: string, text: string) => chunkFileInProcess(path, text, { signal });
  await indexContents(builder, task, fresh, known, { onProgress: () => {}, signal, cut });
  await yieldIfDue(signal);
  const name = `${CODE_SEGMENT}@${revision}`;
  if (!builder.isEmpty)
    segments.push({ name, buffer: toBuffer(CODE_SEGMENT, builder.finish()), texts: null });
  await yieldIfDue(signal);
  const shown = buildFileTable(files, skipped, known).builder;
  await yieldIfDue(signal);
  const names = segments.map((segment) => segment.name);
  return { manifest: toBuffer(FILES_FILE, shown.finish(revision, names)), segments };
}
