import type { Held } from '#contract/debug.ts';
import type { FileDiff } from '#contract/projects.ts';
import { showCommit } from '#git/diff.ts';
import type { Memory } from '#memory/memory.ts';
import { isFixCommit, revertedCommits } from './fixes.ts';

const DAY = 86_400;
/** A fix whose lines are fixed again within so many days did not hold. */
export const HOLDS_AFTER_DAYS = 90;
/** Later fixes whose diff is read, newest last; more than these in 90 days tells of a hot spot, not of this fix. */
const READ_AT_MOST = 6;
/** Lines that say too little to recognise an author's work by: braces, `return`, `else`. */
const TELLING = /\w\W*\w\W*\w\W*\w\W*\w\W*\w/;

/** What is needed to judge a fix. `now` is in seconds since 1970. */
export interface JudgeFix {
  repo: string;
  memory: Memory;
  commit: number;
  /** The fix's own diff when the caller has it already. */
  diff?: FileDiff[];
  now: number;
  signal?: AbortSignal;
}

/**
 * Says whether a fix stayed: taken back by a revert, fixed again within 90 days (a later fix deletes a line that this
 * one added), younger than 90 days, or held. Lines are compared by their text, so moved lines are recognised.
 */
export async function judgeFix(input: JudgeFix): Promise<Held> {
  const { memory, commit, now } = input;
  const { commits } = memory;
  const time = commits.time(commit);
  const days = (at: number) => Math.max(0, Math.round((at - time) / DAY) || 0);

  const revert = findRevert(memory, commit);
  if (revert >= 0) return { state: 'reverted', days: days(commits.time(revert)), by: commits.oid(revert) };
  const refix = await findRefix(input);
  if (refix >= 0) return { state: 'refixed', days: days(commits.time(refix)), by: commits.oid(refix) };
  return { state: days(now) < HOLDS_AFTER_DAYS ? 'recent' : 'held', days: days(now) };
}

/** The commit that takes this one back ("This reverts commit …") and still stands, or -1. */
export function findRevert(memory: Memory, commit: number): number {
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

async function findRefix({ repo, memory, commit, diff, signal }: JudgeFix): Promise<number> {
  const later = laterFixes(memory, commit);
  if (later.length === 0) return -1;
  const { commits } = memory;
  const own = diff ?? (await showCommit(repo, commits.oid(commit), { context: 0, signal }));
  const added = changedLines(own, 'add');
  if (added.size === 0) return -1;
  const diffs = await Promise.all(
    later.map((number) => showCommit(repo, commits.oid(number), { context: 0, signal })),
  );
  const index = diffs.findIndex((files) => {
    for (const line of changedLines(files, 'delete')) if (added.has(line)) return true;
    return false;
  });
  return index < 0 ? -1 : later[index]!;
}

/** Fixes that touched one of the commit's files within 90 days after it, oldest first. */
function laterFixes(memory: Memory, commit: number): number[] {
  const { commits } = memory;
  const time = commits.time(commit);
  const found = new Set<number>();
  for (const path of commits.paths(commit).slice(0, 20)) {
    for (const other of commits.touching(path)) {
      if (other >= commit) break;
      const age = (commits.time(other) - time) / DAY;
      if (age <= HOLDS_AFTER_DAYS && age >= 0 && isFixCommit(memory, other)) found.add(other);
    }
  }
  return [...found].sort((a, b) => b - a).slice(0, READ_AT_MOST);
}

/** `path`-and-text keys of the added or deleted lines of a diff, without indentation. */
function changedLines(files: FileDiff[], kind: 'add' | 'delete'): Set<string> {
  const lines = new Set<string>();
  for (const file of files) {
    const path = kind === 'add' ? file.new_path : file.old_path;
    for (const hunk of file.hunks) {
      for (const line of hunk.lines)
        if (line.kind === kind && TELLING.test(line.text)) lines.add(`${path}\0${line.text.trim()}`);
    }
  }
  return lines;
}
