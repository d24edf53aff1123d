import type { ChangeReview } from '#contract/change-check.ts';
import type { FileDiff } from '#contract/projects.ts';
import { type Authors, readAuthors } from '#evolution/authors.ts';
import { findCompanions, MAX_COMPANION_COMMITS } from '#evolution/companions.ts';
import { findCoveringTests, isTestFile } from '#evolution/covering-tests.ts';
import { isFix, isNonSource } from '#evolution/fixes.ts';
import { BULK_COMMIT_FILES } from '#evolution/hotspots.ts';
import { blameRemovedLines, type RemovedLine } from '#evolution/removed-lines.ts';
import { findUndoneFixes, type UndoneFix } from '#evolution/undone-fixes.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';

/** A change that is not part of the history yet. */
interface ChangeInput {
  repo: string;
  index: RepositoryIndex;
  /** Commit before the change. */
  before: string;
  /** Diff without context lines. */
  files: readonly FileDiff[];
  /** Names and emails of the reader, who does not review their own change. */
  self: readonly string[];
  /** Seconds since 1970. */
  now: number;
  signal: AbortSignal;
}

const [MAX_UNDONE, MAX_FIXED, MAX_COMPANIONS, MAX_REVIEWERS] = [10, 20, 3, 3];
/** Files whose history is read, and their newest commits. */
const MAX_FILES = 30;
const MAX_COMMITS = 200;
const REVIEW_DAYS = 3 * 365;

/** Compares a change with the history: fixes, files that change together, tests and reviewers. */
export async function reviewChange(input: ChangeInput): Promise<ChangeReview> {
  const { repo, index, before, files, now, signal } = input;
  const removed = await blameRemovedLines(files, { repo, before, time: now, signal });
  const undone = await findUndoneFixes({ files, removed, message: '' }, { repo, before, signal });
  const changed = files.map((file) => file.new_path ?? file.old_path!);
  const paths = [...new Set([...changed, ...files.flatMap((file) => file.old_path ?? [])])];
  const read = paths.slice(0, MAX_FILES);
  return {
    undone_fixes: undone
      .slice(0, MAX_UNDONE)
      .map(({ fix, fixSubject, path, line }) => ({ fix, subject: fixSubject.slice(0, 300), path, line })),
    fixed_lines: findFixedLines(removed, undone),
    companions: findMissingCompanions(index, read, new Set(paths)),
    tests: findCoveringTests(index, read),
    reviewers: findReviewers(index, read, { authors: await readAuthors(input), self: input.self }),
  };
}

function findFixedLines(
  removed: readonly RemovedLine[],
  undone: readonly UndoneFix[],
): ChangeReview['fixed_lines'] {
  const known = new Set(undone.map(({ fix }) => fix));
  const ofFixes = removed.filter(
    ({ oid, summary, path }) => !known.has(oid) && !isNonSource(path) && isFix(summary, [path]),
  );
  const groups = Map.groupBy(ofFixes, ({ oid, path }) => `${oid} ${path}`);
  return [...groups.values()].slice(0, MAX_FIXED).map((lines) => {
    const { oid: fix, summary, path, line } = lines[0]!;
    return { fix, subject: summary, path, line, lines: lines.length };
  });
}

/** Finds the files that usually change with those of a change and are not part of it; tests are listed apart. */
function findMissingCompanions(
  { commits, code }: RepositoryIndex,
  paths: readonly string[],
  changed: ReadonlySet<string>,
): ChangeReview['companions'] {
  const history = (path: string) => {
    const number = commits.pathNumber(path);
    const touching = number < 0 ? [] : Array.from(commits.touching(number)).slice(0, MAX_COMMITS);
    return touching
      .map((commit) => commits.paths(commit))
      .filter((numbers) => numbers.length <= BULK_COMMIT_FILES)
      .slice(0, MAX_COMPANION_COMMITS)
      .map((numbers) => Array.from(numbers, (other) => commits.path(other)));
  };
  const isListed = (path: string) => (code === null || code.fileNumber(path) >= 0) && !isTestFile(path);
  return findCompanions({ changed: paths, own: changed, history, limit: 2 * MAX_COMPANIONS })
    .filter(({ path }) => isListed(path))
    .slice(0, MAX_COMPANIONS);
}

function findReviewers(
  { commits }: RepositoryIndex,
  paths: readonly string[],
  { authors, self }: { authors: Authors; self: readonly string[] },
): ChangeReview['reviewers'] {
  const own = new Set(self.map((name) => name.toLowerCase()));
  const since = commits.count === 0 ? 0 : commits.committed(0) - REVIEW_DAYS * 86_400;
  const numbers = paths.map((path) => commits.pathNumber(path)).filter((number) => number >= 0);
  const touching = new Set(
    numbers.flatMap((number) => Array.from(commits.touching(number)).slice(0, MAX_COMMITS)),
  );
  const isOwn = (commit: number) =>
    own.has(commits.email(commit).toLowerCase()) || own.has(commits.author(commit).toLowerCase());
  const reader = new Set(
    Array.from(touching)
      .filter(isOwn)
      .map((commit) => authors.authorOf[commit]!),
  );
  const people = new Map<number, { name: string; commits: number; last: number }>();
  // A small number is a new commit.
  for (const commit of [...touching].sort((a, b) => a - b)) {
    const author = authors.authorOf[commit]!;
    if (commits.committed(commit) < since || commits.paths(commit).length > BULK_COMMIT_FILES) continue;
    if (authors.bots[author] || reader.has(author)) continue;
    const person = people.get(author) ?? { name: authors.names[author]!, commits: 0, last: commit };
    people.set(author, { ...person, commits: person.commits + 1 });
  }
  return [...people.values()]
    .sort((a, b) => b.commits - a.commits || a.last - b.last)
    .slice(0, MAX_REVIEWERS)
    .map(({ name, commits: count, last }) => ({ name, commits: count, last_commit: commits.oid(last) }));
}
