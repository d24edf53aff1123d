import type { CodeTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { Query, QueryTerm } from './query/parse-query.ts';
import type { Scorer, Worths } from './scoring/bm25f-scorer.ts';
import { addUp, bestBy } from './scoring/term-score-cache.ts';
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
  const hits = bestBy(query.terms, space.passages, passageWorths(code, space), options.limit);
  const found = hits.map(({ document, score }) => ({
    passage: document,
    files: code.passageFiles(document),
    score,
  }));
  if (found.some(({ files }) => files.length > 1)) scorePaths(code, space, query.terms);
  return found.map(({ passage, files, score }) => ({ passage, file: bestFile(files, space.files), score }));
}

/** Commits whose messages fit the query, best first. */
export function rankCommits(
  memory: RepositoryIndex,
  query: Query,
  options: { limit: number },
): RankedCommit[] {
  const best = bestBy(query.terms, workspaceOf(memory).commits, messageWorths(memory), options.limit);
  return best.map(({ document, score }) => ({ commit: document, score }));
}

/**
 * BM25F of passages into `scorer`: code, the names it defines, comments and strings, and the words of the
 * paths at which the passage lies. Costs nothing when they are there from the same terms, as behind `scoreViews`.
 */
export function scorePassages(
  code: CodeTable,
  space: CodeWorkspace,
  terms: readonly QueryTerm[],
  scorer: Scorer,
): void {
  if (scorer.terms === terms) return;
  addUp(terms, scorer, passageWorths(code, space));
  scorer.terms = terms;
}

/**
 * The same for the whole text into `space.passages` and for each of its views into `space.views`, at the cost of
 * one: a term's postings are read once.
 */
export function scoreViews(code: CodeTable, space: CodeWorkspace, query: Query): void {
  const { passages, views } = space;
  const worthsOf = passageWorths(code, space);
  const weights = VIEWS.map((view) => new Map(query.views[view].map(({ term, weight }) => [term, weight])));
  for (const scorer of [passages, ...Object.values(views)]) scorer.start();
  for (const { term, weight } of query.terms) {
    const found = worthsOf(term);
    passages.addWorths(found, weight);
    VIEWS.forEach((view, i) => {
      const inView = weights[i]!.get(term);
      if (inView) views[view].addWorths(found, inView);
    });
  }
  passages.terms = query.terms;
}

const VIEWS = ['title', 'blocks', 'quoted', 'prose'] as const;

function passageWorths(code: CodeTable, space: CodeWorkspace): (term: string) => Worths {
  const { passages, worths } = space;
  const read = (term: string) => {
    passages.addField({ index: code.field('body'), weight: 1, lengthPenalty: 0.6 }, term);
    passages.addField({ index: code.field('symbol'), weight: 2, lengthPenalty: 0.3 }, term);
    passages.addField({ index: code.field('prose'), weight: 1, lengthPenalty: 0.6 }, term);
    addPaths(code, space, term, passages);
  };
  return (term) => worths.of('passages', term, passages, read);
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

/** BM25 of the words of file paths into `space.files`. */
export function scorePaths(code: CodeTable, space: CodeWorkspace, terms: readonly QueryTerm[]): void {
  const { files, worths } = space;
  const field = { index: code.paths, weight: 1, lengthPenalty: 0.5 };
  const read = (term: string) => files.addField(field, term);
  addUp(terms, files, (term) => worths.of('paths', term, files, read));
}

/** BM25 of commit messages into the commits' scorer, which it returns. */
export function scoreCommits(memory: RepositoryIndex, terms: readonly QueryTerm[]): Scorer {
  const { commits } = workspaceOf(memory);
  addUp(terms, commits, messageWorths(memory));
  return commits;
}

function messageWorths(memory: RepositoryIndex): (term: string) => Worths {
  const { commits, worths } = workspaceOf(memory);
  const field = { index: memory.commits.messages, weight: 1, lengthPenalty: 0.6 };
  const read = (term: string) => commits.addField(field, term);
  return (term) => worths.of('messages', term, commits, read);
}

function bestFile(files: number[], paths: Scorer): number {
  return files.reduce((best, file) => (paths.score(file) > paths.score(best) ? file : best));
}
