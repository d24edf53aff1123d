/** A file that usually changes with one of a change. */
interface Companion {
  path: string;
  /** The file of the change, the commits that changed both, and those that changed it. */
  with: string;
  together: number;
  of: number;
}

/** Paths of the commits that changed a file, newest first, without bulk changes. */
type CommitPaths = (path: string) => readonly (readonly string[])[];

/** Commits of a file that count: its newest. */
export const MAX_COMPANION_COMMITS = 60;
/** A companion has changed in so many of a file's commits, and in this share of them. */
const MIN_TOGETHER = 4;
const MIN_SHARE = 0.75;
/** Newest commits of a file, of which a companion has changed in half: older habits have ended. */
const RECENT_COMMITS = 6;

/** Thresholds, which `bench/companions.ts` varies. */
export interface CompanionThresholds {
  minTogether: number;
  minShare: number;
  recent: number;
}

const THRESHOLDS: CompanionThresholds = {
  minTogether: MIN_TOGETHER,
  minShare: MIN_SHARE,
  recent: RECENT_COMMITS,
};

interface CompanionSearch {
  /** Files whose history is read. */
  changed: readonly string[];
  /** All files of the change. */
  own: ReadonlySet<string>;
  history: CommitPaths;
  limit: number;
}

/** Finds files outside of a change that usually change with one of its files, the surest first. Silent when unsure. */
export function findCompanions(
  { changed, own, history, limit }: CompanionSearch,
  { minTogether, minShare, recent }: CompanionThresholds = THRESHOLDS,
): Companion[] {
  const found = new Map<string, Companion>();
  for (const path of changed) {
    const commits = history(path).slice(0, MAX_COMPANION_COMMITS);
    if (commits.length < minTogether) continue;
    for (const [other, together] of countOthers(commits, own)) {
      if (together < minTogether || together < minShare * commits.length) continue;
      if (!isRecent(commits.slice(0, recent), other)) continue;
      const known = found.get(other);
      if (!known || sureness(together, commits.length) > sureness(known.together, known.of)) {
        found.set(other, { path: other, with: path, together, of: commits.length });
      }
    }
  }
  return [...found.values()]
    .sort((a, b) => sureness(b.together, b.of) - sureness(a.together, a.of))
    .slice(0, limit);
}

function countOthers(commits: readonly (readonly string[])[], own: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const paths of commits) {
    for (const path of new Set(paths)) if (!own.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
}

function isRecent(newest: readonly (readonly string[])[], path: string): boolean {
  return newest.length === 0 || 2 * newest.filter((paths) => paths.includes(path)).length >= newest.length;
}

/** Share of the commits, lowered for few of them (Laplace). */
const sureness = (together: number, of: number) => (together + 1) / (of + 2);
