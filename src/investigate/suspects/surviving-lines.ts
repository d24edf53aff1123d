import type { FileDiff } from '#contract/projects.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { TermCounter } from '#search/terms/term-counter.ts';
import type { RenameHistory } from '../history/renames.ts';
import type { LocatedError } from '../locate/locate.ts';
import type { ErrorWords } from '../text/error-words.ts';

/**
 * What of the candidates' work still stands in the located files: blame by the text of lines, from what has been
 * read already. A present line belongs to the newest candidate that wrote it; lines that say little belong to nobody.
 */
export interface SurvivingLines {
  /** Lines that each candidate wrote in the located files, and how many of them stand. */
  written: Float64Array;
  surviving: Float64Array;
  /** Rarity of the error's words in the lines that stand, each word once, by the score of the file. */
  words: Float64Array;
  /** Share of the places' lines that the candidate wrote, by the score of the place. */
  places: Float64Array;
  /** Rarity of the error's words in each line that stands in a located function, by the score of the function. */
  functions: Float64Array;
}

interface SurvivingLinesInput {
  memory: RepositoryIndex;
  commits: number[];
  diffs: Map<string, FileDiff[]>;
  located: LocatedError;
  names: RenameHistory;
  words: ErrorWords;
}

/** Braces and `return` are in every file: a line has to say more. */
const INFORMATIVE_LINE = /\w\W*\w\W*\w\W*\w\W*\w\W*\w/;

/** Functions whose lines are told apart. */
const MAX_FUNCTIONS = 8;

/** Compares the lines that the candidates wrote with the files as they are. */
export function measureSurvivingLines(input: SurvivingLinesInput): SurvivingLines {
  const { commits, located } = input;
  const empty = () => new Float64Array(commits.length);
  const standing: SurvivingLines = {
    written: empty(),
    surviving: empty(),
    words: empty(),
    places: empty(),
    functions: empty(),
  };
  const owners = findLineOwners(input, standing);
  const counter = new TermCounter(input.words.inVocabulary.keys());
  const rarity = (terms: Iterable<string>) =>
    Array.from(terms, (term) => input.words.inVocabulary.get(term)!.idf).reduce((a, b) => a + b, 0);
  const rarityOf = (text: string) => {
    const counts = new Map<string, number>();
    counter.count(text, { counts, length: 0 });
    return rarity(counts.keys());
  };
  for (const [path, lines] of located.texts) {
    const own = owners.get(path);
    if (!own) continue;
    const score = located.files.find((file) => file.path === path)?.score ?? 0;
    const places = located.places.filter((place) => place.path === path);
    const functions = located.functions.slice(0, MAX_FUNCTIONS).filter((one) => one.path === path);
    const terms = new Map<number, Map<string, number>>();
    lines.forEach((text, index) => {
      const owner = own.get(text.trim());
      if (owner === undefined) return;
      standing.surviving[owner]!++;
      const counts = terms.get(owner) ?? new Map<string, number>();
      terms.set(owner, counts);
      counter.count(text, { counts, length: 0 });
      const holds = ({ start, end }: { start: number; end: number }) =>
        index + 1 >= start && index + 1 <= end;
      for (const { start, end, score: weight } of places.filter(holds))
        standing.places[owner]! += weight / (end - start + 1);
      const within = functions.filter(holds).reduce((sum, one) => sum + one.score, 0);
      if (within > 0) standing.functions[owner]! += within * rarityOf(text);
    });
    for (const [owner, counts] of terms) standing.words[owner]! += score * rarity(counts.keys());
  }
  return standing;
}

/** For every located file, the newest candidate that wrote each line, by the line's text; counts what was written. */
function findLineOwners({ memory, commits, diffs, located, names }: SurvivingLinesInput, { written }: SurvivingLines) {
  const owners = new Map<string, Map<string, number>>();
  const newestFirst = Array.from(commits.keys()).sort((a, b) => commits[a]! - commits[b]!);
  for (const index of newestFirst) {
    for (const file of diffs.get(memory.commits.oid(commits[index]!)) ?? []) {
      const path = file.new_path === null ? null : names.currentPath(file.new_path);
      if (path === null || !located.texts.has(path)) continue;
      const own = owners.get(path) ?? new Map<string, number>();
      owners.set(path, own);
      for (const { kind, text } of file.hunks.flatMap(({ lines }) => lines)) {
        if (kind !== 'add' || !INFORMATIVE_LINE.test(text)) continue;
        written[index]!++;
        const line = text.trim();
        if (!own.has(line)) own.set(line, index);
      }
    }
  }
  return owners;
}
