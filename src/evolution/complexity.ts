import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { wordTerms } from '#memory/tokens.ts';

/** Words that open a branch or a loop, in the languages that are indexed. */
const DECISION_WORDS = [
  ...['if', 'elif', 'elsif', 'unless', 'case', 'when'],
  ...['for', 'foreach', 'while', 'until', 'catch', 'except', 'rescue'],
];

/**
 * Decision points of each file: branches and loops by their keywords in code, without comments and strings. It approximates
 * cyclomatic complexity without parsing.
 */
export const countDecisions = memoizeByIdentity((code: CodeTable): Uint32Array => {
  const body = code.field('body');
  const byPassage = new Uint32Array(code.passageCount);
  for (const term of new Set(DECISION_WORDS.flatMap(wordTerms))) {
    const postings = body.postings(term);
    postings?.docs.forEach((passage, i) => {
      byPassage[passage]! += postings.counts[i]!;
    });
  }
  return Uint32Array.from({ length: code.fileCount }, (_, file) => {
    const { first, count } = code.filePassages(file);
    let decisions = 0;
    for (let passage = first; passage < first + count; passage++) decisions += byPassage[passage]!;
    return decisions;
  });
});
