import { firstLine } from '#contract/first-line.ts';
import { type ComparedCommit, MAX_COMPARED_COMMITS } from '#contract/history.ts';
import { isoTime } from '#contract/iso-time.ts';
import { log } from '#git/log.ts';
import { countDivergence, mergeBase } from '#git/refs.ts';
import { kindOfMessage } from '../project-data/commit-filters.ts';

const TIMEOUT_MS = 15_000;

/** Commits between two revisions of which one is not indexed, such as a release branch or a draft. */
export async function compareWithGit(
  repo: string,
  [base, head]: [base: string, head: string],
  signal: AbortSignal,
) {
  const [ancestor, { ahead, behind }] = await Promise.all([
    mergeBase(repo, base, head),
    countDivergence(repo, base, head),
  ]);
  const commits: ComparedCommit[] = [];
  const authors = new Set<string>();
  const options = { from: head, not: [base], findRenames: false, timeoutMs: TIMEOUT_MS, signal };
  for await (const commit of log(repo, options)) {
    const paths = commit.changes.map(({ path }) => path);
    authors.add(commit.author);
    commits.push({
      hash: commit.oid,
      subject: firstLine(commit.message).slice(0, 300),
      author: commit.author,
      timestamp: isoTime(commit.committed),
      kind: commit.parents.length > 1 ? 'merge' : kindOfMessage(commit.message, paths),
    });
    if (commits.length === MAX_COMPARED_COMMITS) break;
  }
  return { ancestor, commits, total_commits: ahead, behind, authors: authors.size };
}
