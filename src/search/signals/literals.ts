import { type QueryTerm, weightTerms } from '../lexical/parse-query.ts';
import type { Signal, SignalInput } from './signal.ts';

const MAX_LITERALS = 20;

/** Quoted texts. */
const QUOTED = /"([^"\n]{6,200})"|'([^'\n]{6,200})'|“([^”\n]{6,200})”/g;

/** Minimum share of a literal's words, weighted by idf, in a passage that contains it. */
const MIN_PRESENT_SHARE = 0.7;

/**
 * Texts that the code itself prints or compares, such as error messages. Adds for each the idf of its words in the best
 * passage, if that passage contains nearly all of them.
 */
export const literals: Signal = (input) => {
  const values = new Float32Array(input.code.fileCount);
  const quoted = [...input.query.text.matchAll(QUOTED)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const texts = new Set([...input.literals, ...quoted]);
  for (const text of [...texts].slice(0, MAX_LITERALS)) addLiteral(input, text, values);
  return values;
};

function addLiteral(input: SignalInput, text: string, values: Float32Array): void {
  const { space } = input;
  const terms = weightTerms(text);
  if (terms.length < 2) return;
  const total = scorePresence(input, terms);
  for (let file = 0; file < values.length; file++) {
    const start = space.firstPassage[file]!;
    const end = start + space.passageCount[file]!;
    let best = 0;
    for (let passage = start; passage < end; passage++) best = Math.max(best, space.literals.score(passage));
    if (best >= MIN_PRESENT_SHARE * total) values[file]! += best;
  }
}

/** High enough to saturate at one occurrence. */
const PRESENCE_WEIGHT = 1000;

/**
 * Scores every passage by the idf of the terms it contains, into `space.literals`; returns the total of all terms.
 * Terms absent from the code fill the placeholders of a message and do not count.
 */
function scorePresence({ code, space }: SignalInput, terms: QueryTerm[]): number {
  const { literals: scorer, termScores } = space;
  const addOccurrences = (term: string) => {
    for (const field of ['body', 'symbol', 'prose'] as const) {
      scorer.addField({ index: code.field(field), weight: PRESENCE_WEIGHT, lengthPenalty: 0 }, term);
    }
  };
  let total = 0;
  scorer.reset();
  for (const { term } of terms) {
    const scores = termScores.getOrCompute('presence', term, scorer, addOccurrences);
    scorer.accumulate(scores, 1);
    total += scores.maxScore;
  }
  return total;
}
