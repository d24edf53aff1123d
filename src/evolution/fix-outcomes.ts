import type { FixOutcome } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isFixCommit, revertedCommits } from './fixes.ts';
import { type DiffSource, readDiffs } from './read-diffs.ts';

const DAY = 86_400;
/** A fix whose lines are fixed again within so many days did not hold. */
export const OUTCOME_WINDOW_DAYS = 90;
/** Later fixes whose diff is read, newest last; more than these in 90 days tells of a hot spot, not of this fix. */
const MAX_LATER_FIXES = 6;
/** Lines that say too little to recognise an author's work by: braces, `return`, `else`. */
const INFORMATIVE_LINE = /\w\W*\w\W*\w\W*\w\W*\w\W*\w/;

/** What is needed to judge fixes. `now` is in seconds since 1970. */
export interface AssessFixesOptions extends DiffSource {
  memory: RepositoryIndex;
  commits: number[];
  now: number;
  signal?: AbortSignal;
}

/**
 * Says of each fix whether it stayed: taken back by a revert, fixed again within 90 days (a later fix deletes a line
 * that it added), younger than 90 days, or held. Lines are compared by their text, so moved lines are recognised.
 */
export async function assessFixes(input: AssessFixesOptions): Promise<FixOutcome[]> {
  const { memory, commits: fixes, now, signal } = input;
  const { commits } = memory;
  const reverts = fixes.map((fix) => findRevert(memory, fix));
  const later = fixes.map((fix, index) => (reverts[index]! < 0 ? fixesWithinWindow(memory, fix) : []));
  const read = new Set(
    fixes.flatMap((fix, index) => (later[index]!.length > 0 ? [fix, ...later[index]!] : [])),
  );
  const changing = [...read].filter((commit) => commits.parents(commit).length < 2);
  const oids = changing.map((commit) => commits.oid(commit));
  const diffs = await readDiffs(input, oids, { signal });
  const diffOf = (commit: number) => diffs.get(commits.oid(commit)) ?? [];

  return fixes.map((fix, index) => {
    const daysUntil = (time: number) => Math.max(0, Math.round((time - commits.time(fix)) / DAY) || 0);
    const undone = (state: 'reverted' | 'refixed', by: number): FixOutcome => {
      return { state, days: daysUntil(commits.time(by)), by: commits.oid(by) };
    };
    if (reverts[index]! >= 0) return undone('reverted', reverts[index]!);
    const refix = later[index]!.find((other) => deletesAddedLine(diffOf(other), diffOf(fix)));
    if (refix !== undefined) return undone('refixed', refix);
    const days = daysUntil(now);
    return { state: days < OUTCOME_WINDOW_DAYS ? 'recent' : 'held', days };
  });
}

/** The commit that takes this one back ("This reverts commit …") and still stands, or -1. */
export function findRevert(memory: RepositoryIndex, commit: number): number {
  const { commits } = memory;
  const oid = commits.oid(commit);
  // A full hash is one term of the messages' index, so nothing has to be read to find who mentions it.
  for (const candidate of commits.messages.postings(oid)?.docs ?? []) {
    // Newest first: only commits with a smaller number can know this one.
    if (candidate >= commit) break;
    if (!revertedCommits(commits.message(candidate)).some((hash) => oid.startsWith(hash))) continue;
    return findRevert(memory, candidate) < 0 ? candidate : -1;
  }
  return -1;
}

/** Whether a later diff deletes a telling line that the earlier one added. */
function deletesAddedLine(later: FileDiff[], earlier: FileDiff[]): boolean {
  const added = informativeLineKeys(earlier, 'add');
  return [...informativeLineKeys(later, 'delete')].some((line) => added.has(line));
}

/** Whether a later diff deletes most of the telling lines that the earlier one added, in whatever file they lie now. */
export function deletesMostAddedLines(later: FileDiff[], earlier: FileDiff[]): boolean {
  const textsOf = (lines: Set<string>) =>
    new Set(Array.from(lines, (line) => line.slice(line.indexOf('\0') + 1)));
  const added = textsOf(informativeLineKeys(earlier, 'add'));
  const gone = [...textsOf(informativeLineKeys(later, 'delete'))].filter((line) => added.has(line)).length;
  return gone > added.size / 2;
}

/** Fixes that touched one of the commit's files within 90 days after it, oldest first. */
function fixesWithinWindow(memory: RepositoryIndex, commit: number): number[] {
  const { commits } = memory;
  const time = commits.time(commit);
  const found = new Set<number>();
  for (const path of commits.paths(commit).slice(0, 20)) {
    for (const other of commits.touching(path)) {
      if (other >= commit) break;
      const age = (commits.time(other) - time) / DAY;
      if (age <= OUTCOME_WINDOW_DAYS && age >= 0 && isFixCommit(memory, other)) found.add(other);
    }
  }
  return [...found].sort((a, b) => b - a).slice(0, MAX_LATER_FIXES);
}

/** `path`-and-text keys of the added or deleted lines of a diff, without indentation. */
function informativeLineKeys(files: FileDiff[], kind: 'add' | 'delete'): Set<string> {
  const lines = new Set<string>();
  for (const file of files) {
    const path = kind === 'add' ? file.new_path : file.old_path;
    for (const hunk of file.hunks) {
      for (const line of hunk.lines)
        if (line.kind === kind && INFORMATIVE_LINE.test(line.text)) lines.add(`${path}\0${line.text.trim()}`);
    }
  }
  return lines;
}
