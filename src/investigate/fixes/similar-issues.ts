import type { RepositoryIndex } from '#memory/repository-index.ts';
import { errorSimilarity, summarizeError } from './similar-sessions.ts';

/** An imported issue or pull request, whose text may report an error. */
export interface PastIssue {
  kind: 'issue' | 'pull_request';
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed' | 'merged';
  /** Full hashes of commits that belong to it. */
  commits: string[];
}

/** An issue about a similar error. */
export interface SimilarIssue {
  issue: PastIssue;
  /** 1 for the same fingerprint. */
  similarity: number;
  /** Newest indexed commit that belongs to it; null without one. */
  commit: number | null;
}

const MAX_ISSUES = 3;
const MIN_SIMILARITY = 0.5;

/** Finds issues that report a similar error in their title or their text, the most similar first. */
export function findSimilarIssues(
  error: string,
  issues: readonly PastIssue[],
  { commits }: RepositoryIndex,
): SimilarIssue[] {
  const own = summarizeError(error);
  return issues
    .map((issue) => {
      const texts = [issue.title, issue.body].filter((text) => text.trim() !== '');
      const similarity = Math.max(0, ...texts.map((text) => errorSimilarity(own, summarizeError(text))));
      const known = issue.commits.map((hash) => commits.find(hash)).filter((commit) => commit >= 0);
      return { issue, similarity, commit: known.length > 0 ? Math.min(...known) : null };
    })
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((a, b) => b.similarity - a.similarity || Number(b.commit !== null) - Number(a.commit !== null))
    .slice(0, MAX_ISSUES);
}
