import type { QuestionWord } from './question-words.ts';

/** The words of a question that name something, with their certainty, 0 to 1. */
export interface NameMatch {
  score: number;
  span: [number, number];
  /** Distinct terms of the name that the question has. */
  terms: number;
}

/** A name as its terms; `context` has those of what contains it, such as its class or folder. */
interface NameTerms {
  name: readonly string[];
  context: ReadonlySet<string>;
}

type Information = (term: string) => number;

/** Certainty of a name of which one, two, or more terms are in the question. */
const TERM_FACTORS = [0, 0.52, 0.84, 0.94];
const MIN_NAME_SHARE = 0.6;
/** Words without meaning between those of a name. */
const MAX_GAPS = 4;
const GAPS_FACTOR = 0.8;
/** `list passed` for `PassList`, where `cache of templates` is `TemplateCache`. */
const REVERSED_FACTOR = 0.85;
/** For a word of the question that names the container. */
const CONTEXT_BONUS = 0.1;
const MIN_TOKEN_FIT = 0.9;

interface MatchedWord {
  word: QuestionWord;
  term: string;
  strength: number;
}

/**
 * Matches the terms of a name, in any order, with the words of a question. The score is the harmonic mean of the shares of the
 * name and of the phrase that match, by information.
 */
export function matchName(
  words: readonly QuestionWord[],
  { name, context }: NameTerms,
  information: Information,
): NameMatch | null {
  const window = tightestWindow(matchedWords(words, new Set(name), context));
  const [first, last] = [window[0]?.word, window.at(-1)?.word];
  if (!first || !last) return null;
  const strengths = new Map<string, number>();
  for (const { term, strength } of window) strengths.set(term, Math.max(strength, strengths.get(term) ?? 0));
  const isOptional = window.every(({ word }) => word.isOptional);
  if (isOptional && (strengths.size < 2 || first.run !== last.run)) return null;
  const share = nameShare(name, strengths, information);
  if (share < MIN_NAME_SHARE) return null;
  const inName = new Set(window.map(({ word }) => word));
  const containers = words.filter(
    (word) => !inName.has(word) && !word.isNoun && !word.isProject && hasTerm(word, context),
  );
  const phrase = words.filter((word) => isInPhrase(word, first, last));
  const covered = new Set([...inName, ...containers]);
  const fit = harmonicMean(share, phraseShare(phrase, covered, information));
  if (first.position === last.position && isPartOfToken(words, first) && fit < MIN_TOKEN_FIT) return null;
  const terms = strengths.size + Number(containers.some((word) => phrase.includes(word)));
  const score = fit * TERM_FACTORS[Math.min(terms, TERM_FACTORS.length - 1)]! * orderFactor(name, window);
  const bonus = containers.some((word) => !word.isOptional) ? CONTEXT_BONUS : 0;
  return { score: Math.min(1, score + bonus), span: [first.span[0], last.span[1]], terms: strengths.size };
}

/**
 * Words of the question that are in a name. A noun such as `method` needs another word beside it, and a part of a token, such as
 * `lifo` of `use_lifo`, all others.
 */
function matchedWords(
  words: readonly QuestionWord[],
  name: ReadonlySet<string>,
  context: ReadonlySet<string>,
): MatchedWord[] {
  const matched = words.flatMap((word) => matchesOf(word, name));
  const runs = new Set(matched.filter(({ word }) => !word.isNoun).map(({ word }) => word.run));
  return matched.filter(({ word }) => {
    if (word.isNoun && !runs.has(word.run)) return false;
    const token = words.filter(({ position }) => position === word.position);
    return token.length < 2 || token.every((part) => hasTerm(part, name) || hasTerm(part, context));
  });
}

/** Terms of a name that a word stands for; a compound such as `Ladeversuch` has several. */
function matchesOf(word: QuestionWord, terms: ReadonlySet<string>): MatchedWord[] {
  return word.topic.variants
    .filter(({ term }) => terms.has(term))
    .map(({ term, strength }) => ({ word, term, strength }));
}

function hasTerm({ topic }: QuestionWord, terms: ReadonlySet<string>): boolean {
  return topic.variants.some(({ term }) => terms.has(term));
}

function isPartOfToken(words: readonly QuestionWord[], word: QuestionWord): boolean {
  return words.some((other) => other !== word && other.position === word.position);
}

function nameShare(
  name: readonly string[],
  strengths: ReadonlyMap<string, number>,
  information: Information,
): number {
  let [total, matched] = [0, 0];
  for (const term of name) {
    total += information(term);
    matched += information(term) * (strengths.get(term) ?? 0);
  }
  return total === 0 ? 0 : matched / total;
}

/** Share of the information of a phrase that is covered; words that say what is asked count only when they are. */
function phraseShare(
  phrase: readonly QuestionWord[],
  covered: ReadonlySet<QuestionWord>,
  information: Information,
): number {
  let [total, matched] = [0, 0];
  for (const word of phrase) {
    const isCovered = covered.has(word);
    if (word.isOptional && !isCovered) continue;
    const weight = information(word.topic.variants[0]!.term);
    total += weight;
    if (isCovered) matched += weight;
  }
  return total === 0 ? 0 : matched / total;
}

function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b);
}

function orderFactor(name: readonly string[], window: readonly MatchedWord[]): number {
  const [first, last] = [window[0]!, window.at(-1)!];
  const gaps = last.word.position - first.word.position + 1 - window.length;
  if (gaps > MAX_GAPS) return GAPS_FACTOR;
  const isReversed =
    window.length === 2 &&
    name.indexOf(first.term) > name.indexOf(last.term) &&
    first.word.run === last.word.run;
  return isReversed ? REVERSED_FACTOR : 1;
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
