import { link } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity, Coverage, SkipReason } from '#contract/projects.ts';
import { openBlobReader } from '#git/blobs.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';
import { MAX_PATH_BYTES } from '#git/paths.ts';
import { listTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { writeSections } from '../bytes/sections.ts';
import { type ChunkedFile, chunkFile } from '../chunk/passages.ts';
import { type BuildBudget, getBuildBudget, type IndexLimits, MAX_TREE_PATH_CHARS } from '../limits.ts';
import { decodeText, entrySkipReason } from '../skip-rules.ts';
import { chunkingKey } from './chunking-key.ts';
import { CODE_SEGMENT, FILES_FILE } from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import { type IndexedContents, loadReusableContents } from './indexed-contents.ts';
import { contentKey } from './segments/code-segment.ts';
import { CodeSegmentBuilder } from './segments/code-segment-builder.ts';
import { FileTableBuilder } from './segments/file-table-builder.ts';
import { PassageTextWriter, passageTextsPath } from './segments/passage-texts.ts';

/** Entries of a tree that are counted even where fewer may be indexed. */
const MIN_COUNTED_ENTRIES = 1_000_000;
/** Characters of an overlong path in the list of skipped files: enough to recognize it. */
const MAX_LISTED_PATH_LENGTH = 200;

/** Files requested from git before the first is chunked: enough to keep both busy, few enough for memory. */
const READ_AHEAD_FILES = 24;

/** Task of one indexing process: index the commits or the code of a revision into a generation's folder. */
export interface IndexTask {
  kind: 'commits' | 'code';
  repo: string;
  revision: string;
  /** Further revisions to index with it, each content once: a superset, read through `snapshot.ts`. */
  others?: readonly string[];
  /** Folder to write to. */
  folder: string;
  /** Folder of a generation whose segments may be reused; null to index everything. */
  previous: string | null;
  limits: IndexLimits;
}

/** Progress callback and abort signal of a task. */
export interface IndexTaskListener {
  onProgress(activity: Activity): void;
  signal: AbortSignal;
}

/** A file to index. */
export interface SourceFile {
  path: string;
  oid: string;
  size: number | null;
  /** `contentKey` of its content. */
  key: string;
}

/**
 * Indexes the files of the revision and returns their coverage. Contents in segments of the previous generation are
 * reused.
 */
export async function buildCode(
  task: IndexTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'>> {
  const { folder, previous, revision } = task;
  const { files, skipped } = await listFiles(task, listener.signal);
  const contents = await loadReusableContents(previous, files);
  const segments = [...contents.segments];
  for (const name of segments.flatMap((segment) => [segment, passageTextsPath(segment)]))
    await link(join(previous!, name), join(folder, name));
  const name = newSegmentName(CODE_SEGMENT);
  const texts = new PassageTextWriter(passageTextsPath(join(folder, name)));
  const builder = new CodeSegmentBuilder(texts);
  try {
    const budget = await getBuildBudget(task.repo, task.limits);
    await indexContents(builder, { ...task, budget }, contents.selectMissing(files), contents, listener);
    listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
    if (!builder.isEmpty || segments.length === 0) {
      writeSections(join(folder, name), CODE_SEGMENT, await builder.finish());
      segments.push(name);
    }
  } finally {
    texts.close();
  }
  const table = buildFileTable(files, skipped, contents);
  writeSections(join(folder, FILES_FILE), FILES_FILE, await table.builder.finish(revision, segments));
  return table.coverage;
}

interface SkippedEntry {
  path: string;
  reason: SkipReason;
  size: number | null;
}

/**
 * Lists the files of all revisions of a task, the same content at the same path once, and those skipped unread. Entries
 * beyond twice the limit are not even counted: no indexed head has that many.
 */
export async function listFiles(
  { repo, revision, others = [], limits }: Pick<IndexTask, 'repo' | 'revision' | 'others' | 'limits'>,
  signal: AbortSignal,
) {
  const files: SourceFile[] = [];
  const skipped: SkippedEntry[] = [];
  const seen = others.length > 0 ? new Set<string>() : null;
  let entries = 0;
  let bytes = 0;
  let chars = 0;
  const maxCounted = Math.max(MIN_COUNTED_ENTRIES, 2 * limits.maxEntries);
  const rules = { ...limits, isExcluded: compilePathPatterns(limits.excludedPaths ?? []) };
  const isOverCap = () => entries > limits.maxEntries || chars > MAX_TREE_PATH_CHARS;
  for (const commit of [revision, ...others]) {
    for await (const entry of listTree(repo, commit, { signal })) {
      const { oid, size, raw } = entry;
      bytes += raw.length;
      if (entries >= maxCounted || bytes > maxCounted * MAX_PATH_BYTES) break;
      const entryKey = `${oid} ${raw.toString('latin1', 0, MAX_PATH_BYTES)}`;
      if (entry.type === 'tree' || seen?.has(entryKey)) continue;
      seen?.add(entryKey);
      entries++;
      const path = entry.path ?? raw.toString('utf8');
      const reason = entrySkipReason(entry, rules) ?? (isOverCap() ? 'over_limit' : null);
      if (reason !== 'path_too_long') chars += path.length;
      if (reason === null) files.push({ path, oid, size, key: contentKey(oid, chunkingKey(path)) });
      else skipped.push({ path: reason === 'path_too_long' ? abbreviate(path) : path, reason, size });
    }
  }
  return { files, skipped };
}

/** Beginning and end of a path, copied so that the whole string is not kept alive. */
function abbreviate(path: string): string {
  const part = MAX_LISTED_PATH_LENGTH / 2;
  return Buffer.from(`${path.slice(0, part)}…${path.slice(-part)}`).toString();
}

/** Reads contents that are not contents yet into `builder`, and makes them contents; those beyond the budget as left out. */
export async function indexContents(
  builder: CodeSegmentBuilder,
  { repo, limits, budget }: Pick<IndexTask, 'repo' | 'limits'> & { budget: BuildBudget },
  fresh: readonly SourceFile[],
  contents: IndexedContents,
  {
    onProgress,
    signal,
    chunk = chunkFile,
  }: IndexTaskListener & { chunk?: (path: string, text: string) => Promise<ChunkedFile> },
): Promise<void> {
  const blobs = openBlobReader(repo, { signal });
  const queue: ReturnType<typeof blobs.read>[] = [];
  try {
    let bytes = 0;
    for (let i = 0; i < fresh.length; i++) {
      if (bytes > budget.inputBytes || builder.allocatedBytes > budget.indexBytes) {
        for (const { key } of fresh.slice(i)) contents.skip(key, 'over_limit');
        break;
      }
      while (queue.length < READ_AHEAD_FILES && i + queue.length < fresh.length) {
        queue.push(blobs.read(fresh[i + queue.length]!.oid, limits.maxFileBytes));
      }
      const content = await queue.shift()!;
      bytes += content !== null && 'content' in content ? content.content.length : 0;
      await indexContent(builder, fresh[i]!, content, contents, chunk);
      await yieldIfDue(signal);
      onProgress({ phase: 'passages', done: i + 1, total: fresh.length, unit: 'files' });
    }
  } finally {
    // Closing rejects reads that are no longer awaited.
    for (const read of queue) void read.catch(() => {});
    blobs.close();
  }
}

type Content = { content: Buffer } | { tooLarge: number } | null;

async function indexContent(
  builder: CodeSegmentBuilder,
  { path, oid, key }: SourceFile,
  read: Content,
  contents: IndexedContents,
  chunk: typeof chunkFile,
): Promise<void> {
  const kind = chunkingKey(path);
  // Null is a blob that the repository lacks, as in a partial clone: it may come, so nothing is kept of it.
  if (read === null || 'tooLarge' in read) return contents.skip(key, 'too_large');
  const text = decodeText(path, read.content);
  if ('reason' in text) {
    builder.skip(oid, kind, text.reason);
    return contents.skip(key, text.reason);
  }
  builder.add(oid, kind, text.text, await chunk(path, text.text), read.content);
  contents.add(key, builder.passageCount);
}

/** Builds the table of the revision's files over the contents, and their coverage. */
export function buildFileTable(
  files: readonly SourceFile[],
  skipped: SkippedEntry[],
  contents: IndexedContents,
) {
  const builder = new FileTableBuilder();
  const reasons: Coverage['reasons'] = {};
  const skip = ({ path, reason, size }: SkippedEntry) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    builder.skip(path, reason, size);
  };
  skipped.forEach(skip);
  for (const file of files) {
    const content = contents.get(file.key);
    if ('reason' in content) skip({ ...file, reason: content.reason });
    else builder.add(file.path, content.number);
  }
  const { fileCount: indexed } = builder;
  const passages = contents.countPassages(builder.contents());
  const skippedCount = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  return {
    builder,
    coverage: { files: indexed + skippedCount, indexed, skipped: skippedCount, reasons, passages },
  };
}
