import { AppError } from '#contract/errors.ts';
import type { FileDiff } from '#contract/projects.ts';
import { isFormattingOnly } from '#evolution/hunk-text.ts';
import { readDiffs } from '#evolution/read-diffs.ts';
import { followRenames } from '#investigate/history/renames.ts';
import type { SourceReader } from '#investigate/locate/source-reader.ts';
import { type ChangeIndex, openChangeIndexIfUsable } from '#memory/changes/change-index.ts';
import type { FileHunks } from '#memory/changes/hunk.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type LineRange, RangePosition } from './range-position.ts';

/** A commit that changed the lines of a range. */
interface RangeChange {
  commit: number;
  /** True when it changed only the formatting of these lines. */
  isFormatting: boolean;
  /** True when it added all of the lines that were left. */
  isFirst: boolean;
  /** Lines that its hunks at the range added, and removed. */
  added: string[];
  removed: string[];
}

type Hunk = FileDiff['hunks'][number];

/** Commits read at once; doubled with each batch, since most ranges changed lately. */
const MIN_BATCH_SIZE = 4;
const MAX_BATCH_SIZE = 32;
const MAX_COMMITS = 240;
/** Lines of a change that are compared with a topic. */
const MAX_LINES = 80;
const TIMEOUT_MS = 1_500;

/**
 * Commits that changed some lines of a file of the indexed revision, newest first, by their diffs: what `git log -L` tells, in
 * milliseconds with the change index. Stops after `limit` changes that are no formatting.
 */
export async function findRangeChanges(
  { path, lines }: { path: string; lines: [number, number] },
  limit: number,
  context: ToolContext,
): Promise<RangeChange[]> {
  const { index } = context;
  const { commits } = index;
  const candidates = commitsTouching(path, { index })
    .filter((commit) => commits.parents(commit).length < 2)
    .slice(0, MAX_COMMITS);
  const changes = openChangeIndexIfUsable(context.hunks);
  const hunksOf = (commit: number, path: string) => changes && readHunks(changes, commits.oid(commit), path);
  const found: RangeChange[] = [];
  const position = new RangePosition({ from: lines[0], to: lines[1] });
  let name = path;
  for (const batch of growingBatches(candidates)) {
    // Commits that are not indexed are read by one process of git.
    const unknown = batch.filter((commit) => hunksOf(commit, name) === null);
    await readFileDiffs(path, unknown, context);
    for (const commit of batch) {
      const diffOf = async (one: number) => {
        const diffs = await readFileDiffs(path, [one], context);
        return diffs.get(commits.oid(one))?.find(({ new_path }) => new_path === name);
      };
      if (await passesBy(commit, { hunks: hunksOf(commit, name), name, position, diffOf })) continue;
      const file = await diffOf(commit);
      if (!file) continue;
      const { range } = position;
      const changed = file.hunks.filter((hunk) => changesRange(hunk, range));
      const before = rangeBefore(file.hunks, range);
      const isFirst = before === null || file.old_path === null;
      if (changed.length > 0) {
        const isFormatting = !isFirst && isFormattingOnly(changed);
        found.push({
          commit,
          isFormatting,
          isFirst,
          added: linesOf(changed, 'add'),
          removed: linesOf(changed, 'delete'),
        });
      }
      if (isFirst || found.filter(({ isFormatting }) => !isFormatting).length >= limit) return found;
      position.reset(before);
      name = file.old_path ?? name;
    }
  }
  return found;
}

interface FollowedRange {
  /** Hunks of the commit in the file; null where the index does not have them. */
  hunks: FileHunks | null;
  /** Path of the file after the commit. */
  name: string;
  position: RangePosition;
  diffOf: (commit: number) => Promise<FileDiff | undefined>;
}

/** True for a commit that leaves the range as it is. Reads the patches that tell where the range was, where that is open. */
async function passesBy(
  commit: number,
  { hunks: file, name, position, diffOf }: FollowedRange,
): Promise<boolean> {
  const isCertain = file !== null && file.hunks.length > 0 && file.oldPath === name;
  if (isCertain && position.pass(commit, file)) return true;
  if (position.unresolved.length === 0) return false;
  const diffs = new Map<number, FileDiff | undefined>();
  for (const one of position.unresolved) diffs.set(one, await diffOf(one));
  position.resolve((one, range) => {
    const before = rangeBefore(diffs.get(one)?.hunks ?? [], range);
    return before === null ? 0 : before.from - range.from;
  });
  return isCertain && position.pass(commit, file);
}

/** Hunks of a commit in a file; null where the index does not have them. */
function readHunks(changes: ChangeIndex, oid: string, path: string): FileHunks | null {
  try {
    return changes.hunksOf(oid, path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'index_rebuilding') return null;
    throw error;
  }
}

/** Diffs by path and commit for one answer, which looks at several ranges of a file. */
const diffsOfAnswer = memoizeByIdentity(
  (_sources: SourceReader) => new Map<string, Map<string, FileDiff[]>>(),
);

/** Reads the diffs of a file under all its names, by hash. */
async function readFileDiffs(
  path: string,
  numbers: number[],
  { repo, index, hunks: directory, sources, signal }: ToolContext,
): Promise<ReadonlyMap<string, FileDiff[]>> {
  const known = diffsOfAnswer(sources).get(path) ?? new Map<string, FileDiff[]>();
  diffsOfAnswer(sources).set(path, known);
  const missing = numbers.map((commit) => index.commits.oid(commit)).filter((oid) => !known.has(oid));
  if (missing.length === 0) return known;
  const hunks = openChangeIndexIfUsable(directory);
  const paths = followRenames([path], index.commits).allPaths(path);
  const read = await readDiffs({ repo, hunks }, missing, { paths, timeoutMs: TIMEOUT_MS, signal });
  for (const [oid, files] of read) known.set(oid, files);
  return known;
}

function* growingBatches(commits: readonly number[]): Generator<number[], void, undefined> {
  let size = MIN_BATCH_SIZE;
  for (let at = 0; at < commits.length; size = Math.min(MAX_BATCH_SIZE, 2 * size)) {
    yield commits.slice(at, at + size);
    at += size;
  }
}

function linesOf(hunks: Hunk[], kind: 'add' | 'delete'): string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.kind === kind);
  return lines.slice(0, MAX_LINES).map(({ text }) => text);
}

/** True when a hunk adds a line of the range, or deletes one inside it. */
function changesRange(hunk: Hunk, { from, to }: LineRange): boolean {
  return changesOf(hunk).some(({ kind, at }) =>
    kind === 'add' ? from <= at && at <= to : from < at && at <= to,
  );
}

/** The range before these hunks; null when they added all of its lines. */
function rangeBefore(hunks: Hunk[], { from, to }: LineRange): LineRange | null {
  let [first, last] = [from, to];
  for (const { kind, at } of hunks.flatMap(changesOf)) {
    if (kind === 'add') {
      if (at < from) first--;
      if (at <= to) last--;
    } else {
      if (at <= from) first++;
      if (at <= to) last++;
    }
  }
  return last < first ? null : { from: first, to: last };
}

/** Added lines by their new number; deleted ones by the new number of the line that follows them. */
function changesOf({
  new_start: start,
  new_lines: count,
  lines,
}: Hunk): { kind: 'add' | 'delete'; at: number }[] {
  // A hunk without new lines is numbered by the line before it.
  let at = count === 0 ? start + 1 : start;
  const changes: { kind: 'add' | 'delete'; at: number }[] = [];
  for (const { kind } of lines) {
    if (kind !== 'context') changes.push({ kind, at });
    if (kind !== 'delete') at++;
  }
  return changes;
}
