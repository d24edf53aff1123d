import type { QuestionWord } from './question-words.ts';

/** The words of a question that name something, with their certainty, 0 to 1. */
export interface NameMatch {
  score: number;
  span: [number, number];
  /** Distinct terms of the name that the question has. */
  terms: number;
}

/** Certainty of a name of which one, two, or more terms are in the question. */
const TERM_FACTORS = [0, 0.55, 0.84, 0.94];
const MIN_NAME_SHARE = 0.6;
/** Words without meaning between those of a name. */
const MAX_GAPS = 4;
const GAPS_FACTOR = 0.8;
const CONTEXT_BONUS = 0.04;

interface MatchedWord {
  word: QuestionWord;
  term: string;
  strength: number;
}

/**
 * Matches the terms of a name, in any order, with the words of a question. `context` has the terms of what contains it, such as
 * its class or folder. The score is the harmonic mean of the shares of the name and of the phrase that match, by information.
 */
export function matchName(
  words: readonly QuestionWord[],
  name: readonly string[],
  context: ReadonlySet<string>,
  information: (term: string) => number,
): NameMatch | null {
  const nameTerms = new Set(name);
  const matched = words.flatMap((word) => bestMatch(word, (term) => nameTerms.has(term)) ?? []);
  const window = tightestWindow(matched);
  if (window.length === 0) return null;
  const strengths = new Map<string, number>();
  for (const { term, strength } of window) strengths.set(term, Math.max(strength, strengths.get(term) ?? 0));
  const sum = (terms: Iterable<string>, weight: (term: string) => number) => {
    let total = 0;
    for (const term of terms) total += information(term) * weight(term);
    return total;
  };
  const share = sum(strengths.keys(), (term) => strengths.get(term)!) / sum(nameTerms, () => 1);
  if (share < MIN_NAME_SHARE) return null;
  const [first, last] = [window[0]!.word, window.at(-1)!.word];
  const inContext = (word: QuestionWord) => bestMatch(word, (term) => context.has(term)) !== null;
  const phrase = words.filter((word) => isInPhrase(word, first, last));
  const isMatched = (word: QuestionWord) => window.some((one) => one.word === word) || inContext(word);
  const weigh = (word: QuestionWord) => information(word.topic.variants[0]!.term);
  const [total, covered] = [
    phrase.filter((word) => !word.isOptional || isMatched(word)).reduce((all, word) => all + weigh(word), 0),
    phrase.filter(isMatched).reduce((all, word) => all + weigh(word), 0),
  ];
  const phraseShare = total === 0 ? 0 : covered / total;
  const fit = (2 * share * phraseShare) / (share + phraseShare || 1);
  const gaps = last.position - first.position + 1 - window.length;
  const factor = TERM_FACTORS[Math.min(strengths.size, TERM_FACTORS.length - 1)]!;
  const bonus = words.some((word) => !window.some((one) => one.word === word) && inContext(word))
    ? CONTEXT_BONUS
    : 0;
  const score = fit * factor * (gaps > MAX_GAPS ? GAPS_FACTOR : 1) + bonus;
  return { score: Math.min(1, score), span: [first.span[0], last.span[1]], terms: strengths.size };
}

function bestMatch(word: QuestionWord, accepts: (term: string) => boolean): MatchedWord | null {
  let best: MatchedWord | null = null;
  for (const { term, strength } of word.topic.variants)
    if (accepts(term) && strength > (best?.strength ?? 0)) best = { word, term, strength };
  return best;
}

/** The shortest sequence of matched words that has all of their terms. */
function tightestWindow(matched: MatchedWord[]): MatchedWord[] {
  const all = new Set(matched.map(({ term }) => term)).size;
  let best: MatchedWord[] = matched;
  const lengthOf = (window: MatchedWord[]) => window.at(-1)!.word.position - window[0]!.word.position;
  for (let from = 0; from < matched.length; from++) {
    const seen = new Set<string>();
    for (let to = from; to < matched.length; to++) {
      seen.add(matched[to]!.term);
      if (seen.size < all) continue;
      const window = matched.slice(from, to + 1);
      if (lengthOf(window) < lengthOf(best)) best = window;
      break;
    }
  }
  return best;
}

/** True for words between the first and last of a match, and for those of the same runs. */
function isInPhrase(word: QuestionWord, first: QuestionWord, last: QuestionWord): boolean {
  const isBetween = word.position >= first.position && word.position <= last.position;
  return isBetween || word.run === first.run || word.run === last.run;
}
