import { LRUCache } from 'lru-cache';
import { isNonSource } from '#evolution/fixes.ts';
import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import { lowerBound } from '#memory/bytes/binary-search.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CodeTable, FieldIndex, RepositoryIndex } from '#memory/repository-index.ts';
import { parseQuery } from '#search/lexical/parse-query.ts';
import { rankPassages } from '#search/lexical/rank-documents.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import type { ToolContext } from '../../tools/tool.ts';
import { namesDefinedIn } from './defined-names.ts';
import { owningClass } from './definition-kind.ts';
import { findTopicCommits } from './topic-commits.ts';
import { coverage, type TopicWord, topicWords, wordWeights } from './topic-words.ts';

/** A passage that fits a topic; `score` is the share of the topic's information that it covers, 0 to 1. */
export interface TopicPlace {
  path: string;
  /** First passage of the definition, or the best one outside definitions. */
  passage: number;
  /** Full name of the definition; null outside definitions. */
  symbol: string | null;
  score: number;
}

const MAX_CANDIDATES = 250;
/** Strength of a word in a member of a class, compared with one of the class itself. */
const MEMBER_SHARE = 0.8;
/** Strength of a word by its place. */
const NAME_STRENGTH = 1;
const PATH_STRENGTH = 0.85;
const PROSE_STRENGTH = 0.8;
const BODY_STRENGTH = 0.65;
/** Share of the score that depends on a name about nothing else. */
const FOCUS_SHARE = 0.25;
/** Share of the missing information that a commit on the topic adds to the files that it changed. */
const COMMIT_SHARE = 0.2;
const MAX_COMMITS = 8;
const MIN_COMMIT_SCORE = 0.5;
const MAX_COMMIT_PATHS = 15;

/** Share of the missing score for a definition whose name is written out. */
const WRITTEN_SHARE = 0.5;
/** Scores that differ by less than one step are ties. */
const TIE_STEPS = 30;
const MAX_DEPTH = 9;
const TEST_FACTOR = 0.8;
const CHANGELOG_FACTOR = 0.6;
const CHANGELOG = /(?:^|\/)(?:change(?:s|log)|history|news|releases?|whatsnew)[^/]*(?:\/|$)/i;
const TEST_WORDS = /\b(?:tests?|specs?|pruebas?|essais?|testes?|doc\w*|readme|examples?)\b/i;

/** A definition, or a passage outside definitions, with the strength of each word of the topic in it. */
interface Candidate {
  file: number;
  passage: number;
  symbol: string | null;
  strengths: Float64Array;
  /** Best strength in a name. */
  names: Float64Array;
}

/** Places of the latest topics by index: several readings of a question ask for the same. */
const recentPlaces = memoizeByIdentity(
  (_index: RepositoryIndex) => new LRUCache<string, TopicPlace[]>({ max: 16 }),
);

interface PlaceOptions {
  limit?: number;
  /** True to find classes only, by their members as well. */
  classes?: boolean;
}

/** Finds the definitions and sections whose names, comments, code and commit messages fit a topic, best first. */
export function findTopicPlaces(
  topic: string,
  { index }: Pick<ToolContext, 'index'>,
  { limit = 12, classes = false }: PlaceOptions = {},
): TopicPlace[] {
  const key = `${limit} ${classes} ${topic}`;
  const known = recentPlaces(index).get(key);
  if (known) return known;
  const places = rankPlaces(topic, { index }, { limit, classes });
  recentPlaces(index).set(key, places);
  return places;
}

function rankPlaces(
  topic: string,
  context: Pick<ToolContext, 'index'>,
  { limit, classes }: Required<PlaceOptions>,
): TopicPlace[] {
  const { index } = context;
  const { code } = index;
  const words = topicWords(topic);
  if (!code || words.length === 0) return [];
  const weights = wordWeights(words, code.fileCount, (term) => documentFrequency(code.files, term));
  const key = `${classes} ${topic}`;
  const scored =
    recentCandidates(index).get(key) ?? scoreCandidates(topic, context, { words, weights, classes });
  recentCandidates(index).set(key, scored);
  const written = namesWrittenIn(topic);
  const places = scored.slice(0, 2 * limit).map(({ candidate, score }) => {
    const { symbol, passage, file } = candidate;
    const place = classes
      ? { path: code.filePath(file), passage, symbol, score }
      : toPlace(code, candidate, words, weights, score);
    const isWritten = place.symbol !== null && written.has(plainName(place.symbol));
    return isWritten ? { ...place, score: 1 - (1 - score) * (1 - WRITTEN_SHARE) } : place;
  });
  return uniquePlaces(places.sort(comparePlaces)).slice(0, limit);
}

