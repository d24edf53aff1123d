import { linkSync } from 'node:fs';
import { join } from 'node:path';
import type { Activity, SkipReason } from '#contract/projects.ts';
import { openBlobs } from '#git/blobs.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { listTree, type TreeEntry } from '#git/tree.ts';
import { cutFile } from './chunk/passages.ts';
import type { Remembered } from './ingest.ts';
import { CodeBuilder } from './shard/build-code.ts';
import { CommitsBuilder } from './shard/build-commits.ts';
import { writeShardFile } from './shard/format.ts';
import { CODE_FILE, COMMITS_FILE } from './shard/open.ts';
import { beginGeneration, publish } from './shard/publish.ts';
import { readText, skipByEntry } from './skip.ts';

/** Files asked of git before the first of them is cut: enough to keep both busy, at most so many in memory. */
const READ_AHEAD = 24;

/** A phase that ends with a generation. */
export type Phase = 'commits' | 'passages';

/** What the worker thread is told. `interim`: publish the commits before the passages are there. */
export interface Task {
  repo: string;
  revision: string;
  directory: string;
  interim: boolean;
  limits: { maxFileBytes: number; maxEntries: number };
}

interface Listener {
  onProgress(activity: Activity): void;
  onGeneration(generation: { name: string; phase: Phase }): Promise<void>;
  signal: AbortSignal;
}

/** Builds and publishes the generations of one revision in this thread. */
export async function build(task: Task, listener: Listener): Promise<Remembered> {
  const phases: Record<string, number> = {};
  const timed = async <T>(phase: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    phases[phase] = Math.round(performance.now() - start);
    return result;
  };

  const first = await beginGeneration(task.directory);
  const commits = await timed('commits', async () => {
    const builder = await readCommits(task, listener);
    writeShardFile(join(first.folder, COMMITS_FILE), COMMITS_FILE, builder.finish(task.revision));
    return builder.count;
  });
  if (task.interim) {
    publish(task.directory, first);
    await listener.onGeneration({ name: first.name, phase: 'commits' });
    listener.signal.throwIfAborted();
  }

  const last = task.interim ? await beginGeneration(task.directory) : first;
  if (task.interim) {
    linkSync(join(task.directory, first.name, COMMITS_FILE), join(last.folder, COMMITS_FILE));
  }
  const coverage = await timed('passages', async () => {
    const { builder, reasons } = await readFiles(task, listener);
    listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
    writeShardFile(join(last.folder, CODE_FILE), CODE_FILE, builder.finish(task.revision));
    const skipped = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    const { fileCount: indexed, passageCount: passages } = builder;
    return { files: indexed + skipped, indexed, skipped, reasons, passages, commits };
  });
  publish(task.directory, last);
  await listener.onGeneration({ name: last.name, phase: 'passages' });
  listener.signal.throwIfAborted();
  return { coverage, phases };
}

async function readCommits(
  { repo, revision }: Task,
  { onProgress, signal }: Listener,
): Promise<CommitsBuilder> {
  const builder = new CommitsBuilder();
  onProgress({ phase: 'commits', done: 0, total: null, unit: 'commits' });
  const counted = await git(repo, ['rev-list', '--count'], {
    name: 'rev-list',
    revisions: [revision],
    signal,
  });
  const total = Number(counted.stdout);
  for await (const commit of log(repo, { from: revision, signal })) {
    builder.add(commit);
    onProgress({ phase: 'commits', done: builder.count, total, unit: 'commits' });
  }
  return builder;
}

type Reasons = Partial<Record<SkipReason, number>>;

async function readFiles(task: Task, { onProgress, signal }: Listener) {
  const builder = new CodeBuilder();
  const reasons: Reasons = {};
  const skip = (entry: TreeEntry, reason: SkipReason) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    builder.skip(entry.path ?? entry.raw.toString('utf8'), reason, entry.size);
  };

  const files: (TreeEntry & { path: string })[] = [];
  let entries = 0;
  for await (const entry of listTree(task.repo, task.revision, { signal })) {
    if (entry.type === 'tree') continue;
    entries++;
    const reason = skipByEntry(entry, task.limits) ?? (entries > task.limits.maxEntries ? 'over_cap' : null);
    if (reason === null) files.push({ ...entry, path: entry.path! });
    else skip(entry, reason);
  }

  const blobs = openBlobs(task.repo, { signal });
  try {
    const queue: ReturnType<typeof blobs.read>[] = [];
    for (let i = 0; i < files.length; i++) {
      while (queue.length < READ_AHEAD && i + queue.length < files.length) {
        queue.push(blobs.read(files[i + queue.length]!.oid, task.limits.maxFileBytes));
      }
      const reason = await addFile(builder, files[i]!, await queue.shift()!);
      if (reason) skip(files[i]!, reason);
      onProgress({ phase: 'passages', done: i + 1, total: files.length, unit: 'files' });
    }
  } finally {
    blobs.close();
  }
  return { builder, reasons };
}

type Content = { content: Buffer } | { tooLarge: number } | null;

/** Adds a file, or says why it is left out. */
async function addFile(
  builder: CodeBuilder,
  { path, oid }: { path: string; oid: string },
  read: Content,
): Promise<SkipReason | null> {
  if (builder.hasBlob(oid)) {
    builder.addPath(path, oid);
    return null;
  }
  // Null is a blob that the repository lacks, as in a partial clone.
  if (read === null || 'tooLarge' in read) return 'too_large';
  const text = readText(path, read.content);
  if ('reason' in text) return text.reason;
  builder.add(path, oid, text.text, await cutFile(path, text.text));
  return null;
}
