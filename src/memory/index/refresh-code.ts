import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Coverage } from '#contract/projects.ts';
import { type ChangedEntry, listChangedEntries } from '#git/changed-entries.ts';
import { openObjectReader } from '#git/object-reader.ts';
import { compilePathPatterns } from '#git/path-patterns.ts';
import { findRun, prefixSums } from '../bytes/groups.ts';
import { writeSections } from '../bytes/sections.ts';
import { getBuildBudget } from '../limits.ts';
import { entrySkipReason } from '../skip-rules.ts';
import type { IndexTask, IndexTaskListener } from './build-code.ts';
import { chunkingKey } from './chunking-key.ts';
import { CODE_SEGMENT, FILES_FILE } from './generation-reader.ts';
import { newSegmentName } from './generations.ts';
import { indexContents, type SourceFile } from './index-contents.ts';
import { IndexedContents } from './indexed-contents.ts';
import {
  contentOid,
  countPassages,
  findContents,
  type PreviousCode,
  readPreviousCode,
  replaceContents,
} from './previous-code.ts';
import { contentKey } from './segments/code-segment.ts';
import { CodeSegmentBuilder } from './segments/code-segment-builder.ts';
import { countReusableSegments } from './segments/merge-policy.ts';
import { PassageTextWriter, passageTextsPath } from './segments/passage-texts.ts';

/** Changed files that are read one by one; with more, the whole tree is. */
const MAX_CHANGED = 2000;

/** A changed file, and its place among the files or the skipped ones. */
type Changed = SourceFile & { place: { file: number } | { skipped: number } };

/** Differences from the previous generation. */
interface Changes {
  files: Changed[];
  /** New sizes of skipped files, which stay skipped without being read. */
  sizes: Map<number, number>;
}

type RefreshTask = IndexTask & { previous: string };

/**
 * Indexes the contents that changed since the previous generation, and writes its files with them; their paths are not read
 * again. Null, with nothing written, where files came or went or the previous generation does not tell enough: then the whole
 * tree has to be listed. Throws for a damaged generation, and for a revision that is gone.
 */
export async function refreshCode(
  task: RefreshTask,
  listener: IndexTaskListener,
): Promise<Omit<Coverage, 'commits'> | null> {
  const previous = await readPreviousCode(task.previous, task.limits);
  if (previous === null) return null;
  const revisions = [previous.revision, task.revision] as [string, string];
  const { signal } = listener;
  const entries = await listChangedEntries(task.repo, revisions, { max: MAX_CHANGED, signal });
  const changes = entries && (await placeChanges(task, previous, entries, signal));
  if (changes === null) return null;
  const selected = selectContents(previous, changes.files);
  const contents = new IndexedContents([]);
  const written = await writeSegment(task, selected.fresh, contents, listener);
  const segments = previous.segments.slice(0, selected.kept).map(({ name }) => name);
  if (!placeContents(previous, changes, selected, contents)) {
    if (written !== null) await removeSegment(task.folder, written);
    return null;
  }
  for (const part of segments.flatMap((name) => [name, passageTextsPath(name)]))
    await link(join(task.previous, part), join(task.folder, part));
  if (written !== null) segments.push(written);
  const { draft, visible } = replaceContents(previous, selected.contentOf, changes.sizes);
  Object.assign(draft.facts, { revision: task.revision, segments });
  writeSections(join(task.folder, FILES_FILE), FILES_FILE, draft);
  const [old, added] = [
    visible.filter((one) => one < selected.firstNew),
    visible.filter((one) => one >= selected.firstNew),
  ];
  const passages =
    countPassages(previous, old) + contents.countPassages(added.map((one) => one - selected.firstNew));
  return coverageOf(previous, passages);
}

/** Indexes contents as a new segment and returns its name; null when there are none. */
async function writeSegment(
  task: RefreshTask,
  fresh: readonly SourceFile[],
  contents: IndexedContents,
  listener: IndexTaskListener,
): Promise<string | null> {
  if (fresh.length === 0) return null;
  const name = newSegmentName(CODE_SEGMENT);
  const path = join(task.folder, name);
  const texts = new PassageTextWriter(passageTextsPath(path));
  const builder = new CodeSegmentBuilder(texts);
  try {
    const budget = await getBuildBudget(task.repo, task.limits);
    await indexContents(builder, { ...task, budget }, fresh, contents, listener);
    listener.onProgress({ phase: 'publishing', done: 0, total: 1, unit: 'steps' });
    writeSections(path, CODE_SEGMENT, await builder.finish());
  } finally {
    texts.close();
  }
  return name;
}

async function removeSegment(folder: string, name: string): Promise<void> {
  for (const part of [name, passageTextsPath(name)]) await rm(join(folder, part), { force: true });
}

