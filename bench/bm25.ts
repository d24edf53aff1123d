import type { CodeTable, FieldIndex } from '../src/memory/memory.ts';
import { terms } from '../src/memory/tokens.ts';

const SATURATION = 1.2;
const LENGTH_PENALTY = 0.75;

/**
 * The rival: BM25 as the field does it, one document a file, made of its text and the words of its path, with a
 * term's count in the text asked for. Statistics are of the candidates alone. Returns the candidates, best first.
 */
export function rankByBm25(code: CodeTable, text: string, candidates: readonly number[]): number[] {
  const scores = scoreByBm25([code.files, code.paths], text, candidates);
  return candidates.toSorted((a, b) => scores[b]! - scores[a]! || a - b);
}

/** The score of every document of fields over the same documents, taken together; 0 for those not among the candidates. */
export function scoreByBm25(fields: FieldIndex[], text: string, candidates: readonly number[]): Float64Array {
  const documents = fields[0]!.count;
  const [isCandidate, lengths] = [new Uint8Array(documents), new Float64Array(documents)];
  let total = 0;
  for (const document of candidates) {
    isCandidate[document] = 1;
    for (const field of fields) lengths[document]! += field.lengths[document]!;
    total += lengths[document]!;
  }
  const average = total / (candidates.length || 1);
  const scores = new Float64Array(documents);
  const frequencies = new Float64Array(documents);
  for (const [term, asked] of countsOf(text)) {
    const matches: number[] = [];
    for (const field of fields) {
      const { docs, counts } = field.postings(term) ?? { docs: [], counts: [] };
      for (let i = 0; i < docs.length; i++) {
        const document = docs[i]!;
        if (isCandidate[document] === 0) continue;
        if (frequencies[document] === 0) matches.push(document);
        frequencies[document]! += counts[i]!;
      }
    }
    const idf = Math.log(1 + (candidates.length - matches.length + 0.5) / (matches.length + 0.5));
    for (const document of matches) {
      const frequency = frequencies[document]!;
      const norm = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * lengths[document]!) / average;
      scores[document]! += (asked * idf * frequency * (SATURATION + 1)) / (frequency + SATURATION * norm);
      frequencies[document] = 0;
    }
  }
  return scores;
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
