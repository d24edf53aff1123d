import { link } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity, Coverage, SkipReason } from '#contract/projects.ts';
import { openBlobs } from '#git/blobs.ts';
import { MAX_PATH_BYTES } from '#git/paths.ts';
import { listTree } from '#git/tree.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { writeShardFile } from '../bytes/container.ts';
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

/** Entries of a tree that are counted, though fewer may be allowed. */
const MIN_COUNTED_ENTRIES = 1_000_000;
/** Characters of a path that is too long; enough to recognize it in the list of what is left out. */
const MAX_LISTED_PATH_LENGTH = 200;

/** Files asked of git before the first of them is cut: enough to keep both busy, at most so many in memory. */
const READ_AHEAD_FILES = 24;

/** What one indexing process does: reads one side of a revision and writes it into a generation's folder. */
export interface IndexTask {
  kind: 'commits' | 'code';
  repo: string;
  revision: string;
  /** Further revisions to remember beside it, each file's content once: a wide memory, read through `view.ts`. */
  others?: readonly string[];
  /** Where to write. */
  folder: string;
  /** The folder of a generation whose segments may be used again; null to read everything. */
  previous: string | null;
  limits: IndexLimits;
}

/** Who hears of a task's progress, and who may end it. */
export interface IndexTaskListener {
  onProgress(activity: Activity): void;
  signal: AbortSignal;
}

/** A file to index. */
export interface SourceFile {
  path: string;
  oid: string;
  size: number | null;
  /** `contentKey` of what lies there. */
  key: string;
}

/**
 * Writes the files of the revision and their passages, and returns what the coverage tells of them. Contents that
 * the previous generation's segments hold are not read again.
 */
export async function buildCode(
  task: IndexTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'>> {
  const { folder, previous, revision } = task;
  const { files, skipped } = await listFiles(task, listener.signal);
  const known = await loadReusableContents(previous, files);
  const segments = [...known.segments];
  for (const name of segments.flatMap((segment) => [segment, passageTextsPath(segment)]))
    await link(join(previous!, name), join(folder, name));
  const name = newSegmentName(CODE_SEGMENT);
  const texts = new PassageTextWriter(passageTextsPath(join(folder, name)));
  const builder = new CodeSegmentBuilder(texts);
  try {
    const budget = await getBuildBudget(task.repo, task.limits);
    await indexContents(builder, { ...task, budget }, known.selectMissing(files), known, listener);
    listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
    if (!builder.isEmpty || segments.length === 0) {
      writeShardFile(join(folder, name), CODE_SEGMENT, builder.finish());
      segments.push(name);
    }
  } finally {
    texts.close();
  }
  const shown = buildFileTable(files, skipped, known);
  writeShardFile(join(folder, FILES_FILE), FILES_FILE, shown.builder.finish(revision, segments));
  return shown.coverage;
}

interface SkippedEntry {
  path: string;
  reason: SkipReason;
  size: number | null;
}

/**
 * The files of all revisions of a task, the same content at the same path once, and those left out unread. Of a tree
 * with more than twice the allowed entries the rest is not even counted: no indexed head has one.
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
  const maxRead = Math.max(MIN_COUNTED_ENTRIES, 2 * limits.maxEntries);
  const isOverCap = () => entries > limits.maxEntries || chars > MAX_TREE_PATH_CHARS;
  for (const commit of [revision, ...others]) {
    for await (const entry of listTree(repo, commit, { signal })) {
      const { oid, size, raw } = entry;
      bytes += raw.length;
      if (entries >= maxRead || bytes > maxRead * MAX_PATH_BYTES) break;
      const place = `${oid} ${raw.toString('latin1', 0, MAX_PATH_BYTES)}`;
      if (entry.type === 'tree' || seen?.has(place)) continue;
      seen?.add(place);
      entries++;
      const path = entry.path ?? raw.toString('utf8');
      const reason = entrySkipReason(entry, limits) ?? (isOverCap() ? 'over_cap' : null);
      if (reason !== 'long_path') chars += path.length;
      if (reason === null) files.push({ path, oid, size, key: contentKey(oid, chunkingKey(path)) });
      else skipped.push({ path: reason === 'long_path' ? shorten(path) : path, reason, size });
    }
  }
  return { files, skipped };
}

/** Its beginning and end, which tells files apart, in a string that does not keep the whole one alive. */
function shorten(path: string): string {
  const part = MAX_LISTED_PATH_LENGTH / 2;
  return Buffer.from(`${path.slice(0, part)}…${path.slice(-part)}`).toString();
}

