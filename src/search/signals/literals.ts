import { type QueryTerm, weightTerms } from '../query/parse-query.ts';
import type { Signal, SignalInput } from './signal.ts';

const MAX_LITERALS = 20;

/** Texts between quotes, of two words or more. */
const QUOTED = /"([^"\n]{6,200})"|'([^'\n]{6,200})'|“([^”\n]{6,200})”/g;

/** Below this share of its words, weighed by rarity, a literal is not taken as present. */
const MIN_PRESENT_SHARE = 0.7;

/**
 * Pieces of text that the code itself prints or compares: error messages, quoted words. For each, the passage
 * that has the largest share of its words, if nearly all, the rarity of the words it has.
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
  const worth = scorePresence(input, terms);
  for (let file = 0; file < values.length; file++) {
    const start = space.firstPassage[file]!;
    const end = start + space.passageCount[file]!;
    let most = 0;
    for (let passage = start; passage < end; passage++) most = Math.max(most, space.literals.score(passage));
    if (most >= MIN_PRESENT_SHARE * worth) values[file]! += most;
  }
}

/** A weight at which one occurrence is as good as many. */
const PRESENCE_WEIGHT = 1000;

/**
 * Gives every passage the worth of those words that it has, into `space.parts`; returns the worth of all. Words
 * that are nowhere in the code fill the holes of a message and don't count.
 */
function scorePresence({ code, space }: SignalInput, terms: QueryTerm[]): number {
  const { literals: parts, termScores: worths } = space;
  const read = (name: string) => {
    for (const field of ['body', 'symbol', 'prose'] as const) {
      parts.addField({ index: code.field(field), weight: PRESENCE_WEIGHT, lengthPenalty: 0 }, name);
    }
  };
  let worth = 0;
  parts.reset();
  for (const { term } of terms) {
    const found = worths.getOrCompute('presence', term, parts, read);
    parts.accumulate(found, 1);
    worth += found.maxScore;
  }
  return worth;
}
