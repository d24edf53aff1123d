import type { RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { documentFrequency } from '../locate/document-frequency.ts';
import { sigmoid } from '../locate/softmax.ts';
import known from './term-shares.json' with { type: 'json' };
import weights from './topic-weights.json' with { type: 'json' };

/** Terms of a report that favor a project over any other project; the fit is in `bench/fit/topic.ts`. */
export interface TopicFeatures {
  /**
   * Mean of the highest 5 and 12 values of ln(share of the project's commit messages with a term / share of other projects'),
   * over 5 and 12.
   */
  messages: number;
  messages12: number;
  /** Mean of the highest 5 of the same ratios for the share of its symbols or of its paths. */
  symbols: number;
  /** ln(1 + n) of the terms that are rare elsewhere and that the project lacks. */
  unknown: number;
  /** Names of code that the project defines, without common words; at most 4. */
  names: number;
  /** ln of the number of terms. */
  length: number;
}

/** Share of the commit messages of any project that contain a term. */
export type TermShare = (term: string) => number;

/** Terms that are read of a report. */
const MAX_TERMS = 300;
/** Shares that are added to both sides, so that a rare term is no certainty. */
const SMOOTHING = { messages: 2e-4, symbols: 1e-4 };
/** A term is in so many times fewer symbols than messages. */
const SYMBOL_FACTOR = 0.3;
/** Terms of a larger share are common words. */
const MAX_RARE_SHARE = 6e-4;
const MAX_NAME_SHARE = 3e-3;
const MAX_NAMES = 4;
/** Probability from which a report in words is about the project. */
export const MIN_TOPIC_PROBABILITY = 0.28;

/** Shares of the terms of five and more projects, in powers of two. */
const shares = new Map(
  known.levels.flatMap((level, exponent) => level.split(' ').map((term) => [term, 2 ** -exponent] as const)),
);

/** Share by the committed table; 0 for a term of fewer than five projects. */
export function termShare(term: string): number {
  return shares.get(term) ?? 0;
}

/** Compares the terms of a report with those of the project and of other projects. */
export function measureTopic(
  text: string,
  names: readonly string[],
  { commits, code }: RepositoryIndex,
  shareElsewhere: TermShare = termShare,
): TopicFeatures {
  const fields = code ? [code.field('symbol'), code.paths] : [];
  const messages: number[] = [];
  const symbols: number[] = [];
  let unknown = 0;
  for (const term of distinctTerms(text)) {
    const elsewhere = shareElsewhere(term);
    const inMessages = documentFrequency(commits.messages, term);
    const inSymbols = Math.max(
      0,
      ...fields.map((field) => documentFrequency(field, term) / (field.count + 1)),
    );
    messages.push(logRatio(inMessages / (commits.messages.count + 1), elsewhere, SMOOTHING.messages));
    symbols.push(logRatio(inSymbols, SYMBOL_FACTOR * elsewhere, SMOOTHING.symbols));
    const isRare = elsewhere < MAX_RARE_SHARE && term.length > 2;
    const isKnown = inMessages > 0 || (code !== null && documentFrequency(code.files, term) > 0);
    unknown += Number(isRare && !isKnown);
  }
  messages.sort((a, b) => b - a);
  symbols.sort((a, b) => b - a);
  return {
    messages: meanOfFirst(messages, 5),
    messages12: meanOfFirst(messages, 12),
    symbols: meanOfFirst(symbols, 5),
    unknown: Math.log1p(unknown),
    names: Math.min(
      MAX_NAMES,
      names.filter((name) => shareElsewhere(name.toLowerCase()) < MAX_NAME_SHARE).length,
    ),
    length: Math.log(messages.length + 1),
  };
}

/** Probability that a report in words is about the project, by logistic regression. */
export function topicProbability(features: TopicFeatures): number {
  const keys = Object.keys(features) as (keyof TopicFeatures)[];
  return sigmoid(keys.reduce((sum, key) => sum + weights[key] * features[key], weights.bias));
}

function distinctTerms(text: string): string[] {
  const found = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    for (const term of terms(word)) if (!/^\d+$/.test(term)) found.add(term);
    if (found.size >= MAX_TERMS) break;
  }
  return [...found];
}

function logRatio(share: number, elsewhere: number, smoothing: number): number {
  return Math.log((share + smoothing) / (elsewhere + smoothing));
}

function meanOfFirst(values: readonly number[], count: number): number {
  return values.slice(0, count).reduce((sum, value) => sum + value, 0) / count;
}
