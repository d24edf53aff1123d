import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { FieldIndex } from '#memory/repository-index.ts';

/** Terms of a field that are remembered. */
const MAX_TERMS = 50_000;

const frequenciesOf = memoizeByIdentity((_field: FieldIndex) => new Map<string, number>());

/** Number of documents with a term. Remembered, since a frequent term's list of a long history takes milliseconds to decode. */
export function documentFrequency(field: FieldIndex, term: string): number {
  const frequencies = frequenciesOf(field);
  const known = frequencies.get(term);
  if (known !== undefined) return known;
  if (frequencies.size >= MAX_TERMS) frequencies.clear();
  const frequency = field.postings(term)?.docs.length ?? 0;
  frequencies.set(term, frequency);
  return frequency;
}
