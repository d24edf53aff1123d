import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { Bm25fScorer } from '../lexical/bm25f-scorer.ts';
import type { Query } from '../lexical/parse-query.ts';
import { scoreZones } from '../lexical/rank-documents.ts';
import type { Signal, SignalInput } from './signal.ts';

/**
 * BM25F of the whole text against the file's passages: the best, plus half of the second and a quarter of the third,
 * which limits the advantage of long files. Leaves the scores in `space.passages` and `space.zones`.
 */
export const passages: Signal = (input) => {
  scoreZones(input.code, input.space, input.query);
  return passageScores(input);
};

/** Values of the `passages` signal, for the signals that run after it. */
export const passageScores = memoizeByIdentity((input: SignalInput) =>
  bestThreePassages(input, input.space.passages),
);

/** The same for one zone of the text, so that a long trace does not drown out the title. */
export function zoneSignal(zone: keyof Query['zones']): Signal {
  return (input) => bestThreePassages(input, input.space.zones[zone]);
}

function bestThreePassages({ code, space }: SignalInput, scorer: Bm25fScorer): Float32Array {
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
