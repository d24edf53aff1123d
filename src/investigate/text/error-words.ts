import type { CodeTable, FieldIndex, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { TermCounter, type TermCounts } from '#search/terms/term-counter.ts';
import { documentFrequency } from './document-frequency.ts';

/** A word of the error: as printed, and how rare it is in the repository. */
interface ErrorWord {
  word: string;
  idf: number;
}

/** The words of an error by term, for comparing it with other texts. */
export interface ErrorWords {
  /** Terms that the repository knows. */
  inVocabulary: Map<string, ErrorWord>;
  /** Share of its terms, by rarity, that the repository has never seen; such a term counts as the rarest. 0 to 1. */
  outOfVocabularyShare: number;
  /** Rarity in nats of its terms that stand in a symbol or a path: what it names. */
  identifierMass: number;
}

/** How much a text has in common with an error. */
export interface TextSimilarity {
  /** Saturated sum of the rarity of the shared terms; comparable within one error only. */
  score: number;
  /** Rarity of the shared terms in all, in nats: two words that one document in a thousand has make 14. */
  sharedMass: number;
  /** The rarest shared words, as the error prints them. */
  words: string[];
}

/** Words of an error that are looked at; real traces stay below. */
const MAX_WORDS = 400;
const SATURATION_MASS = 10;
const MAX_SHOWN_WORDS = 4;
/** Would be taken for a commit when it is shown. */
const COMMIT_HASH = /^[0-9a-f]{7,64}$/;
/** Terms that more than one document in eight has don't tell anything apart. */
const COMMON_TERM_DIVISOR = 8;
/** BM25's saturation, and the length at which a text of this many terms is neither favoured nor not. */
const K1 = 1.2;
const AVERAGE_LENGTH = 120;

/** Reads the words of an error against what the repository holds. */
export function analyzeErrorWords(text: string, memory: RepositoryIndex): ErrorWords {
  const index = memory.code?.files ?? memory.commits.messages;
  const known = new Map<string, ErrorWord>();
  const unknown = new Set<string>();
  const all = new Set(text.match(/[\p{L}\p{M}\p{N}_]+/gu));
  for (const word of [...all].slice(0, MAX_WORDS)) {
    for (const term of terms(word)) {
      if (known.has(term) || unknown.has(term)) continue;
      const idf = termRarity(index, term);
      if (idf === null) unknown.add(term);
      else known.set(term, { word, idf });
    }
  }
  const strange = Math.log(1 + index.count) * unknown.size;
  const familiar = [...known.keys()].reduce(
    (sum, term) => sum + (termRarity(memory.commits.messages, term) ?? 0),
    0,
  );
  return {
    inVocabulary: known,
    outOfVocabularyShare: strange / (strange + familiar || 1),
    identifierMass: memory.code ? sumIdentifierMass(memory.code, known.keys()) : 0,
  };
}

/** Rarity in nats, among files, of the terms that stand in a symbol or a path; of both, the commoner counts. */
function sumIdentifierMass(code: CodeTable, terms: Iterable<string>): number {
  let mass = 0;
  for (const term of terms) {
    const places = [code.field('symbol'), code.paths].map((field) => documentFrequency(field, term));
    const holders = Math.max(...places);
    if (holders > 0) mass += Math.log(1 + code.fileCount / holders);
  }
  return mass;
}

/** Inverse document frequency, 0 for common terms, null for a term that no document has. */
function termRarity(index: FieldIndex, term: string): number | null {
  const documents = documentFrequency(index, term);
  if (documents === 0) return null;
  if (index.count > 20 && documents > index.count / COMMON_TERM_DIVISOR) return 0;
  return Math.log(1 + (index.count - documents + 0.5) / (documents + 0.5));
}

/** Compares a text (a hunk, a message, a passage) with the error. */
export function textSimilarity(error: ErrorWords, text: string): TextSimilarity {
  let counter = counters.get(error);
  if (!counter) {
    counter = new TermCounter(error.inVocabulary.keys());
    counters.set(error, counter);
  }
  const counted: TermCounts = { counts: new Map(), length: 0 };
  counter.count(text, counted);
  return termSimilarity(error, counted);
}

const counters = new WeakMap<ErrorWords, TermCounter>();

/** Compares counted terms with the error; terms that the error lacks count for nothing. */
export function termSimilarity(error: ErrorWords, { counts, length }: TermCounts): TextSimilarity {
  const norm = K1 * (0.5 + (0.5 * length) / AVERAGE_LENGTH);
  let score = 0;
  let mass = 0;
  const shared: string[] = [];
  for (const [term, count] of counts) {
    const idf = error.inVocabulary.get(term)?.idf;
    if (idf === undefined) continue;
    shared.push(term);
    mass += idf;
    score += (idf * count) / (count + norm);
  }
  return {
    score,
    sharedMass: mass,
    get words() {
      return rarestWords(error, shared);
    },
  };
}

/** How far a text is alike by its own measure and not only the likest of all: 0.63 at 10 nats of shared words. */
export function saturate(mass: number): number {
  return 1 - Math.exp(-mass / SATURATION_MASS);
}

function rarestWords(error: ErrorWords, shared: Iterable<string>): string[] {
  const found = Array.from(shared, (term) => error.inVocabulary.get(term)!)
    .filter(({ word, idf }) => idf > 0 && word.length > 2 && !COMMIT_HASH.test(word))
    .sort((a, b) => b.idf - a.idf || b.word.length - a.word.length);
  return [...new Set(found.map(({ word }) => word))].slice(0, MAX_SHOWN_WORDS);
}