/** Reads contents that are not known yet into `builder`, and makes them known; those beyond the budget as left out. */
export async function indexContents(
  builder: CodeSegmentBuilder,
  { repo, limits, budget }: Pick<IndexTask, 'repo' | 'limits'> & { budget: BuildBudget },
  fresh: readonly SourceFile[],
  known: IndexedContents,
  {
    onProgress,
    signal,
    cut = chunkFile,
  }: IndexTaskListener & { cut?: (path: string, text: string) => Promise<ChunkedFile> },
): Promise<void> {
  const blobs = openBlobs(repo, { signal });
  const queue: ReturnType<typeof blobs.read>[] = [];
  try {
    let bytes = 0;
    for (let i = 0; i < fresh.length; i++) {
      if (bytes > budget.inputBytes || builder.allocatedBytes > budget.indexBytes) {
        for (const { key } of fresh.slice(i)) known.skip(key, 'over_cap');
        break;
      }
      while (queue.length < READ_AHEAD_FILES && i + queue.length < fresh.length) {
        queue.push(blobs.read(fresh[i + queue.length]!.oid, limits.maxFileBytes));
      }
      const content = await queue.shift()!;
      bytes += content !== null && 'content' in content ? content.content.length : 0;
      await indexContent(builder, fresh[i]!, content, known, cut);
      await yieldIfDue(signal);
      onProgress({ phase: 'passages', done: i + 1, total: fresh.length, unit: 'files' });
    }
  } finally {
    // Closing rejects those that nobody waits for any more.
    for (const read of queue) void read.catch(() => {});
    blobs.close();
  }
}

type Content = { content: Buffer } | { tooLarge: number } | null;

async function indexContent(
  builder: CodeSegmentBuilder,
  { path, oid, key }: SourceFile,
  read: Content,
  known: IndexedContents,
  cut: typeof chunkFile,
): Promise<void> {
  const kind = chunkingKey(path);
  // Null is a blob that the repository lacks, as in a partial clone: it may come, so nothing is kept of it.
  if (read === null || 'tooLarge' in read) return known.skip(key, 'too_large');
  const text = decodeText(path, read.content);
  if ('reason' in text) {
    builder.skip(oid, kind, text.reason);
    return known.skip(key, text.reason);
  }
  builder.add(oid, kind, text.text, await cut(path, text.text), read.content);
  known.add(key, builder.passageCount);
}

/** Puts the files of the revision over the contents, and counts them. */
export function buildFileTable(
  files: readonly SourceFile[],
  skipped: SkippedEntry[],
  known: IndexedContents,
) {
  const builder = new FileTableBuilder();
  const reasons: Coverage['reasons'] = {};
  const skip = ({ path, reason, size }: SkippedEntry) => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    builder.skip(path, reason, size);
  };
  skipped.forEach(skip);
  for (const file of files) {
    const content = known.get(file.key);
    if ('reason' in content) skip({ ...file, reason: content.reason });
    else builder.add(file.path, content.number);
  }
  const { fileCount: indexed } = builder;
  const passages = known.countPassages(builder.contents());
  const left = Object.values(reasons).reduce((sum, count) => sum + count, 0);
  return { builder, coverage: { files: indexed + left, indexed, skipped: left, reasons, passages } };
}
