import type { Activity, Coverage, SkipReason } from '#contract/projects.ts';
import { openBlobs } from '#git/blobs.ts';
import { log } from '#git/log.ts';
import { git } from '#git/run.ts';
import { listTree, type TreeEntry } from '#git/tree.ts';
import { cutFile } from './chunk/passages.ts';
import { CodeBuilder } from './shard/build-code.ts';
import { CommitsBuilder } from './shard/build-commits.ts';
import { writeShardFile } from './shard/format.ts';
import { CODE_FILE, COMMITS_FILE } from './shard/open.ts';
import { readText, skipByEntry } from './skip.ts';

/** Files asked of git before the first of them is cut: enough to keep both busy, at most so many in memory. */
const READ_AHEAD = 24;

/** What one indexing thread does: reads one side of a revision and writes it as a shard file to `path`. */
export interface Task {
  kind: 'commits' | 'code';
  repo: string;
  revision: string;
  /** Further revisions to remember beside it, each file's content once: a wide memory, read through `view.ts`. */
  others?: readonly string[];
  path: string;
  limits: { maxFileBytes: number; maxEntries: number };
}

interface Listener {
  onProgress(activity: Activity): void;
  signal: AbortSignal;
}

/** Writes the commits that the revision reaches, and returns what the coverage tells of them. */
export async function buildCommits(
  { repo, revision, others = [], path }: Task,
  { onProgress, signal }: Listener,
): Promise<Pick<Coverage, 'commits'>> {
  const builder = new CommitsBuilder();
  onProgress({ phase: 'commits', done: 0, total: null, unit: 'commits' });
  const counted = await git(repo, ['rev-list', '--count'], {
    name: 'rev-list',
    revisions: [revision, ...others],
    signal,
  });
  const total = Number(counted.stdout);
  for await (const commit of log(repo, { from: [revision, ...others], signal })) {
    builder.add(commit);
    onProgress({ phase: 'commits', done: builder.count, total, unit: 'commits' });
  }
  writeShardFile(path, COMMITS_FILE, builder.finish(revision));
  return { commits: builder.count };
}

/** Writes the passages of the revision's files, and returns what the coverage tells of them. */
export async function buildCode(task: Task, listener: Listener): Promise<Omit<Coverage, 'commits'>> {
  const { builder, reasons } = await readFiles(task, listener);
  listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
  writeShardFile(task.path, CODE_FILE, builder.finish(task.revision));
  const skipped = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  const { fileCount: indexed, passageCount: passages } = builder;
  return { files: indexed + skipped, indexed, skipped, reasons, passages };
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
  for await (const entry of listTrees(task, signal)) {
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

/** Files of all revisions of a task, the same content at the same path once. */
async function* listTrees({ repo, revision, others = [] }: Task, signal: AbortSignal) {
  const seen = others.length > 0 ? new Set<string>() : null;
  for (const commit of [revision, ...others]) {
    for await (const entry of listTree(repo, commit, { signal })) {
      const key = `${entry.oid} ${entry.raw.toString('latin1')}`;
      if (entry.type === 'tree' || seen?.has(key)) continue;
      seen?.add(key);
      yield entry;
    }
  }
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