/** Finds the places of changed entries; null when one came, went, or is skipped for another reason than before. */
async function placeChanges(
  { repo, limits }: RefreshTask,
  previous: PreviousCode,
  entries: readonly ChangedEntry[],
  signal: AbortSignal,
): Promise<Changes | null> {
  const rules = { ...limits, isExcluded: compilePathPatterns(limits.excludedPaths ?? []) };
  const changes: Changes = { files: [], sizes: new Map() };
  const objects = openObjectReader(repo, { signal });
  try {
    const sizes = await Promise.all(
      entries.map(async ({ entry }) =>
        entry?.type === 'blob' ? ((await objects.stat(entry.oid))?.size ?? Number.NaN) : null,
      ),
    );
    for (const [at, { path, entry }] of entries.entries()) {
      if (entry === null || Number.isNaN(sizes[at])) return null;
      const { oid } = entry;
      const size = sizes[at]!;
      const reason = entrySkipReason({ ...entry, size }, rules);
      const [file, skipped] = [previous.findFile(path), previous.findSkipped(path)];
      if (reason === null) {
        if (file === -1 && skipped === -1) return null;
        const place = file === -1 ? { skipped } : { file };
        changes.files.push({ path, oid, size, key: contentKey(oid, chunkingKey(path)), place });
      } else {
        if (skipped === -1 || previous.skippedReason(skipped) !== reason) return null;
        changes.sizes.set(skipped, size ?? Number.NaN);
      }
    }
    return changes;
  } finally {
    objects.close();
  }
}

/** Stands for a content that no segment has. */
const UNKNOWN = 2 ** 32 - 1;

/** Contents of a refreshed generation. */
interface SelectedContents {
  /** Number of segments that stay. */
  kept: number;
  /** Number of the first content of the new segment. */
  firstNew: number;
  /** Contents to index, and the files that get them. */
  fresh: SourceFile[];
  pending: { file: number; key: string }[];
  /** Content of every file; those of `pending` are not known yet. */
  contentOf: Uint32Array;
}

/** Selects the segments that stay, and the contents that they lack. */
function selectContents(previous: PreviousCode, changed: readonly Changed[]): SelectedContents {
  const { segments } = previous;
  const bases = prefixSums(segments.map(({ blobCount }) => blobCount));
  const keys = new Set(changed.map(({ key }) => key));
  const found = new Map<string, number>();
  segments.forEach((segment, i) => {
    for (const [key, blob] of findContents(segment, keys)) found.set(key, bases[i]! + blob);
  });
  const contentOf = previous.contentOf.slice();
  const changedFiles = new Map<number, Changed>();
  const fresh = new Map<string, SourceFile>();
  for (const file of changed) {
    // Skipped ones are read: their contents say why they are.
    if ('skipped' in file.place) fresh.set(file.key, file);
    else {
      contentOf[file.place.file] = found.get(file.key) ?? UNKNOWN;
      changedFiles.set(file.place.file, file);
    }
  }
  const added = [...keys].filter((key) => !found.has(key)).length;
  const kept = countReusableSegments(sizesOf(previous, bases, contentOf), added);
  const firstNew = bases[kept]!;
  const pending: SelectedContents['pending'] = [];
  for (let file = 0; file < contentOf.length; file++) {
    if (contentOf[file]! < firstNew) continue;
    const source = changedFiles.get(file) ?? sourceOf(previous, bases, file);
    fresh.set(source.key, source);
    pending.push({ file, key: source.key });
  }
  return { kept, firstNew, fresh: [...fresh.values()], pending, contentOf };
}

/** Sizes of the segments; what they skip counts as visible. */
function sizesOf({ segments }: PreviousCode, bases: Uint32Array, contentOf: Uint32Array) {
  const isLive = new Uint8Array(bases.at(-1)!);
  for (const content of contentOf) if (content !== UNKNOWN) isLive[content] = 1;
  return segments.map(({ blobCount, skippedCount }, i) => {
    const live = isLive.subarray(bases[i], bases[i + 1]).reduce((sum, one) => sum + one, skippedCount);
    return { size: blobCount + skippedCount, live };
  });
}

/** A file that has not changed. */
function sourceOf(previous: PreviousCode, bases: Uint32Array, file: number): SourceFile {
  const content = previous.contentOf[file]!;
  const segment = findRun(bases, content);
  const path = previous.path(file);
  const oid = contentOid(previous.segments[segment]!, content - bases[segment]!);
  return { path, oid, size: null, key: contentKey(oid, chunkingKey(path)) };
}

/** Gives indexed contents to their files; false when a file is skipped that was not, or the other way round. */
function placeContents(
  previous: PreviousCode,
  { files, sizes }: Changes,
  { pending, contentOf, firstNew }: SelectedContents,
  contents: IndexedContents,
): boolean {
  for (const { file, key } of pending) {
    const content = contents.get(key);
    if ('reason' in content) return false;
    contentOf[file] = firstNew + content.number;
  }
  for (const { place, key, size } of files) {
    if ('file' in place) continue;
    const content = contents.get(key);
    if (!('reason' in content) || content.reason !== previous.skippedReason(place.skipped)) return false;
    sizes.set(place.skipped, size ?? Number.NaN);
  }
  return true;
}

function coverageOf(
  { fileCount, skippedReasons }: PreviousCode,
  passages: number,
): Omit<Coverage, 'commits'> {
  const reasons: Coverage['reasons'] = {};
  for (const reason of skippedReasons) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const skipped = skippedReasons.length;
  return { files: fileCount + skipped, indexed: fileCount, skipped, reasons, passages };
}
