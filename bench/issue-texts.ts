import { git } from '../src/git/run.ts';
import { terms } from '../src/memory/tokens.ts';
import { bm25, inverseDocumentFrequency, lengthNorm } from '../src/search/lexical/bm25.ts';

/** Full hash of the head of a repository. */
export async function resolveHead(repo: string): Promise<string> {
  return (await git(repo, ['rev-parse', 'HEAD'], { name: 'rev-parse' })).stdout.toString().trim();
}

/** Text of an issue as the commits that name its number tell it. */
export interface IssueText<C> {
  text: string;
  commits: C[];
}

/** Makes the text of each number that several commits name, without the numbers that are left out. */
export function makeIssueTexts<C extends { message: string; numbers: number[] }>(
  commits: readonly C[],
  leftOut: ReadonlySet<number>,
): IssueText<C>[] {
  const byNumber = new Map<number, C[]>();
  for (const commit of commits) {
    for (const number of new Set(commit.numbers)) {
      if (!leftOut.has(number)) byNumber.set(number, [...(byNumber.get(number) ?? []), commit]);
    }
  }
  return [...byNumber.values()].map((some) => ({
    text: some.map(({ message }) => message).join('\n'),
    commits: some,
  }));
}

const [SATURATION, LENGTH_PENALTY] = [1.2, 0.75];
/** Terms of texts, which are asked for again and again. */
const counted = new Map<string, Map<string, number>>();

function countTerms(text: string): Map<string, number> {
  const known = counted.get(text);
  if (known) return known;
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  counted.set(text, counts);
  return counts;
}

/** Ranks items by BM25 of their texts, those without a common term left out. */
export function rankByWords<T>(question: string, items: readonly T[], textOf: (item: T) => string): T[] {
  const documents = items.map((item) => countTerms(textOf(item)));
  const lengths = documents.map((document) => document.size);
  const average = lengths.reduce((sum, length) => sum + length, 0) / (lengths.length || 1);
  const scores = new Float64Array(items.length);
  for (const term of countTerms(question).keys()) {
    const having = documents.flatMap((document, at) => (document.has(term) ? [at] : []));
    const idf = inverseDocumentFrequency(items.length, having.length);
    for (const at of having) {
      const norm = lengthNorm(lengths[at]!, average, LENGTH_PENALTY, SATURATION);
      scores[at]! += bm25(idf, documents[at]!.get(term)!, norm, SATURATION);
    }
  }
  return items
    .map((item, at) => ({ item, score: scores[at]! }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