interface ScoredCandidate {
  candidate: Candidate;
  score: number;
}

/** Candidates of the latest topics by index, best first: they are the same for every limit. */
const recentCandidates = memoizeByIdentity(
  (_index: RepositoryIndex) => new LRUCache<string, ScoredCandidate[]>({ max: 8 }),
);

function scoreCandidates(
  topic: string,
  { index }: Pick<ToolContext, 'index'>,
  { words, weights, classes }: { words: TopicWord[]; weights: number[]; classes: boolean },
): ScoredCandidate[] {
  const code = index.code!;
  const found = findCandidates(code, index, words);
  const candidates = classes ? mergeMembers(found, words, code) : found;
  const commitScores = scoresOfChangedFiles(topic, { index });
  const wantsTests = TEST_WORDS.test(topic);
  return candidates
    .map((candidate) => ({
      candidate,
      score: scoreCandidate(code, candidate, weights, { commitScores, wantsTests }),
    }))
    .sort((a, b) => b.score - a.score || a.candidate.passage - b.candidate.passage);
}

/** Better first; of about the same score, a class before its members. */
function comparePlaces(a: TopicPlace, b: TopicPlace): number {
  const depth = ({ symbol }: TopicPlace) => symbol?.split('.').length ?? MAX_DEPTH;
  return Math.round((b.score - a.score) * TIE_STEPS) || depth(a) - depth(b) || b.score - a.score;
}

/** Names of the topic of several parts, such as `peekNumber`. */
function namesWrittenIn(topic: string): Set<string> {
  const names = topic.match(/[\p{L}\p{N}_$.]+/gu) ?? [];
  return new Set(names.filter((name) => /[a-z\d][A-Z]|[a-zA-Z\d]_[a-zA-Z\d]/.test(name)).map(plainName));
}

/** Last part of a name in lower case without `_`. */
function plainName(name: string): string {
  return name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll('_', '')
    .toLowerCase();
}

function findCandidates(code: CodeTable, index: RepositoryIndex, words: TopicWord[]): Candidate[] {
  const terms = words.flatMap(({ variants, weight }) =>
    variants.map(({ term, strength }) => ({ term, count: 1, weight: strength * weight })),
  );
  const ranked = rankPassages(index, { ...parseQuery(''), terms }, { limit: MAX_CANDIDATES });
  const byPassage = new Map<number, Candidate>();
  const byDefinition = new Map<string, Candidate>();
  for (const { passage, file } of ranked) {
    const symbol = code.passageSymbol(passage);
    const key = `${file} ${symbol ?? passage}`;
    const known = byDefinition.get(key);
    const empty = () => new Float64Array(words.length);
    const candidate = known ?? { file, passage, symbol, strengths: empty(), names: empty() };
    byDefinition.set(key, candidate);
    byPassage.set(passage, candidate);
  }
  measureStrengths(code, words, byPassage);
  return [...byDefinition.values()];
}

/** Classes of the candidates, with what their members have as well. */
function mergeMembers(
  candidates: readonly Candidate[],
  words: readonly TopicWord[],
  code: CodeTable,
): Candidate[] {
  const classes = new Map<string, Candidate>();
  for (const { file, symbol, strengths } of candidates) {
    const owner = symbol === null ? null : owningClass(symbol, code);
    if (owner === null) continue;
    const key = `${file} ${owner}`;
    const known = classes.get(key) ?? classCandidate(owner, file, words, code);
    classes.set(key, known);
    const share = owner === symbol ? 1 : MEMBER_SHARE;
    for (const [word, strength] of strengths.entries()) raise(known.strengths, word, share * strength);
  }
  return [...classes.values()];
}

function classCandidate(
  symbol: string,
  file: number,
  words: readonly TopicWord[],
  code: CodeTable,
): Candidate {
  const own = code.passagesDefining(symbol);
  const passage = own.find((one) => code.passageFiles(one).includes(file)) ?? own[0]!;
  const names = Float64Array.from(termStrengths(symbol, words));
  return { file, passage, symbol, strengths: names.slice(), names };
}

