import type { CodeTable, Memory } from '#memory/memory.ts';
import type { Query, QueryTerm } from './query.ts';
import type { Scorer } from './scorer.ts';
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
export function rankPassages(memory: Memory, query: Query, options: { limit: number }): RankedPassage[] {
  const { code } = memory;
  const space = workspaceOf(memory).code;
  if (!code || !space) return [];
  scorePassages(code, space, query.terms, space.passages);
  const hits = space.passages.best(options.limit);
  scorePaths(code, query.terms, space.files);
  return hits.map(({ document, score }) => ({
    passage: document,
    file: bestFile(code.passageFiles(document), space.files),
    score,
  }));
}

/** Commits whose messages fit the query, best first. */
export function rankCommits(memory: Memory, query: Query, options: { limit: number }): RankedCommit[] {
  const scorer = workspaceOf(memory).commits;
  scoreCommits(memory, query.terms, scorer);
  return scorer.best(options.limit).map(({ document, score }) => ({ commit: document, score }));
}

/**
 * BM25F of passages into `scorer`: code, the names it defines, comments and strings, and the words of the
 * paths at which the passage lies.
 */
export function scorePassages(
  code: CodeTable,
  space: CodeWorkspace,
  terms: readonly QueryTerm[],
  scorer: Scorer,
): void {
  scorer.start();
  for (const { term, weight } of terms) {
    addPassages(code, space, term, scorer);
    scorer.endTerm(weight);
  }
}

/**
 * The same for the whole text into `space.passages` and for each of its views into `space.views`, at the cost of
 * one: a term's postings are read once.
 */
export function scoreViews(code: CodeTable, space: CodeWorkspace, query: Query): void {
  const { passages, views } = space;
  const weights = VIEWS.map((view) => new Map(query.views[view].map(({ term, weight }) => [term, weight])));
  for (const scorer of [passages, ...Object.values(views)]) scorer.start();
  for (const { term, weight } of query.terms) {
    addPassages(code, space, term, passages);
    const others = VIEWS.map((view, i) => ({ scorer: views[view], weight: weights[i]!.get(term) ?? 0 }));
    passages.endTerm(
      weight,
      others.filter((other) => other.weight > 0),
    );
  }
}

const VIEWS = ['title', 'blocks', 'quoted', 'prose'] as const;

function addPassages(code: CodeTable, space: CodeWorkspace, term: string, scorer: Scorer): void {
  scorer.addField({ index: code.field('body'), weight: 1, lengthPenalty: 0.6 }, term);
  scorer.addField({ index: code.field('symbol'), weight: 2, lengthPenalty: 0.3 }, term);
  scorer.addField({ index: code.field('prose'), weight: 1, lengthPenalty: 0.6 }, term);
  addPaths(code, space, term, scorer);
}

const PATH_WEIGHT = 1;

/** A path word counts once for each passage of the file. */
function addPaths(code: CodeTable, space: CodeWorkspace, term: string, scorer: Scorer): void {
  const files = code.paths.postings(term)?.docs ?? [];
  for (const file of files) {
    const first = space.firstPassage[file]!;
    const end = first + space.passageCount[file]!;
    for (let passage = first; passage < end; passage++) scorer.add(passage, PATH_WEIGHT);
  }
}

/** BM25 of the words of file paths into `scorer`. */
export function scorePaths(code: CodeTable, terms: QueryTerm[], scorer: Scorer): void {
  scorer.start();
  for (const { term, weight } of terms) {
    scorer.addField({ index: code.paths, weight: 1, lengthPenalty: 0.5 }, term);
    scorer.endTerm(weight);
  }
}

/** BM25 of commit messages into `scorer`. */
export function scoreCommits(memory: Memory, terms: QueryTerm[], scorer: Scorer): void {
  scorer.start();
  for (const { term, weight } of terms) {
    scorer.addField({ index: memory.commits.messages, weight: 1, lengthPenalty: 0.6 }, term);
    scorer.endTerm(weight);
  }
}

function bestFile(files: number[], paths: Scorer): number {
  return files.reduce((best, file) => (paths.score(file) > paths.score(best) ? file : best));
}
