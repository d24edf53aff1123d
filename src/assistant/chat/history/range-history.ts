import type { FileDiff } from '#contract/projects.ts';
import { isFormattingOnly } from '#evolution/hunk-text.ts';
import { yieldIfDue } from '#scheduling/yield.ts';
import { commitsTouching } from '../../tools/file-commits.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { type FileChangeReader, fileChangeReaderOf } from './file-change-reader.ts';
import { type FollowedLines, RangePosition } from './range-position.ts';

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
  const reader = fileChangeReaderOf(path, context);
  const found: RangeChange[] = [];
  const position = new RangePosition({ from: lines[0], to: lines[1] });
  let name = path;
  for (const batch of growingBatches(candidates)) {
    // Commits that are not indexed are read by one process of git.
    await reader.readDiffs(batch.filter((commit) => reader.hunks(commit, name) === null));
    for (const commit of batch) {
      await yieldIfDue(context.signal);
      if (await passesBy(commit, name, position, reader)) continue;
      const file = await reader.diff(commit, name);
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

/** True for a commit that leaves the range as it is. Reads the patches that tell where the range was, where that is open. */
async function passesBy(
  commit: number,
  name: string,
  position: RangePosition,
  reader: FileChangeReader,
): Promise<boolean> {
  const file = reader.hunks(commit, name);
  const isCertain = file !== null && file.hunks.length > 0 && file.oldPath === name;
  if (isCertain && position.pass(commit, file)) return true;
  if (position.unresolved.length === 0) return false;
  const moves = new Map<number, number>();
  for (const one of position.unresolved) moves.set(one, -(await reader.addedLines(one, name)));
  position.resolve((one) => moves.get(one)!);
  return isCertain && position.pass(commit, file);
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
function changesRange(hunk: Hunk, { from, to }: FollowedLines): boolean {
  return changesOf(hunk).some(({ kind, at }) =>
    kind === 'add' ? from <= at && at <= to : from < at && at <= to,
  );
}

/** The range before these hunks; null when they added all of its lines. */
function rangeBefore(hunks: Hunk[], { from, to }: FollowedLines): FollowedLines | null {
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
