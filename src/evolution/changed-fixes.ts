import { firstLine } from '#contract/first-line.ts';
import { blame } from '#git/blame.ts';
import { showCommit } from '#git/diff.ts';
import { type LogCommit, log } from '#git/log.ts';
import { isFix, isNonSource } from './fixes.ts';

/** A commit that changed lines which an earlier fix had written. */
interface ChangedFix {
  commit: string;
  subject: string;
  author: string;
  /** Committer time in seconds since 1970. */
  committed: number;
  /** File with most of those lines. */
  path: string;
  /** The fix that wrote most of them. */
  fix: string;
  fixSubject: string;
}

/** Wider commits are sweeps such as formatting, which change every line and no fix. */
const MAX_FILES = 12;
const MAX_HUNKS = 24;
/** Age of a fix, in seconds, after which its lines are ordinary code. */
const MAX_FIX_AGE_S = 2 * 365 * 86_400;
const BLAME_TIMEOUT_MS = 5_000;

interface CommitSpan {
  repo: string;
  head: string;
  /** Reads the commits after this one; the newest of the history when null. */
  base: string | null;
  maxCommits: number;
  signal?: AbortSignal;
}

/** Finds the newest commits that changed lines of fixes, newest first. */
export async function findChangedFixes({
  repo,
  head,
  base,
  maxCommits,
  signal,
}: CommitSpan): Promise<ChangedFix[]> {
  const found: ChangedFix[] = [];
  let read = 0;
  for await (const commit of log(repo, { from: head, not: base === null ? [] : [base], signal })) {
    const touched = await findChangedFix(commit, { repo, signal });
    if (touched) found.push(touched);
    if (++read >= maxCommits) break;
  }
  return found;
}

async function findChangedFix(
  commit: LogCommit,
  { repo, signal }: { repo: string; signal: AbortSignal | undefined },
): Promise<ChangedFix | null> {
  const [parent, ...others] = commit.parents;
  if (!parent || others.length > 0 || commit.changeCount > MAX_FILES) return null;
  const files = await showCommit(repo, commit.oid, { context: 0, signal });
  const lines = new Map<string, { fix: string; fixSubject: string; path: string; count: number }>();
  let hunks = 0;
  for (const { old_path: path, hunks: changed } of files) {
    if (path === null || isNonSource(path)) continue;
    for (const { old_start: from, old_lines: count } of changed) {
      if (count === 0 || ++hunks > MAX_HUNKS) continue;
      const range = { commit: parent, path, from, to: from + count - 1 };
      const blamed = await blame(repo, { ...range, timeoutMs: BLAME_TIMEOUT_MS, signal });
      for (const { oid, summary, time } of blamed) {
        if (commit.time - time > MAX_FIX_AGE_S || !isFix(summary, [path])) continue;
        const known = lines.get(oid) ?? { fix: oid, fixSubject: summary, path, count: 0 };
        lines.set(oid, { ...known, count: known.count + 1 });
      }
    }
  }
  const [most] = [...lines.values()].sort((a, b) => b.count - a.count);
  if (!most) return null;
  const { oid, author, message, committed } = commit;
  const { fix, fixSubject, path } = most;
  return { commit: oid, subject: firstLine(message), author, committed, path, fix, fixSubject };
}
