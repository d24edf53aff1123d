import { LRUCache } from 'lru-cache';
import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { QueryTerm } from '#search/lexical/parse-query.ts';
import { scoreCommits } from '#search/lexical/rank-documents.ts';
import { forEachTerm } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { coverage, type TopicWord, topicWords, wordWeights } from './topic-words.ts';

/** A commit and the share of the topic's information that its message and paths cover, 0 to 1. */
interface TopicCommit {
  commit: number;
  score: number;
}

interface TopicCommitOptions {
  /** Words of which the subject should have one, such as `fix` and `repair`. */
  verbs?: readonly string[];
  /** Commits that may be in the result. */
  accepts?: (commit: number) => boolean;
  limit?: number;
}

const MAX_CANDIDATES = 250;
/** Commits among which those are sought that may be in the result. */
const MAX_FILTERED = 10_000;
const MAX_PATHS = 60;
const MAX_BODY_LENGTH = 4_000;
/** Strength of a word by its place. */
const BODY_STRENGTH = 0.8;
const PATH_STRENGTH = 0.7;
/** Share of the score that depends on a subject about nothing else. */
const FOCUS_SHARE = 0.2;
const WITHOUT_VERB = 0.85;
const VERB_IN_BODY = 0.93;
const MERGE_FACTOR = 0.8;

/** Commits of the latest topics by index: several readings of a question ask for the same. */
const recentCommits = memoizeByIdentity(
  (_index: RepositoryIndex) => new LRUCache<string, TopicCommit[]>({ max: 32 }),
);

/** Finds the commits whose subject, body and paths fit the words of a topic, best first. */
export function findTopicCommits(
  topic: string,
  { index }: Pick<ToolContext, 'index'>,
  { verbs = [], accepts, limit = 12 }: TopicCommitOptions = {},
): TopicCommit[] {
  if (accepts) return rankTopicCommits(topic, index, verbs, accepts).slice(0, limit);
  const key = `${verbs.join(' ')}\n${topic}`;
  const known = recentCommits(index).get(key);
  const commits = known ?? rankTopicCommits(topic, index, verbs, null);
  if (!known) recentCommits(index).set(key, commits);
  return commits.slice(0, limit);
}

function rankTopicCommits(
  topic: string,
  index: RepositoryIndex,
  verbs: readonly string[],
  accepts: ((commit: number) => boolean) | null,
): TopicCommit[] {
  const topicFit = topicFitOf(topic, index);
  if (topicFit.words.length === 0 || index.commits.count === 0) return [];
  const verbTerms = new Set(verbs.flatMap((verb) => [...termsOf(verb)]));
  const ranked = scoreCommits(index, topicFit.terms).topK(accepts ? MAX_FILTERED : MAX_CANDIDATES);
  return ranked
    .map(({ doc }) => doc)
    .filter(accepts ?? (() => true))
    .slice(0, MAX_CANDIDATES)
    .map((commit) => ({ commit, score: scoreCommit(commit, topicFit, verbTerms) }))
    .sort((a, b) => b.score - a.score || a.commit - b.commit);
}

/** A topic with the fit of the commits that were compared with it. */
interface TopicFit {
  commits: CommitTable;
  words: TopicWord[];
  weights: number[];
  terms: QueryTerm[];
  /** Terms of the words. */
  known: ReadonlySet<string>;
  idf: TermWeights;
  fits: Map<number, CommitFit>;
}

interface CommitFit {
  /** Share of the topic's information in subject, body and paths. */
  covered: number;
  subject: ReadonlySet<string>;
  body: ReadonlySet<string>;
}

/** The latest topics by index: intents ask for the same one with other verbs. */
const recentFits = memoizeByIdentity((_index: RepositoryIndex) => new LRUCache<string, TopicFit>({ max: 4 }));

function topicFitOf(topic: string, index: RepositoryIndex): TopicFit {
  const recent = recentFits(index).get(topic);
  if (recent) return recent;
  const { commits } = index;
  const words = topicWords(topic);
  const frequency = (term: string) => documentFrequency(commits.messages, term);
  const weights = wordWeights(words, commits.count, frequency);
  const terms = words.flatMap(({ variants, weight }) =>
    variants.map(({ term, strength }) => ({ term, count: 1, weight: strength * weight })),
  );
  const known = new Set(terms.map(({ term }) => term));
  const idf = new TermWeights(frequency, commits.count);
  const topicFit = { commits, words, weights, terms, known, idf, fits: new Map<number, CommitFit>() };
  recentFits(index).set(topic, topicFit);
  return topicFit;
}

function scoreCommit(commit: number, topicFit: TopicFit, verbTerms: ReadonlySet<string>): number {
  const { commits, known, idf, fits } = topicFit;
  const fit = fits.get(commit) ?? fitOf(commit, topicFit);
  fits.set(commit, fit);
  const focus = idf.share(fit.subject, (term) => known.has(term) || verbTerms.has(term));
  const covered = fit.covered * (1 - FOCUS_SHARE + FOCUS_SHARE * focus);
  const isMerge = commits.parents(commit).length > 1;
  return covered * verbFactor(verbTerms, fit) * (isMerge ? MERGE_FACTOR : 1);
}

function fitOf(commit: number, { commits, words, weights }: TopicFit): CommitFit {
  const subject = termsOf(commits.subject(commit));
  const body = termsOf(commits.message(commit).slice(0, MAX_BODY_LENGTH));
  const paths = new Set<string>();
  for (const path of commits.paths(commit).subarray(0, MAX_PATHS))
    forEachTerm(commits.path(path), (term) => paths.add(term));
  const fields = [
    { terms: subject, strength: 1 },
    { terms: body, strength: BODY_STRENGTH },
    { terms: paths, strength: PATH_STRENGTH },
  ];
  const strengths = words.map(({ variants }) => {
    let best = 0;
    for (const { terms, strength } of fields)
      for (const variant of variants)
        if (terms.has(variant.term)) best = Math.max(best, strength * variant.strength);
    return best;
  });
  return { covered: coverage(weights, strengths), subject, body };
}

function verbFactor(verbs: ReadonlySet<string>, { subject, body }: CommitFit): number {
  const has = (terms: ReadonlySet<string>) => [...verbs].some((verb) => terms.has(verb));
  if (verbs.size === 0 || has(subject)) return 1;
  return has(body) ? VERB_IN_BODY : WITHOUT_VERB;
}

/** Terms of a text, each once. */
function termsOf(text: string): Set<string> {
  const found = new Set<string>();
  forEachTerm(text, (term) => found.add(term));
  return found;
}

/** Information of terms by their frequency in messages, computed once per query. */
class TermWeights {
  readonly #frequency: (term: string) => number;
  readonly #count: number;
  readonly #known = new Map<string, number>();

  constructor(frequency: (term: string) => number, count: number) {
    this.#frequency = frequency;
    this.#count = count;
  }

  /** Share of the terms' information that is accepted. */
  share(terms: Iterable<string>, accepts: (term: string) => boolean): number {
    let [total, accepted] = [0, 0];
    for (const term of terms) {
      const weight = this.#weight(term);
      total += weight;
      if (accepts(term)) accepted += weight;
    }
    return total === 0 ? 0 : accepted / total;
  }

  #weight(term: string): number {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const weight = Math.log(1 + this.#count / (1 + this.#frequency(term)));
    this.#known.set(term, weight);
    return weight;
  }
}
