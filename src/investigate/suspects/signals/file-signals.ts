import { terms } from '#memory/tokens.ts';
import { inverseDocumentFrequency } from '#search/scoring/bm25f-scorer.ts';
import { type SuspectInput, type SuspectSignal, scaleToUnit } from '../suspect-signal.ts';

/** Score of the best located file that the commit touched, squared: the second-best file is far behind the best. */
export const file: SuspectSignal = (input) => {
  return input.commits.map((commit) => Math.max(0, ...scores(input, commit)) ** 2);
};

/** How much of the commit is about the located files: their scores over the root of how many files it touched. */
export const focus: SuspectSignal = (input) => {
  return scaleToUnit(
    input.commits.map((commit) => {
      const touched = scores(input, commit);
      return touched.reduce((sum, score) => sum + score ** 2, 0) / Math.sqrt(touched.length || 1);
    }),
  );
};

function scores({ memory, scoreOf }: SuspectInput, commit: number): number[] {
  return Array.from(memory.commits.paths(commit).slice(0, MOST_PATHS), (path) =>
    scoreOf(memory.commits.path(path)),
  );
}

/** Paths of one commit that are looked at. */
const MOST_PATHS = 300;

/** Rarity of the error's words that stand in the paths which the commit touched, over the root of their number. */
export const paths: SuspectSignal = ({ memory, query, commits }) => {
  const wanted = new Set(query.terms.map(({ term }) => term));
  const found = commits.map((commit) => {
    const paths = memory.commits.paths(commit).slice(0, MOST_PATHS);
    const words = new Set(Array.from(paths, (path) => terms(memory.commits.path(path))).flat());
    return { words: [...words].filter((term) => wanted.has(term)), paths: paths.length };
  });
  const matches = new Map<string, number>();
  for (const { words } of found) for (const term of words) matches.set(term, (matches.get(term) ?? 0) + 1);
  return scaleToUnit(
    found.map(({ words, paths }) => {
      const rarity = words.map((term) => inverseDocumentFrequency(commits.length, matches.get(term)!));
      return rarity.reduce((a, b) => a + b, 0) / Math.sqrt(paths || 1);
    }),
  );
};

/** How new the commit is among those that touched the best located file that it touched: 1 for the newest. */
export const newest: SuspectSignal = ({ memory, renames: names, located, commits }) => {
  const values = new Map<number, number>();
  for (const { path, score } of located.files.slice(0, STORIED_FILES)) {
    const numbers = names.allPaths(path).map((name) => memory.commits.pathNumber(name));
    const touching = numbers.flatMap((number) => (number < 0 ? [] : [...memory.commits.touching(number)]));
    touching
      .sort((a, b) => a - b)
      .forEach((commit, order) => {
        values.set(commit, Math.max(values.get(commit) ?? 0, (score * NEWER) / (order + NEWER)));
      });
  }
  return commits.map((commit) => values.get(commit) ?? 0);
};

const STORIED_FILES = 12;
/** The value halves after so many newer commits. */
const NEWER = 5;

/** 1 where the commit touched more files than a person reviews: renames of everything, imports. */
export const sweeping: SuspectSignal = ({ memory, commits }) => {
  return commits.map((commit) => Math.min(1, memory.commits.paths(commit).length / SWEEP));
};

const SWEEP = 100;
