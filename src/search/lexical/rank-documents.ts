import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Bm25fScorer, TermScores } from './bm25f-scorer.ts';
import type { Query, QueryTerm } from './parse-query.ts';
import { accumulateTerms, topKForTerms } from './term-score-cache.ts';
import { type CodeWorkspace, workspaceOf } from './workspace.ts';

export interface RankedPassage {
  readonly passage: number;
  /** The file with the passage; of several with the same text, the one whose path matches the query best. */
  readonly file: number;
  readonly score: number;
}

interface RankedCommit {
  readonly commit: number;
  readonly score: number;
}

/** Ranks passages by BM25F, best first. Empty while the index has no code. */
export function rankPassages(
  index: RepositoryIndex,
  query: Query,
  options: { limit: number },
): RankedPassage[] {
  const { code } = index;
  const space = workspaceOf(index).code;
  if (!code || !space) return [];
  const hits = topKForTerms(query.terms, space.passages, passageTermScores(code, space), options.limit);
  const found = hits.map(({ doc, score }) => ({ passage: doc, files: code.passageFiles(doc), score }));
  if (found.some(({ files }) => files.length > 1)) scorePaths(code, space, query.terms);
  return found.map(({ passage, files, score }) => ({
    passage,
    file: bestFileByPath(files, space.files),
    score,
  }));
}

/** Passages of an index, and how many of them contain each term of a query. */
export interface TermStatistics {
  docCount: number;
  terms: { weight: number; matchCount: number }[];
}

/** Counts the passages that contain each term; a term of more than a third of all is taken to be in half of them. */
export function countTermMatches(index: RepositoryIndex, query: Query): TermStatistics | null {
  const { code } = index;
  const space = workspaceOf(index).code;
  if (!code || !space) return null;
  const { docCount } = space.passages;
  const scoresOf = passageTermScores(code, space);
  const terms = query.terms.map(({ term, weight }) => {
    const { docs } = scoresOf(term);
    return { weight, matchCount: docs ? docs.length : docCount / 2 };
  });
  return { docCount, terms };
}

/** Ranks commits by BM25 of their messages, best first. */
export function rankCommits(
  index: RepositoryIndex,
  query: Query,
  options: { limit: number },
): RankedCommit[] {
  const best = topKForTerms(query.terms, workspaceOf(index).commits, messageTermScores(index), options.limit);
  return best.map(({ doc, score }) => ({ commit: doc, score }));
}

/**
 * Scores passages by BM25F for the whole text into `space.passages` and for each of its zones into `space.zones`,
 * reading the postings of each term once.
 */
export function scoreZones(code: CodeTable, space: CodeWorkspace, query: Query): void {
  const { passages, zones } = space;
  const scoresOf = passageTermScores(code, space);
  const weights = ZONES.map((zone) => new Map(query.zones[zone].map(({ term, weight }) => [term, weight])));
  for (const scorer of [passages, ...Object.values(zones)]) scorer.reset();
  for (const { term, weight } of query.terms) {
    const termScores = scoresOf(term);
    passages.accumulate(termScores, weight);
    ZONES.forEach((zone, i) => {
      const zoneWeight = weights[i]!.get(term);
      if (zoneWeight) zones[zone].accumulate(termScores, zoneWeight);
    });
  }
  passages.queryTerms = query.terms;
}

const ZONES = ['title', 'codeBlocks', 'inlineCode', 'prose'] as const;

/** BM25F over code, the names it defines, its comments and strings, and the words of its paths. */
function passageTermScores(code: CodeTable, space: CodeWorkspace): (term: string) => TermScores {
  const { passages, termScores } = space;
  const addOccurrences = (term: string) => {
    passages.addField({ index: code.field('body'), weight: 1, lengthPenalty: 0.6 }, term);
    passages.addField({ index: code.field('symbol'), weight: 2, lengthPenalty: 0.3 }, term);
    passages.addField({ index: code.field('prose'), weight: 1, lengthPenalty: 0.6 }, term);
    addPathTerms(code, space, term, passages);
  };
  return (term) => termScores.getOrCompute('passages', term, passages, addOccurrences);
}

const PATH_WEIGHT = 1;

/** Counts a path term once in each passage of the file. */
function addPathTerms(code: CodeTable, space: CodeWorkspace, term: string, scorer: Bm25fScorer): void {
  const files = code.paths.postings(term)?.docs ?? [];
  for (const file of files) {
    const first = space.firstPassage[file]!;
    const end = first + space.passageCount[file]!;
    for (let passage = first; passage < end; passage++) scorer.addFrequency(passage, PATH_WEIGHT);
  }
}

/** Scores files by BM25 of their paths into `space.files`. */
export function scorePaths(code: CodeTable, space: CodeWorkspace, terms: readonly QueryTerm[]): void {
  const { files, termScores } = space;
  const field = { index: code.paths, weight: 1, lengthPenalty: 0.5 };
  const addOccurrences = (term: string) => files.addField(field, term);
  accumulateTerms(terms, files, (term) => termScores.getOrCompute('paths', term, files, addOccurrences));
}

/** Scores commits by BM25 of their messages. Returns their scorer, which the next query overwrites. */
export function scoreCommits(index: RepositoryIndex, terms: readonly QueryTerm[]): Bm25fScorer {
  const { commits } = workspaceOf(index);
  accumulateTerms(terms, commits, messageTermScores(index));
  return commits;
}

function messageTermScores(index: RepositoryIndex): (term: string) => TermScores {
  const { commits, termScores } = workspaceOf(index);
  const field = { index: index.commits.messages, weight: 1, lengthPenalty: 0.6 };
  const addOccurrences = (term: string) => commits.addField(field, term);
  return (term) => termScores.getOrCompute('messages', term, commits, addOccurrences);
}

function bestFileByPath(files: number[], paths: Bm25fScorer): number {
  return files.reduce((best, file) => (paths.score(file) > paths.score(best) ? file : best));
}
