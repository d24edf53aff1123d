import { ACTIVITY_WEEKS, CARD_WEEKS, type CommitWeeks } from '#contract/project-overview.ts';
import type { CommitTable } from '#memory/repository-index.ts';
import { yieldIfDue } from '#scheduling/yield.ts';

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY_S = 4 * DAY_S;
/** Commits older than the window that may precede a newer one, since dates are the authors'. */
const MAX_OLD_IN_A_ROW = 2000;

/** Number of the week, from Monday in UTC, that contains a Unix time. */
function weekOf(seconds: number): number {
  return Math.floor((seconds - FIRST_MONDAY_S) / WEEK_S);
}

/** Yields the commits of the last year with their age in weeks, in the order of the table. */
export async function* recentCommits(
  commits: CommitTable,
  now: Date,
): AsyncGenerator<{ commit: number; weeksAgo: number }> {
  const current = weekOf(now.getTime() / 1000);
  let old = 0;
  for (let commit = 0; commit < commits.count && old < MAX_OLD_IN_A_ROW; commit++) {
    const weeksAgo = Math.max(0, current - weekOf(commits.time(commit)));
    if (Number.isNaN(weeksAgo)) continue;
    old = weeksAgo < ACTIVITY_WEEKS ? 0 : old + 1;
    if (old === 0) yield { commit, weeksAgo };
    if (commit % 4096 === 0) await yieldIfDue();
  }
}

/** Counts commits by week of the last year. */
export async function countCommitWeeks(commits: CommitTable, now: Date): Promise<CommitWeeks> {
  const counts = new Array<number>(ACTIVITY_WEEKS).fill(0);
  for await (const { weeksAgo } of recentCommits(commits, now)) counts[ACTIVITY_WEEKS - 1 - weeksAgo]!++;
  const monday = new Date((weekOf(now.getTime() / 1000) * WEEK_S + FIRST_MONDAY_S) * 1000);
  return { week: monday.toISOString().slice(0, 10), counts };
}

/** The last weeks of stored counts as of now, the current week last; null before the history is indexed. */
export function alignCommitWeeks(stored: CommitWeeks | null, now: Date): number[] | null {
  if (stored === null) return null;
  const passed = weekOf(now.getTime() / 1000) - weekOf(Date.parse(stored.week) / 1000);
  return Array.from(
    { length: CARD_WEEKS },
    (_, at) => stored.counts[stored.counts.length - CARD_WEEKS + at + passed] ?? 0,
  );
}
