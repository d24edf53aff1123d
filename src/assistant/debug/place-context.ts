import type { DebugAnswer } from '#contract/debug.ts';
import { isoTime } from '#contract/iso-time.ts';
import { type Authors, readAuthors } from '#evolution/authors.ts';
import { selectShownSessions } from '#investigate/fixes/similar-sessions.ts';
import type { Investigation } from '#investigate/investigate.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { isPlaceStated } from './error-claims.ts';

const MAX_PEOPLE = 3;
const MAX_TESTS = 5;
/** Newest commits of the place's file that are counted. */
const MAX_COMMITS = 200;
/** Commits that change more files do not tell which tests cover one of them. */
const MAX_CHANGED_PATHS = 30;
/** Commits in which a test changed with the file, unless its name says that it covers it. */
const MIN_SHARED_COMMITS = 2;
const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)(?:test_[^/]*|[^/]*(?:[._-](?:test|spec)|Test))\.[^/.]+$/;

/** People to ask about the first place, tests that cover it, and earlier sessions of the same error. */
export async function describePlaceContext(
  found: Investigation,
  { repo, index }: { repo: string; index: RepositoryIndex },
): Promise<Pick<DebugAnswer, 'who_to_ask' | 'tests' | 'related_sessions'>> {
  const related_sessions = selectShownSessions(found.sessions).map(({ session }) => session.id);
  const [place] = found.places;
  if (!place || !isPlaceStated(found)) return { who_to_ask: [], tests: [], related_sessions };
  const commits = commitsOf(place.path, index);
  return {
    who_to_ask: listContributors(commits, index, await readAuthors({ repo, index })),
    tests: listTests(place.path, commits, index),
    related_sessions,
  };
}

function commitsOf(path: string, { commits }: RepositoryIndex): number[] {
  const number = commits.pathNumber(path);
  return number < 0 ? [] : Array.from(commits.touching(number).slice(0, MAX_COMMITS));
}

/** People who wrote the file's newest commits, by their number of commits. */
function listContributors(
  newest: number[],
  { commits }: RepositoryIndex,
  { names, bots, authorOf }: Authors,
): DebugAnswer['who_to_ask'] {
  const people = new Map<number, { name: string; commits: number; last_active: string }>();
  for (const commit of newest) {
    const author = authorOf[commit]!;
    if (bots[author]) continue;
    const person = people.get(author);
    // Newest first, so that the first commit is the last activity.
    if (person) person.commits++;
    else
      people.set(author, {
        ...{ name: names[author]!, commits: 1 },
        last_active: isoTime(commits.time(commit)),
      });
  }
  return [...people.values()].sort((a, b) => b.commits - a.commits).slice(0, MAX_PEOPLE);
}

/** Tests that are named after the file, or changed with it repeatedly. */
function listTests(path: string, newest: number[], { commits, code }: RepositoryIndex): string[] {
  const name = baseName(path);
  const counts = new Map<string, number>();
  for (const commit of newest) {
    const paths = commits.paths(commit);
    if (paths.length > MAX_CHANGED_PATHS) continue;
    for (const number of paths) {
      const other = commits.path(number);
      if (other !== path && TEST_PATH.test(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  const isNamed = (test: string) =>
    Number(baseName(test).replace(/^test_?|[._-]?(?:test|spec)$|Test$/g, '') === name);
  return [...counts]
    .filter(
      ([test, count]) =>
        (count >= MIN_SHARED_COMMITS || isNamed(test)) && (code?.fileNumber(test) ?? -1) >= 0,
    )
    .sort(([a, x], [b, y]) => isNamed(b) - isNamed(a) || y - x || a.localeCompare(b))
    .slice(0, MAX_TESTS)
    .map(([test]) => test);
}

/** `total` of `src/checkout/total.js` and `total.test` of its test. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
}
