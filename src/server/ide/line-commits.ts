import { AppError } from '#contract/errors.ts';
import { type LineCommit, MAX_LINE_COMMITS } from '#contract/ide.ts';
import { isoTime } from '#contract/iso-time.ts';
import { readCommitSummaries } from '#git/branches.ts';
import { parseDiff } from '#git/diff.ts';
import { lineHistory } from '#git/line-history.ts';
import { findEntry } from '#git/tree.ts';

/**
 * Lists the commits that changed some lines of a file, newest first, with what they changed of them.
 * @throws AppError `not_found` where there is no such file
 */
export async function listLineCommits(
  repo: string,
  {
    commit,
    path,
    from,
    to,
    signal,
  }: { commit: string; path: string; from: number; to: number; signal: AbortSignal },
): Promise<{ commits: LineCommit[]; complete: boolean }> {
  const entry = await findEntry(repo, commit, path);
  if (entry?.type !== 'blob') throw new AppError('not_found', 'file_not_found');
  const lines = { from: Math.min(from, to), to: Math.max(from, to) };
  const changes = await lineHistory(repo, { commit, path, ...lines, maxCommits: MAX_LINE_COMMITS, signal });
  const summaries = await readCommitSummaries(
    repo,
    changes.map(({ oid }) => oid),
  );
  const commits = changes.flatMap(({ oid, path: formerPath, patch }) => {
    const summary = summaries.get(oid);
    if (!summary) return [];
    const { author, subject, time } = summary;
    const [file] = parseDiff(['--- a/x', '+++ b/x', ...patch, ''].join('\n'));
    const hunks = file?.hunks ?? [];
    return [{ hash: oid, subject, author, timestamp: isoTime(time), path: formerPath ?? path, hunks }];
  });
  return { commits, complete: changes.length < MAX_LINE_COMMITS };
}
