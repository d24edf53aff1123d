import type { RepositoryIndex } from '#memory/repository-index.ts';
import type { Authors } from './authors.ts';
import { CHANGE_KINDS, type HistoryFacts } from './history-facts.ts';
import { BULK_COMMIT_FILES } from './hotspots.ts';
import { selectPaths } from './scoped-changes.ts';

/** A person with the files that they know. */
interface FileOwner {
  name: string;
  files: number;
  /** Author time of their last commit to the project, in seconds since 1970. */
  last: number;
  /** True with a commit in the year before the end of the scope. */
  active: boolean;
}

/** A file and the person who knows it best. */
interface OwnedFile {
  path: string;
  owner: string;
  /** Author time of the last change to the file by anyone. */
  last: number;
  lines: number;
}

interface Knowledge {
  /** Code files with an author. */
  files: number;
  /** Smallest number of people whose absence leaves more than half of the files without an author. */
  busFactor: number;
  /** Most files first. */
  people: FileOwner[];
  /** Files of which every author is inactive, largest first. */
  orphaned: OwnedFile[];
}

const YEAR = 365 * 86_400;
/** Thresholds and weights of the degree of authorship (Fritz 2010, Avelino 2016). */
const MIN_DEGREE = 3.293;
const MIN_RELATIVE_DEGREE = 0.75;
const degreeOfAuthorship = (first: boolean, own: number, others: number) =>
  3.293 + 1.098 * (first ? 1 : 0) + 0.164 * own - 0.321 * Math.log1p(others);

/** Changes of a file by author, and the author of the first. */
interface FileHistory {
  first: number;
  last: number;
  changes: Map<number, number>;
}

/**
 * Measures who knows the code files below `path` by all history before `to`: authors by degree of authorship, and the bus
 * factor by removing the author of most files until half of the files have none. Programs are no authors.
 */
export function measureKnowledge(
  index: RepositoryIndex,
  { facts, authors, path, to }: { facts: HistoryFacts; authors: Authors; path: string; to: number },
): Knowledge {
  const histories = readFileHistories(index, { facts, authors, path, to });
  const lastOf = lastCommitTimes(facts, authors, to);
  const isActive = (author: number) => lastOf[author]! >= to - YEAR;
  const filesOf = new Map<number, number[]>();
  const authorsOf = new Map<number, number[]>();
  const orphaned: OwnedFile[] = [];
  for (const [file, history] of histories) {
    const found = findFileAuthors(history);
    if (found.length === 0) continue;
    authorsOf.set(file, found);
    for (const author of found) filesOf.set(author, [...(filesOf.get(author) ?? []), file]);
    if (found.some(isActive)) continue;
    const name = facts.paths[file]!;
    const number = index.code?.fileNumber(name) ?? -1;
    const lines = number >= 0 ? index.code!.fileLines(number) : 0;
    orphaned.push({ path: name, owner: authors.names[found[0]!]!, last: history.last, lines });
  }
  const ranked = [...filesOf].sort(([, a], [, b]) => b.length - a.length);
  return {
    files: authorsOf.size,
    busFactor: countKeyAuthors(
      ranked.map(([, files]) => files),
      authorsOf,
    ),
    people: ranked.map(([author, files]) => ({
      name: authors.names[author]!,
      files: files.length,
      last: lastOf[author]!,
      active: isActive(author),
    })),
    orphaned: orphaned.sort((a, b) => b.lines - a.lines),
  };
}

function readFileHistories(
  { commits }: RepositoryIndex,
  { facts, authors, path, to }: { facts: HistoryFacts; authors: Authors; path: string; to: number },
): Map<number, FileHistory> {
  const { times, kinds, isCode, currentPaths } = facts;
  const isInside = selectPaths(facts, path);
  const histories = new Map<number, FileHistory>();
  for (let commit = commits.count - 1; commit >= 0; commit--) {
    const author = authors.authorOf[commit]!;
    const time = times[commit]!;
    if (kinds[commit] === CHANGE_KINDS.merge || authors.bots[author] || !(time < to)) continue;
    const changed = commits.paths(commit);
    const isBulk = changed.length + commits.omittedChanges(commit) > BULK_COMMIT_FILES;
    const statuses = isBulk ? commits.statuses(commit) : '';
    for (let i = 0; i < changed.length; i++) {
      const file = currentPaths[changed[i]!]!;
      // Of bulk changes, only the files that they added say who wrote something.
      if (file < 0 || isInside[file] === 0 || isCode[file] === 0 || (isBulk && statuses[i] !== 'A')) continue;
      const history = histories.get(file) ?? {
        first: author,
        last: time,
        changes: new Map<number, number>(),
      };
      histories.set(file, history);
      history.last = Math.max(history.last, time);
      history.changes.set(author, (history.changes.get(author) ?? 0) + 1);
    }
  }
  return histories;
}

/** Authors of a file, highest degree of authorship first. */
function findFileAuthors({ first, changes }: FileHistory): number[] {
  const total = [...changes.values()].reduce((sum, count) => sum + count, 0);
  const degrees = Array.from(changes, ([author, own]) => ({
    author,
    degree: degreeOfAuthorship(author === first, own, total - own),
  })).sort((a, b) => b.degree - a.degree);
  const best = degrees[0]?.degree ?? 0;
  return degrees
    .filter(({ degree }) => degree >= MIN_DEGREE && degree > best * MIN_RELATIVE_DEGREE)
    .map(({ author }) => author);
}

/** Bus factor: authors are removed, that of most files first, until less than half of the files have an author left. */
function countKeyAuthors(
  filesByAuthor: readonly (readonly number[])[],
  authorsOf: ReadonlyMap<number, readonly number[]>,
): number {
  const left = new Map(Array.from(authorsOf, ([file, authors]) => [file, authors.length]));
  let covered = left.size;
  let removed = 0;
  for (const files of filesByAuthor) {
    if (covered < left.size / 2) break;
    removed++;
    for (const file of files) {
      const remaining = left.get(file)! - 1;
      left.set(file, remaining);
      if (remaining === 0) covered--;
    }
  }
  return removed;
}

function lastCommitTimes({ times }: HistoryFacts, { names, authorOf }: Authors, to: number): Float64Array {
  const last = new Float64Array(names.length).fill(Number.NEGATIVE_INFINITY);
  times.forEach((time, commit) => {
    const author = authorOf[commit]!;
    if (time < to && time > last[author]!) last[author] = time;
  });
  return last;
}
