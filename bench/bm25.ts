import type { CodeTable, FieldIndex } from '../src/memory/repository-index.ts';
import { terms } from '../src/memory/tokens.ts';
import { bm25, inverseDocumentFrequency, lengthNorm } from '../src/search/lexical/bm25.ts';
import { weightTerms } from '../src/search/lexical/parse-query.ts';

interface Setting {
  saturation: number;
  lengthPenalty: number;
  /** Weight of a word of the path. */
  path: number;
  /** Frequency of each term in the query. */
  read(text: string): { term: string; count: number }[];
}

/** The rivals: BM25 with the usual constants, and the strongest of fourteen settings on the fitting data by Acc@5 and @10. */
export const RIVALS = {
  BM25: { saturation: 1.2, lengthPenalty: 0.75, path: 1, read: countTerms },
  'strongest BM25': { saturation: 3, lengthPenalty: 0.75, path: 10, read: weightTerms },
} satisfies Record<string, Setting>;

function countTerms(text: string): { term: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return Array.from(counts, ([term, count]) => ({ term, count }));
}

/**
 * BM25 as the field does it, one document a file, made of its text and the words of its path, with a term's count in
 * the text asked for. Statistics are of the candidates alone. Returns the candidates, best first.
 */
export function rankByBm25(
  code: CodeTable,
  text: string,
  candidates: readonly number[],
  setting: Setting,
): number[] {
  const scores = scoreByBm25(code, text, candidates, setting);
  return candidates.toSorted((a, b) => scores[b]! - scores[a]! || a - b);
}

interface Field {
  index: FieldIndex;
  weight: number;
}

/** The score of every file; 0 for those not among the candidates. */
function scoreByBm25(
  code: CodeTable,
  text: string,
  candidates: readonly number[],
  { saturation, lengthPenalty, path, read }: Setting,
): Float64Array {
  const documents = code.fileCount;
  const fields: Field[] = [
    { index: code.files, weight: 1 },
    { index: code.paths, weight: path },
  ];
  const [isCandidate, lengths] = [new Uint8Array(documents), new Float64Array(documents)];
  let total = 0;
  for (const document of candidates) {
    isCandidate[document] = 1;
    for (const { index, weight } of fields) lengths[document]! += weight * index.lengths[document]!;
    total += lengths[document]!;
  }
  const average = total / (candidates.length || 1);
  const scores = new Float64Array(documents);
  const frequencies = new Float64Array(documents);
  for (const { term, count: queryCount } of read(text)) {
    const matches: number[] = [];
    for (const { index, weight } of fields) {
      const { docs, counts } = index.postings(term) ?? { docs: [], counts: [] };
      for (let i = 0; i < docs.length; i++) {
        const document = docs[i]!;
        if (isCandidate[document] === 0) continue;
        if (frequencies[document] === 0) matches.push(document);
        frequencies[document]! += weight * counts[i]!;
      }
    }
    const idf = inverseDocumentFrequency(candidates.length, matches.length);
    for (const document of matches) {
      const frequency = frequencies[document]!;
      const norm = lengthNorm(lengths[document]!, average, lengthPenalty, saturation);
      scores[document]! += bm25(queryCount * idf, frequency, norm, saturation);
      frequencies[document] = 0;
    }
  }
  return scores;
}
