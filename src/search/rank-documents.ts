import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Query, QueryTerm } from './query/parse-query.ts';
import type { Bm25fScorer, TermScores } from './scoring/bm25f-scorer.ts';
import { accumulate, topK } from './scoring/term-score-cache.ts';
import { type CodeWorkspace, workspaceOf } from './workspace.ts';

export interface RankedPassage {
  readonly passage: number;
  /** A file that shows the passage; where several do, the one whose path fits the query best. */
  readonly file: number;
  readonly score: number;
}

export interface RankedCommit {
  readonly commit: number;
  readonly score: number;
}

/** Passages that fit the query, best first. Empty while the memory has no code. */
export function rankPassages(
  memory: RepositoryIndex,
  query: Query,
  options: { limit: number },
): RankedPassage[] {
  const { code } = memory;
  const space = workspaceOf(memory).code;
  if (!code || !space) return [];
  const hits = topK(query.terms, space.passages, passageTermScores(code, space), options.limit);
  const found = hits.map(({ doc: document, score }) => ({
    passage: document,
    files: code.passageFiles(document),
    score,
  }));
  if (found.some(({ files }) => files.length > 1)) scorePaths(code, space, query.terms);
  return found.map(({ passage, files, score }) => ({ passage, file: bestFileByPath(files, space.files), score }));
}

/** Commits whose messages fit the query, best first. */
export function rankCommits(
  memory: RepositoryIndex,
  query: Query,
  options: { limit: number },
): RankedCommit[] {
  const best = topK(query.terms, workspaceOf(memory).commits, messageTermScores(memory), options.limit);
  return best.map(({ doc: document, score }) => ({ commit: document, score }));
}

/**
 * BM25F of passages into `scorer`: code, the names it defines, comments and strings, and the words of the
 * paths at which the passage lies. Costs nothing when they are there from the same terms, as behind `scoreViews`.
 */
export function scorePassages(
  code: CodeTable,
  space: CodeWorkspace,
  terms: readonly QueryTerm[],
  scorer: Bm25fScorer,
): void {
  if (scorer.queryTerms === terms) return;
  accumulate(terms, scorer, passageTermScores(code, space));
  scorer.queryTerms = terms;
}

/**
 * The same for the whole text into `space.passages` and for each of its views into `space.views`, at the cost of
 * one: a term's postings are read once.
 */
export function scoreZones(code: CodeTable, space: CodeWorkspace, query: Query): void {
  const { passages, zones: views } = space;
  const worthsOf = passageTermScores(code, space);
  const weights = ZONES.map((view) => new Map(query.zones[view].map(({ term, weight }) => [term, weight])));
  for (const scorer of [passages, ...Object.values(views)]) scorer.reset();
  for (const { term, weight } of query.terms) {
    const found = worthsOf(term);
    passages.accumulate(found, weight);
    ZONES.forEach((view, i) => {
      const inView = weights[i]!.get(term);
      if (inView) views[view].accumulate(found, inView);
    });
  }
  passages.queryTerms = query.terms;
}

const ZONES = ['title', 'blocks', 'quoted', 'prose'] as const;

function passageTermScores(code: CodeTable, space: CodeWorkspace): (term: string) => TermScores {
  const { passages, termScores: worths } = space;
  const read = (term: string) => {
    passages.addField({ index: code.field('body'), weight: 1, lengthPenalty: 0.6 }, term);
    passages.addField({ index: code.field('symbol'), weight: 2, lengthPenalty: 0.3 }, term);
    passages.addField({ index: code.field('prose'), weight: 1, lengthPenalty: 0.6 }, term);
    addPathTerms(code, space, term, passages);
  };
  return (term) => worths.getOrCompute('passages', term, passages, read);
}

const PATH_WEIGHT = 1;

/** A path word counts once for each passage of the file. */
function addPathTerms(code: CodeTable, space: CodeWorkspace, term: string, scorer: Bm25fScorer): void {
  const files = code.paths.postings(term)?.docs ?? [];
  for (const file of files) {
    const first = space.firstPassage[file]!;
    const end = first + space.passageCount[file]!;
    for (let passage = first; passage < end; passage++) scorer.addFrequency(passage, PATH_WEIGHT);
  }
}

/** BM25 of the words of file paths into `space.files`. */
export function scorePaths(code: CodeTable, space: CodeWorkspace, terms: readonly QueryTerm[]): void {
  const { files, termScores: worths } = space;
  const field = { index: code.paths, weight: 1, lengthPenalty: 0.5 };
  const read = (term: string) => files.addField(field, term);
  accumulate(terms, files, (term) => worths.getOrCompute('paths', term, files, read));
}

/** BM25 of commit messages into the commits' scorer, which it returns. */
export function scoreCommits(memory: RepositoryIndex, terms: readonly QueryTerm[]): Bm25fScorer {
  const { commits } = workspaceOf(memory);
  accumulate(terms, commits, messageTermScores(memory));
  return commits;
}

function messageTermScores(memory: RepositoryIndex): (term: string) => TermScores {
  const { commits, termScores: worths } = workspaceOf(memory);
  const field = { index: memory.commits.messages, weight: 1, lengthPenalty: 0.6 };
  const read = (term: string) => commits.addField(field, term);
  return (term) => worths.getOrCompute('messages', term, commits, read);
}

function bestFileByPath(files: number[], paths: Bm25fScorer): number {
  return files.reduce((best, file) => (paths.score(file) > paths.score(best) ? file : best));
}
