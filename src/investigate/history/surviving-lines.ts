import type { FileDiff } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { TermCounter } from '#search/lexical/term-counter.ts';
import type { ErrorWords } from '../locate/error-words.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { RenameHistory } from './renames.ts';

/**
 * Lines of each candidate that survive in the located files, by comparing texts with the diffs already read. A current
 * line belongs to the newest candidate that added its text; uninformative lines are ignored.
 */
export interface SurvivingLines {
  /** Lines that each candidate added to the located files, and how many of them survive. */
  added: Float64Array;
  surviving: Float64Array;
  /** Idf of the error's terms in the surviving lines, each term once, times the score of the file. */
  words: Float64Array;
  /** Share of the places' lines that are the candidate's, times the score of the place. */
  places: Float64Array;
  /** Idf of the error's terms in each surviving line of a located function, times the score of the function. */
  functions: Float64Array;
}

interface SurvivingLinesInput {
  index: RepositoryIndex;
  commits: number[];
  diffs: Map<string, FileDiff[]>;
  located: LocatedError;
  renames: RenameHistory;
  words: ErrorWords;
}

/** Excludes braces, `return` and the like, which occur in every file. */
const INFORMATIVE_LINE = /\w\W*\w\W*\w\W*\w\W*\w\W*\w/;

/** Located functions whose lines are attributed. */
const MAX_FUNCTIONS = 8;

/** Compares the lines that the candidates added with the current files. */
export function measureSurvivingLines(input: SurvivingLinesInput): SurvivingLines {
  const { commits, located } = input;
  const empty = () => new Float64Array(commits.length);
  const result: SurvivingLines = {
    added: empty(),
    surviving: empty(),
    words: empty(),
    places: empty(),
    functions: empty(),
  };
  const owners = findLineOwners(input, result);
  const counter = new TermCounter(input.words.inVocabulary.keys());
  const totalIdf = (terms: Iterable<string>) =>
    Array.from(terms, (term) => input.words.inVocabulary.get(term)!.idf).reduce((a, b) => a + b, 0);
  const idfOf = (text: string) => {
    const counts = new Map<string, number>();
    counter.count(text, { counts, length: 0 });
    return totalIdf(counts.keys());
  };
  for (const [path, lines] of located.texts) {
    const ownerOf = owners.get(path);
    if (!ownerOf) continue;
    const score = located.files.find((file) => file.path === path)?.score ?? 0;
    const places = located.places.filter((place) => place.path === path);
    const functions = located.functions.slice(0, MAX_FUNCTIONS).filter((one) => one.path === path);
    const terms = new Map<number, Map<string, number>>();
    lines.forEach((text, i) => {
      const owner = ownerOf.get(text.trim());
      if (owner === undefined) return;
      result.surviving[owner]!++;
      const counts = terms.get(owner) ?? new Map<string, number>();
      terms.set(owner, counts);
      counter.count(text, { counts, length: 0 });
      const contains = ({ start, end }: { start: number; end: number }) => i + 1 >= start && i + 1 <= end;
      for (const { start, end, score: weight } of places.filter(contains))
        result.places[owner]! += weight / (end - start + 1);
      const functionScore = functions.filter(contains).reduce((sum, one) => sum + one.score, 0);
      if (functionScore > 0) result.functions[owner]! += functionScore * idfOf(text);
    });
    for (const [owner, counts] of terms) result.words[owner]! += score * totalIdf(counts.keys());
  }
  return result;
}

/** Maps each line's text in every located file to the newest candidate that added it; counts the added lines. */
function findLineOwners(
  { index, commits, diffs, located, renames }: SurvivingLinesInput,
  { added }: SurvivingLines,
) {
  const owners = new Map<string, Map<string, number>>();
  const newestFirst = Array.from(commits.keys()).sort((a, b) => commits[a]! - commits[b]!);
  for (const i of newestFirst) {
    for (const file of diffs.get(index.commits.oid(commits[i]!)) ?? []) {
      const path = file.new_path === null ? null : renames.currentPath(file.new_path);
      if (path === null || !located.texts.has(path)) continue;
      const own = owners.get(path) ?? new Map<string, number>();
      owners.set(path, own);
      for (const { kind, text } of file.hunks.flatMap(({ lines }) => lines)) {
        if (kind !== 'add' || !INFORMATIVE_LINE.test(text)) continue;
        added[i]!++;
        const line = text.trim();
        if (!own.has(line)) own.set(line, i);
      }
    }
  }
  return owners;
}