function measureStrengths(code: CodeTable, words: TopicWord[], byPassage: Map<number, Candidate>): void {
  const fields: [FieldIndex, number][] = [
    [code.field('symbol'), NAME_STRENGTH],
    [code.field('prose'), PROSE_STRENGTH],
    [code.field('body'), BODY_STRENGTH],
  ];
  words.forEach(({ variants }, word) => {
    for (const { term, strength } of variants) {
      for (const [field, fieldStrength] of fields) {
        const docs = field.postings(term)?.docs;
        if (!docs) continue;
        // Postings of a common word are many times the candidates.
        for (const [passage, candidate] of byPassage) {
          if (docs[lowerBound(docs, passage)] !== passage) continue;
          raise(candidate.strengths, word, strength * fieldStrength);
          if (fieldStrength === NAME_STRENGTH) raise(candidate.names, word, strength);
        }
      }
      const files = new Set(code.paths.postings(term)?.docs);
      for (const candidate of byPassage.values())
        if (files.has(candidate.file)) raise(candidate.strengths, word, strength * PATH_STRENGTH);
    }
  });
}

function raise(values: Float64Array, at: number, value: number): void {
  if (value > values[at]!) values[at] = value;
}

/** Score of the best commit on the topic by the files that it changed. */
function scoresOfChangedFiles(topic: string, { index }: Pick<ToolContext, 'index'>): Map<number, number> {
  const { commits, code } = index;
  const scores = new Map<number, number>();
  for (const { commit, score } of findTopicCommits(topic, { index }, { limit: MAX_COMMITS })) {
    const paths = commits.paths(commit);
    if (score < MIN_COMMIT_SCORE || paths.length > MAX_COMMIT_PATHS) continue;
    for (const path of paths) {
      const file = code!.fileNumber(commits.path(path));
      if (file >= 0) scores.set(file, Math.max(score, scores.get(file) ?? 0));
    }
  }
  return scores;
}

function scoreCandidate(
  code: CodeTable,
  { file, symbol, strengths, names }: Candidate,
  weights: number[],
  { commitScores, wantsTests }: { commitScores: Map<number, number>; wantsTests: boolean },
): number {
  const path = code.filePath(file);
  const named = symbol === null ? 0 : coverage(weights, names);
  const covered = coverage(weights, strengths) * (1 - FOCUS_SHARE + FOCUS_SHARE * Math.sqrt(named));
  const withCommits = covered + (1 - covered) * COMMIT_SHARE * covered * (commitScores.get(file) ?? 0);
  if (CHANGELOG.test(path)) return withCommits * CHANGELOG_FACTOR;
  return isNonSource(path) && !wantsTests ? withCommits * TEST_FACTOR : withCommits;
}

/** Names the definition of a passage that several small ones share, and leads to its first passage. */
function toPlace(
  code: CodeTable,
  { file, passage, symbol }: Candidate,
  words: TopicWord[],
  weights: number[],
  score: number,
): TopicPlace {
  const path = code.filePath(file);
  const best = namesDefinedIn(code, passage)
    .map((name) => ({ name, fit: nameFit(name, words, weights) }))
    .reduce((a, b) => (b.fit > a.fit ? b : a), { name: symbol, fit: 0 });
  const name = best.name ?? symbol;
  const first = name === null ? passage : firstPassage(code, file, name, passage);
  return { path, passage: first, symbol: name, score };
}

/** Share of the topic's information in a name, lowered by other words of the name. */
function nameFit(name: string, words: TopicWord[], weights: number[]): number {
  const terms = new Set(cachedWordTerms(lastPart(name)));
  return coverage(weights, termStrengths(name, words)) / Math.sqrt(terms.size || 1);
}

/** Strength of each word in the last part of a name. */
function termStrengths(name: string, words: readonly TopicWord[]): number[] {
  const terms = new Set(cachedWordTerms(lastPart(name)));
  return words.map(({ variants }) =>
    variants.reduce((max, { term, strength }) => (terms.has(term) ? Math.max(max, strength) : max), 0),
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function firstPassage(code: CodeTable, file: number, name: string, fallback: number): number {
  const { first, count } = code.filePassages(file);
  const own = code.passagesDefining(name).filter((passage) => passage >= first && passage < first + count);
  return own[0] ?? fallback;
}

function uniquePlaces(places: TopicPlace[]): TopicPlace[] {
  const seen = new Set<string>();
  return places.filter(({ path, passage, symbol }) => {
    const key = `${path} ${symbol ?? passage}`;
    return !seen.has(key) && seen.add(key);
  });
}
