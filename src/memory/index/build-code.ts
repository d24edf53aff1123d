import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { Activity, Coverage, SkipReason } from '#contract/projects.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';
import { MAX_PATH_BYTES } from '#git/paths.ts';
import { listTree } from '#git/tree.ts';
import { writeSections } from '../bytes/sections.ts';
import { chunkByLines, chunkFile } from '../chunk/passages.ts';
import { getBuildBudget, type IndexLimits, MAX_TREE_PATH_CHARS } from '../limits.ts';
import { entrySkipReason } from '../skip-rules.ts';
import { chunkingKey } from './chunking-key.ts';
import { CODE_SEGMENT, FILES_FILE, LINES_FILE, LINES_SEGMENT } from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import { indexContents, type SourceFile } from './index-contents.ts';
import { type IndexedContents, loadReusableContents } from './indexed-contents.ts';
import { selectionRules } from './previous-code.ts';
import { refreshCode } from './refresh-code.ts';
import { contentKey } from './segments/code-segment.ts';
import { CodeSegmentBuilder } from './segments/code-segment-builder.ts';
import { FileTableBuilder } from './segments/file-table-builder.ts';
import { PassageTextWriter, passageTextsPath } from './segments/passage-texts.ts';

/** Entries of a tree that are counted even where fewer may be indexed. */
const MIN_COUNTED_ENTRIES = 1_000_000;
/** Characters of an overlong path in the list of skipped files: enough to recognize it. */
const MAX_LISTED_PATH_LENGTH = 200;

/** Task of one indexing process: index the commits or the code of a revision into a generation's folder. */
export interface IndexTask {
  /** `lines` and `recent-commits` index what is published first: all files chunked by lines, and the newest commits. */
  kind: 'commits' | 'code' | 'lines' | 'recent-commits';
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

/**
 * Indexes the files of the revision and returns their coverage. Contents in segments of the previous generation are
 * reused.
 */
export async function buildCode(
  task: IndexTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'>> {
  const refreshed = await refreshPrevious(task, listener);
  return refreshed ?? (await indexTree(task, await listFiles(task, listener.signal), listener));
}

/**
 * Indexes the files of the revision by lines, without parsing, and returns their coverage: they can be searched after half of the time
 * of `buildCode`, or less.
 */
export async function buildLines(
  task: IndexTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'>> {
  return await indexTree(task, await listFiles(task, listener.signal), listener);
}

async function indexTree(
  task: IndexTask,
  { files, skipped }: Awaited<ReturnType<typeof listFiles>>,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'>> {
  const { folder, previous, revision } = task;
  const contents = await loadReusableContents(previous, files);
  const segments = [...contents.segments];
  for (const name of segments.flatMap((segment) => [segment, passageTextsPath(segment)]))
    await link(join(previous!, name), join(folder, name));
  const [file, kind] = task.kind === 'lines' ? [LINES_FILE, LINES_SEGMENT] : [FILES_FILE, CODE_SEGMENT];
  const name = newSegmentName(kind);
  const texts = new PassageTextWriter(passageTextsPath(join(folder, name)));
  const builder = new CodeSegmentBuilder(texts);
  try {
    const budget = await getBuildBudget(task.repo, task.limits);
    const missing = contents.selectMissing(files);
    const chunk = task.kind === 'lines' ? chunkByLines : chunkFile;
    await indexContents(builder, { ...task, budget }, missing, contents, { ...listener, chunk });
    listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
    if (!builder.isEmpty || segments.length === 0) {
      writeSections(join(folder, name), kind, await builder.finish());
      segments.push(name);
    }
  } finally {
    texts.close();
  }
  const table = buildFileTable(files, skipped, contents);
  const draft = await table.builder.finish(revision, segments);
  draft.facts.rules = selectionRules(task.limits);
  writeSections(join(folder, file), file, draft);
  return table.coverage;
}

/** Refreshes the previous generation; null where the whole tree has to be listed. */
async function refreshPrevious(
  { previous, ...task }: IndexTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'> | null> {
  if (previous === null || task.others !== undefined) return null;
  try {
    return await refreshCode({ ...task, previous }, listener);
  } catch (error) {
    listener.signal.throwIfAborted();
    // A damaged generation, or an indexed commit that is gone from the repository.
    if (error instanceof AppError) return null;
    throw error;
  }
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
