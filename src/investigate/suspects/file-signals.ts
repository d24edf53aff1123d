import { terms } from '#memory/tokens.ts';
import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from './suspect-signal.ts';

/** Paths read per commit. */
const MAX_PATHS = 300;

/** Score of the best located file that the commit touched; squared, since the second-best file is far less likely. */
const bestFile: SuspectSignal = (input) => {
  return input.commits.map((commit) => Math.max(0, ...fileScores(input, commit)) ** 2);
};

/** Concentration on the located files: their squared scores over the root of the number of touched files. */
const fileFocus: SuspectSignal = (input) => {
  return scaleToUnit(
    input.commits.map((commit) => {
      const scores = fileScores(input, commit);
      return scores.reduce((sum, score) => sum + score ** 2, 0) / Math.sqrt(scores.length || 1);
    }),
  );
};

function fileScores({ index, scoreOf }: SuspectInput, commit: number): number[] {
  return Array.from(index.commits.paths(commit).slice(0, MAX_PATHS), (path) =>
    scoreOf(index.commits.path(path)),
  );
}

/** Idf of the error's terms in the touched paths, over the root of the number of paths. */
const pathTerms: SuspectSignal = ({ index, query, commits }) => {
  const queryTerms = new Set(query.terms.map(({ term }) => term));
  const matches = commits.map((commit) => {
    const paths = index.commits.paths(commit).slice(0, MAX_PATHS);
    const own = new Set(Array.from(paths, (path) => terms(index.commits.path(path))).flat());
    return { terms: [...own].filter((term) => queryTerms.has(term)), pathCount: paths.length };
  });
  const counts = new Map<string, number>();
  for (const { terms } of matches) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return scaleToUnit(
    matches.map(({ terms, pathCount }) => {
      const idfs = terms.map((term) => inverseDocumentFrequency(commits.length, counts.get(term)!));
      return idfs.reduce((a, b) => a + b, 0) / Math.sqrt(pathCount || 1);
    }),
  );
};

/** Located files whose commits are ordered by age. */
const MAX_FILES = 12;
/** Number of newer commits that halves the value. */
const HALF_VALUE_ORDER = 5;

/** Recency among the commits of the best located file that it touched: 1 for the newest. */
const newestInFile: SuspectSignal = ({ index, renames, located, commits }) => {
  const values = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, MAX_FILES)) {
    const paths = renames.allPaths(path).map((name) => index.commits.pathNumber(name));
    const touching = paths.flatMap((number) => (number < 0 ? [] : [...index.commits.touching(number)]));
    touching
      .sort((a, b) => a - b)
      .forEach((commit, order) => {
        const value = (score * HALF_VALUE_ORDER) / (order + HALF_VALUE_ORDER);
        values.set(commit, Math.max(values.get(commit) ?? 0, value));
      });
  }
  return commits.map((commit) => values.get(commit) ?? 0);
};

/** Touched files at which a commit counts as a bulk change: mass renames, imports. */
const BULK_CHANGE_FILES = 100;

/** Number of touched files, 1 for a bulk change. */
const bulkChange: SuspectSignal = ({ index, commits }) => {
  return commits.map((commit) => Math.min(1, index.commits.paths(commit).length / BULK_CHANGE_FILES));
};

export const fileSignals = { bestFile, fileFocus, pathTerms, newestInFile, bulkChange };
