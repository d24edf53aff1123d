import { findFixChanges } from '#evolution/changed-fixes.ts';
import type { BranchContext } from './branch-context.ts';
import type { RemovedFix } from './failure-report.ts';

/** Newest commits of the branch that are compared with earlier fixes. */
const MAX_COMMITS = 60;

/** Finds the earlier fixes that commits of the branch remove. */
export async function findRemovedFixes(
  repo: string,
  { head, base, boundary }: BranchContext,
  signal: AbortSignal,
): Promise<RemovedFix[]> {
  const span = { repo, head, base: base?.commit ?? null, maxCommits: MAX_COMMITS, signal };
  const { undone } = await findFixChanges(span);
  return undone
    .filter(({ fix }) => !boundary.has(fix))
    .map(({ commit: hash, subject: message, fix, fixSubject: fix_message, path, line }) => ({
      ...{ hash, message, fix, fix_message, path, line },
    }));
}

/** Sentence on a removed fix: `abc1234 removes the fix for “Fix crash” (def5678) at src/a.js:12`. */
export function formatRemovedFix({ hash, message, fix, fix_message, path, line }: RemovedFix): string {
  return `${hash.slice(0, 7)} ${message} removes the fix “${fix_message}” (${fix.slice(0, 7)}) at ${path}:${line}`;
}
