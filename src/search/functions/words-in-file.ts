import type { FieldIndex } from '#memory/memory.ts';
import { inverseFrequency } from '../scorer.ts';
import type { FunctionInput } from './candidate.ts';

/** As in BM25, for passages of one file, which are of about the same length. */
const SATURATION = 1.2;
const LENGTH_PENALTY = 0.5;

/**
 * BM25 of the text against the passages of each candidate's file as if there were no others: what half of a file speaks
 * of tells nothing within it, however rare it is in the repository. By passage; those without a word are not there.
 */
export function wordsInFile({ code, query, candidates }: FunctionInput): Map<number, number> {
  const files = [...new Set(candidates.map(({ file }) => file))].map((file) => code.filePassages(file));
  const fields = [code.field('body'), code.field('prose')];
  const average = fields.reduce((sum, { averageLength }) => sum + averageLength, 0) || 1;
  const lengthOf = (passage: number) => fields.reduce((sum, { lengths }) => sum + lengths[passage]!, 0);
  const scores = new Map<number, number>();
  for (const { term, weight } of query.terms) {
    const counts = files.map(() => new Map<number, number>());
    for (const field of fields) countIn(field, term, files, counts);
    counts.forEach((inFile, index) => {
      const worth = weight * inverseFrequency(files[index]!.count, inFile.size) * (SATURATION + 1);
      for (const [passage, count] of inFile) {
        const frequency = count / (1 - LENGTH_PENALTY + (LENGTH_PENALTY * lengthOf(passage)) / average);
        const before = scores.get(passage) ?? 0;
        scores.set(passage, before + (worth * frequency) / (frequency + SATURATION));
      }
    });
  }
  return scores;
}

/** Adds how often a term stands in the passages of some files: postings ascend, and a file's passages are consecutive. */
function countIn(
  field: FieldIndex,
  term: string,
  files: readonly { first: number; count: number }[],
  counts: readonly Map<number, number>[],
): void {
  const postings = field.postings(term);
  if (!postings) return;
  const { docs } = postings;
  files.forEach(({ first, count }, index) => {
    const found = counts[index]!;
    for (let at = firstNotBelow(docs, first); at < docs.length && docs[at]! < first + count; at++) {
      found.set(docs[at]!, (found.get(docs[at]!) ?? 0) + postings.counts[at]!);
    }
  });
}

function firstNotBelow(ascending: Uint32Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
