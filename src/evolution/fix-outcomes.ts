import type { FixOutcome } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isFixCommit, revertedCommits } from './fixes.ts';
import { type DiffSource, readDiffs } from './read-diffs.ts';

const DAY = 86_400;
/** Fixes of the same lines within this time mean that the first one failed. */
const OUTCOME_WINDOW_DAYS = 90;
/** Later fixes whose diff is read, oldest first; more within the window indicate a hotspot. */
const MAX_LATER_FIXES = 6;
/** Excludes braces, `return`, `else` and the like, which identify no change. */
const INFORMATIVE_LINE = /\w\W*\w\W*\w\W*\w\W*\w\W*\w/;

interface AssessFixesOptions extends DiffSource {
  index: RepositoryIndex;
  commits: number[];
  /** Unix time in seconds. */
  now: number;
  signal?: AbortSignal;
}

/**
 * Assesses fixes: reverted, fixed again within 90 days (a later fix deletes a line that it added), more recent than 90
 * days, or still in place. Lines are compared by text, so that moved lines are recognized.
 */
export async function assessFixes(input: AssessFixesOptions): Promise<FixOutcome[]> {
  const { index, commits: fixes, now, signal } = input;
  const { commits } = index;
  const reverts = fixes.map((fix) => findRevert(index, fix));
  const later = fixes.map((fix, i) => (reverts[i]! < 0 ? fixesWithinWindow(index, fix) : []));
  const read = new Set(fixes.flatMap((fix, i) => (later[i]!.length > 0 ? [fix, ...later[i]!] : [])));
  const changing = [...read].filter((commit) => commits.parents(commit).length < 2);
  const oids = changing.map((commit) => commits.oid(commit));
  const diffs = await readDiffs(input, oids, { signal });
  const diffOf = (commit: number) => diffs.get(commits.oid(commit)) ?? [];

  return fixes.map((fix, i) => {
    const daysUntil = (time: number) => {
      const days = Math.max(0, (time - commits.time(fix)) / DAY || 0);
      return days < 1 ? Number(days.toFixed(2)) : Math.round(days);
    };
    const undone = (state: 'reverted' | 'fixed_again', by: number): FixOutcome => {
      return { state, days: daysUntil(commits.time(by)), undone_by: commits.oid(by) };
    };
    if (reverts[i]! >= 0) return undone('reverted', reverts[i]!);
    const refix = later[i]!.find((other) => deletesAddedLine(diffOf(other), diffOf(fix)));
    if (refix !== undefined) return undone('fixed_again', refix);
    const days = daysUntil(now);
    return { state: days < OUTCOME_WINDOW_DAYS ? 'too_recent' : 'in_place', days };
  });
}

/** The commit that reverts this one ("This reverts commit …") and is not reverted itself, or -1. */
export function findRevert(index: RepositoryIndex, commit: number): number {
  const { commits } = index;
  const oid = commits.oid(commit);
  // A full hash is a single term of the message index.
  for (const candidate of commits.messages.postings(oid)?.docs ?? []) {
    // Commits are numbered from the newest: only smaller numbers are later.
    if (candidate >= commit) break;
    if (!revertedCommits(commits.message(candidate)).some((hash) => oid.startsWith(hash))) continue;
    return findRevert(index, candidate) < 0 ? candidate : -1;
  }
  return -1;
}

/** True when a later diff deletes an informative line that the earlier one added. */
function deletesAddedLine(later: FileDiff[], earlier: FileDiff[]): boolean {
  const added = informativeLineKeys(earlier, 'add');
  return [...informativeLineKeys(later, 'delete')].some((line) => added.has(line));
}

/** True when a later diff deletes most of the informative lines that the earlier one added, in any file. */
export function deletesMostAddedLines(later: FileDiff[], earlier: FileDiff[]): boolean {
  const textsOf = (lines: Set<string>) =>
    new Set(Array.from(lines, (line) => line.slice(line.indexOf('\0') + 1)));
  const added = textsOf(informativeLineKeys(earlier, 'add'));
  const deleted = [...textsOf(informativeLineKeys(later, 'delete'))].filter((line) => added.has(line)).length;
  return deleted > added.size / 2;
}

/** Fixes that touched one of the commit's files within the window after it, oldest first. */
function fixesWithinWindow(index: RepositoryIndex, commit: number): number[] {
  const { commits } = index;
  const time = commits.time(commit);
  const found = new Set<number>();
  for (const path of commits.paths(commit).slice(0, 20)) {
    for (const other of commits.touching(path)) {
      if (other >= commit) break;
      const age = (commits.time(other) - time) / DAY;
      if (age <= OUTCOME_WINDOW_DAYS && age >= 0 && isFixCommit(index, other)) found.add(other);
    }
  }
  return [...found].sort((a, b) => b - a).slice(0, MAX_LATER_FIXES);
}

/** Keys of path and text of the informative added or deleted lines of a diff, without indentation. */
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
