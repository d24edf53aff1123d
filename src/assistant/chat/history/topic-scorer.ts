import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import { cachedWordTerms, forEachTerm } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { coverage, type TopicWord, topicWords, wordWeights } from '../understand/topic-words.ts';

const MAX_BODY_LENGTH = 4_000;
const MAX_PATHS = 60;
const MIN_NAME_LENGTH = 5;
const MAX_NAME_FILES = 12;
/** Strength of a word by its place. */
const BODY_STRENGTH = 0.8;
const PATH_STRENGTH = 0.7;

/** A text beside message and paths that speaks for a commit, such as a line that it added. */
export interface TopicEvidence {
  text: string;
  strength: number;
}

/** Measures the share of a topic's information that texts and commits cover. */
export class TopicScorer {
  readonly words: TopicWord[];
  readonly #weights: number[];
  readonly #context: Pick<ToolContext, 'index'>;

  constructor(topic: string, context: Pick<ToolContext, 'index'>) {
    this.#context = context;
    this.words = topicWords(topic);
    const { commits, code } = context.index;
    const inMessages = (term: string) => documentFrequency(commits.messages, term);
    const inCode = (term: string) => (code ? documentFrequency(code.files, term) : 0);
    const count = commits.count + (code?.fileCount ?? 0);
    this.#weights = wordWeights(this.words, count, (term) => inMessages(term) + inCode(term));
  }

  /** Share of the topic's information in texts, each with its strength, 0 to 1. */
  cover(texts: TopicEvidence[]): number {
    const strengths = new Float64Array(this.words.length);
    for (const { text, strength } of texts) this.#raise(strengths, text, strength);
    return this.share(strengths);
  }

  /** Strength of each word in a text, from 0 to 1. */
  strengthsIn(text: string): Float64Array {
    const strengths = new Float64Array(this.words.length);
    this.#raise(strengths, text, 1);
    return strengths;
  }

  /** Share of the topic's information that strengths of its words cover. */
  share(strengths: ArrayLike<number>): number {
    return coverage(this.#weights, strengths);
  }

  /** Share of the topic's information in a commit's message and paths and in further evidence for it. */
  coverCommit(commit: number, evidence: TopicEvidence[] = []): number {
    const { commits } = this.#context.index;
    const paths = Array.from(commits.paths(commit).subarray(0, MAX_PATHS), (path) => commits.path(path));
    return this.cover([
      { text: commits.subject(commit), strength: 1 },
      { text: commits.message(commit).slice(0, MAX_BODY_LENGTH), strength: BODY_STRENGTH },
      { text: paths.join('\n'), strength: PATH_STRENGTH },
      ...evidence,
    ]);
  }

  /** True for a name of several parts, all of which are words of the topic. */
  hasAllParts(name: string): boolean {
    const [, ...parts] = cachedWordTerms(name);
    const known = new Set(this.words.flatMap(({ variants }) => variants.map(({ term }) => term)));
    return parts.length >= 2 && parts.every((part) => known.has(part));
  }

  /** Words of the topic that are rare names in the code, rarest first. */
  rarestNames(limit: number): string[] {
    const { code } = this.#context.index;
    if (!code) return [];
    return this.words
      .map(({ word, variants }) => ({
        word,
        files: documentFrequency(code.files, variants[0]!.term),
      }))
      .filter(({ word, files }) => word.length >= MIN_NAME_LENGTH && files > 0 && files <= MAX_NAME_FILES)
      .sort((a, b) => a.files - b.files)
      .slice(0, limit)
      .map(({ word }) => word);
  }

  #raise(strengths: Float64Array, text: string, strength: number): void {
    const terms = termsOf(text);
    this.words.forEach(({ variants }, i) => {
      for (const variant of variants) {
        const value = strength * variant.strength;
        if (value > strengths[i]! && terms.has(variant.term)) strengths[i] = value;
      }
    });
  }
}

/** Terms of a text, each once. */
export function termsOf(text: string): Set<string> {
  const found = new Set<string>();
  forEachTerm(text, (term) => found.add(term));
  return found;
}
