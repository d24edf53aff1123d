import { firstLine } from '#contract/first-line.ts';
import { showCommit } from '#git/diff.ts';
import { type LogCommit, log } from '#git/log.ts';
import { isFix, isNonSource } from './fixes.ts';
import { blameRemovedLines, type RemovedLine } from './removed-lines.ts';
import { findUndoneFixes, type UndoneFix } from './undone-fixes.ts';

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

interface CommitSpan {
  repo: string;
  head: string;
  /** Reads the commits after this one; the newest of the history when null. */
  base: string | null;
  maxCommits: number;
  signal?: AbortSignal;
}

/** Changes of earlier fixes by commits. */
interface FixChanges {
  /** Commits that changed lines of fixes, newest first. */
  changed: ChangedFix[];
  /** Commits that removed fixes, newest first. */
  undone: (UndoneFix & Pick<ChangedFix, 'commit' | 'subject' | 'author' | 'committed'>)[];
}

/** Finds what the newest commits of a history did to earlier fixes. */
export async function findFixChanges({
  repo,
  head,
  base,
  maxCommits,
  signal,
}: CommitSpan): Promise<FixChanges> {
  const changes: FixChanges = { changed: [], undone: [] };
  let read = 0;
  for await (const commit of log(repo, { from: head, not: base === null ? [] : [base], signal })) {
    const { changed, undone } = await compareWithFixes(commit, { repo, signal });
    const { oid, author, message, committed } = commit;
    const facts = { commit: oid, subject: firstLine(message), author, committed };
    if (changed) changes.changed.push({ ...facts, ...changed });
    changes.undone.push(...undone.map((one) => ({ ...facts, ...one })));
    if (++read >= maxCommits) break;
  }
  return changes;
}

/** Finds the fix whose lines a commit changed most, and the fixes that it removed. Merges and sweeps have neither. */
export async function compareWithFixes(
  { oid, parents: [before, ...others], changeCount, message, time }: LogCommit,
  { repo, signal }: { repo: string; signal: AbortSignal | undefined },
): Promise<{ changed: Pick<ChangedFix, 'fix' | 'fixSubject' | 'path'> | null; undone: UndoneFix[] }> {
  if (!before || others.length > 0 || changeCount > MAX_FILES) return { changed: null, undone: [] };
  const files = await showCommit(repo, oid, { context: 0, ignoreWhitespace: true, signal });
  const removed = await blameRemovedLines(files, { repo, before, time, signal });
  const undone = await findUndoneFixes({ files, removed, message }, { repo, before, signal });
  return { changed: findMostChanged(removed), undone };
}

function findMostChanged(
  removed: readonly RemovedLine[],
): Pick<ChangedFix, 'fix' | 'fixSubject' | 'path'> | null {
  const ofFixes = removed.filter(({ path, summary }) => !isNonSource(path) && isFix(summary, [path]));
  const [most] = [...Map.groupBy(ofFixes, ({ oid }) => oid).values()].sort((a, b) => b.length - a.length);
  const first = most?.[0];
  return first ? { fix: first.oid, fixSubject: first.summary, path: first.path } : null;
}
