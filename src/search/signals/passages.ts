import { onceFor } from '../memoize-by-identity.ts';
import type { Query } from '../query/parse-query.ts';
import { scoreViews } from '../rank-documents.ts';
import type { Scorer } from '../scoring/bm25f-scorer.ts';
import type { Signal, SignalInput } from './signal.ts';

/**
 * BM25F of the whole text against the file's passages: the best one, half of the second, a quarter of the
 * third. A long file gets no more than three chances. Leaves the scores in `space.passages`, and those of each
 * view of the text in `space.views`.
 */
export const passages: Signal = (input) => {
  scoreViews(input.code, input.space, input.query);
  return bestByText(input);
};

/** What the signal `passages` gives, for those that come after it. */
export const bestByText = onceFor((input: SignalInput) => bestThree(input, input.space.passages));

/** The same for one view of the text apart, so that a title is not drowned by a long trace. */
export function viewSignal(view: keyof Query['views']): Signal {
  return (input) => bestThree(input, input.space.views[view]);
}

/** A file's score by those of its passages: the best, half of the second, a quarter of the third. */
function bestThree({ code, space }: SignalInput, scorer: Scorer): Float32Array {
  const values = new Float32Array(code.fileCount);
  for (let file = 0; file < values.length; file++) {
    let [first, second, third] = [0, 0, 0];
    const start = space.firstPassage[file]!;
    const end = start + space.passageCount[file]!;
    for (let passage = start; passage < end; passage++) {
      const score = scorer.score(passage);
      if (score <= third) continue;
      if (score > first) [first, second, third] = [score, first, second];
      else if (score > second) [second, third] = [score, second];
      else third = score;
    }
    values[file] = first + second / 2 + third / 4;
  }
  return values;
}
