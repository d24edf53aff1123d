import { git } from '../src/git/run.ts';
import { terms } from '../src/memory/tokens.ts';
import { bm25, inverseDocumentFrequency, lengthNorm } from '../src/search/lexical/bm25.ts';

/** Full hash of the head of a repository. */
export async function resolveHead(repo: string): Promise<string> {
  return (await git(repo, ['rev-parse', 'HEAD'], { name: 'rev-parse' })).stdout.toString().trim();
}

/** Terms of a text with their counts. */
export type TermCounts = ReadonlyMap<string, number>;

export function countTerms(text: string): TermCounts {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

interface NumberedCommit {
  counts: TermCounts;
  numbers: readonly number[];
}

/** The text of an issue as the commits that name its number tell it. */
export interface IssueText<C> {
  counts: TermCounts;
  commits: C[];
}

/** Makes the text of each number that commits name, without the numbers that are left out. */
export function makeIssueTexts<C extends NumberedCommit>(
  commits: readonly C[],
  leftOut: ReadonlySet<number>,
): IssueText<C>[] {
  const byNumber = new Map<number, C[]>();
  for (const commit of commits) {
    for (const number of new Set(commit.numbers)) {
      if (leftOut.has(number)) continue;
      const some = byNumber.get(number);
      if (some) some.push(commit);
      else byNumber.set(number, [commit]);
    }
  }
  return [...byNumber.values()].map((some) => ({ counts: addCounts(some), commits: some }));
}

function addCounts(commits: readonly NumberedCommit[]): TermCounts {
  if (commits.length === 1) return commits[0]!.counts;
  const sum = new Map<string, number>();
  for (const { counts } of commits) {
    for (const [term, count] of counts) sum.set(term, (sum.get(term) ?? 0) + count);
  }
  return sum;
}

const [SATURATION, LENGTH_PENALTY] = [1.2, 0.75];

/** Ranks items by BM25 of their texts; those without a common term are left out. */
export function rankByWords<T extends { counts: TermCounts }>(question: string, items: readonly T[]): T[] {
  const average = items.reduce((sum, { counts }) => sum + counts.size, 0) / (items.length || 1);
  const scores = new Map<T, number>();
  for (const term of countTerms(question).keys()) {
    const having = items.filter(({ counts }) => counts.has(term));
    const idf = inverseDocumentFrequency(items.length, having.length);
    for (const item of having) {
      const norm = lengthNorm(item.counts.size, average, LENGTH_PENALTY, SATURATION);
      const score = bm25(idf, item.counts.get(term)!, norm, SATURATION);
      scores.set(item, (scores.get(item) ?? 0) + score);
    }
  }
  return [...scores].sort((a, b) => b[1] - a[1]).map(([item]) => item);
}
