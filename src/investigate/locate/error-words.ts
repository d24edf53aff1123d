import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable, FieldIndex, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { inverseDocumentFrequency, lengthNorm, saturateFrequency } from '#search/lexical/bm25.ts';
import { TermCounter, type TermCounts } from '#search/lexical/term-counter.ts';
import { documentFrequency } from './document-frequency.ts';

/** A word of the error as printed, and its idf in the repository. */
interface ErrorWord {
  word: string;
  idf: number;
}

/** The words of an error, for comparing it with other texts. */
export interface ErrorWords {
  /** Words that occur in the repository, by term. */
  inVocabulary: Map<string, ErrorWord>;
  /** Share of its terms that the repository lacks, weighted by idf, 0 to 1. */
  outOfVocabularyShare: number;
  /** Total idf in nats of its terms that occur in symbols and paths. */
  identifierMass: number;
  /** Distinct words of the repository that say more than the kind of an error. */
  informativeWords: number;
}

/** Similarity of a text to an error. */
export interface TextSimilarity {
  /** BM25 over the shared terms; comparable within one error only. */
  score: number;
  /** Total idf of the shared terms in nats: two words that occur in one document of a thousand make 14. */
  sharedMass: number;
  /** The rarest shared words, as the error prints them. */
  words: string[];
}

/** Words read per error; real traces have fewer. */
const MAX_WORDS = 400;
const SATURATION_MASS = 10;
const MAX_SHOWN_WORDS = 4;
/** Words that would be mistaken for a commit on display. */
const COMMIT_HASH = /^[0-9a-f]{7,64}$/;
/** Names of folders and wrappers in every trace, which do not discriminate. */
const PATH_WORDS = new Set(
  'lib src tmp temp dist home usr srv opt users node_modules site packages _compile anonymous'.split(' '),
);
/** Terms in more than one of so many documents do not discriminate. */
const COMMON_TERM_DIVISOR = 8;
/** BM25's length normalization: b, and the average length in terms. */
const LENGTH_PENALTY = 0.5;
const AVERAGE_LENGTH = 120;

/** Looks up the words of an error in the index. */
export function analyzeErrorWords(text: string, index: RepositoryIndex): ErrorWords {
  const field = index.code?.files ?? index.commits.messages;
  const known = new Map<string, ErrorWord>();
  const unknown = new Set<string>();
  const all = new Set(text.match(/[\p{L}\p{M}\p{N}_]+/gu));
  for (const word of [...all].slice(0, MAX_WORDS)) {
    for (const term of terms(word)) {
      if (known.has(term) || unknown.has(term)) continue;
      const idf = termRarity(field, term);
      if (idf === null) unknown.add(term);
      else known.set(term, { word, idf: PATH_WORDS.has(word.toLowerCase()) ? 0 : idf });
    }
  }
  const unknownMass = Math.log(1 + field.count) * unknown.size;
  const knownMass = [...known.keys()].reduce(
    (sum, term) => sum + (termRarity(index.commits.messages, term) ?? 0),
    0,
  );
  return {
    inVocabulary: known,
    outOfVocabularyShare: unknownMass / (unknownMass + knownMass || 1),
    identifierMass: index.code ? sumIdentifierMass(index.code, known.keys()) : 0,
    informativeWords: countInformativeWords(known.values()),
  };
}

/** Words of every error report, and names of error classes. */
const GENERIC_WORD =
  /^(?:\w*(?:error|exception|fault|panic|warning)s?|segmentation|core|dumped|signal|abort(?:ed)?|killed|undefined|null|none|nil|nan|true|false|fail(?:s|ed|ure)?|fatal|crash(?:es|ed)?|exit(?:ed)?|code|process|finished|unknown|unexpected|invalid|\d+)$/i;

/** Counts distinct words that are not generic. */
function countInformativeWords(known: Iterable<ErrorWord>): number {
  const words = Array.from(known, ({ word, idf }) => (idf > 0 ? word.toLowerCase() : ''));
  return new Set(words.filter((word) => word.length > 2 && !GENERIC_WORD.test(word))).size;
}

/** Total idf in nats of the terms in symbols or paths, by the more frequent of the two. */
function sumIdentifierMass(code: CodeTable, terms: Iterable<string>): number {
  let mass = 0;
  for (const term of terms) {
    const places = [code.field('symbol'), code.paths].map((field) => documentFrequency(field, term));
    const frequency = Math.max(...places);
    if (frequency > 0) mass += Math.log(1 + code.fileCount / frequency);
  }
  return mass;
}

/** Inverse document frequency; 0 for common terms, null for a term that occurs in no document. */
function termRarity(field: FieldIndex, term: string): number | null {
  const documents = documentFrequency(field, term);
  if (documents === 0) return null;
  if (field.count > 20 && documents > field.count / COMMON_TERM_DIVISOR) return 0;
  return inverseDocumentFrequency(field.count, documents);
}

/** Compares a text, such as a hunk, a message or a passage, with the error. */
export function textSimilarity(error: ErrorWords, text: string): TextSimilarity {
  const counted: TermCounts = { counts: new Map(), length: 0 };
  counterFor(error).count(text, counted);
  return termSimilarity(error, counted);
}

const counterFor = memoizeByIdentity((error: ErrorWords) => new TermCounter(error.inVocabulary.keys()));

/** Compares counted terms with the error; terms outside the error are ignored. */
export function termSimilarity(error: ErrorWords, { counts, length }: TermCounts): TextSimilarity {
  const norm = lengthNorm(length, AVERAGE_LENGTH, LENGTH_PENALTY);
  let score = 0;
  let mass = 0;
  const shared: string[] = [];
  for (const [term, count] of counts) {
    const idf = error.inVocabulary.get(term)?.idf;
    if (idf === undefined) continue;
    shared.push(term);
    mass += idf;
    score += saturateFrequency(idf, count, norm);
  }
  return {
    score,
    sharedMass: mass,
    get words() {
      return rarestWords(error, shared);
    },
  };
}

/** Saturates a total idf into 0 to 1: 0.63 at 10 nats of shared words. */
export function saturate(mass: number): number {
  return 1 - Math.exp(-mass / SATURATION_MASS);
}

function rarestWords(error: ErrorWords, shared: Iterable<string>): string[] {
  const found = Array.from(shared, (term) => error.inVocabulary.get(term)!)
    .filter(({ word, idf }) => idf > 0 && word.length > 2 && !COMMIT_HASH.test(word))
    .sort((a, b) => b.idf - a.idf || b.word.length - a.word.length);
  return [...new Set(found.map(({ word }) => word))].slice(0, MAX_SHOWN_WORDS);
}
