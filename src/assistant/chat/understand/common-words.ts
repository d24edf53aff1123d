import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import type { CodeTable } from '#memory/repository-index.ts';

/** A word is common when more than this share of all passages have it in their comments and strings. */
const COMMON_SHARE = 0.01;

/** True when all terms are words that the comments of the code use often, so that they name nothing for certain. */
export function isCommonWord(terms: readonly string[], code: CodeTable | null): boolean {
  const prose = code?.field('prose');
  if (!prose) return false;
  return terms.every((term) => documentFrequency(prose, term) > COMMON_SHARE * prose.count);
}
