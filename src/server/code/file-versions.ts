import { type FileVersion, MAX_VERSIONS } from '#contract/code.ts';
import { isoTime } from '#contract/iso-time.ts';
import { type Authors, readAuthors } from '#evolution/authors.ts';
import { findCoupled } from '#evolution/coupling.ts';
import { isNonSource } from '#evolution/fixes.ts';
import { followRenames } from '#investigate/history/renames.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { kindOfCommit } from '../project-data/commit-filters.ts';
import { presentCommitLine } from './list-folder.ts';

const MAX_LISTED = 10;
/** Files that change together once or twice do so by chance. */
const MIN_TOGETHER = 3;
const COUPLED_CANDIDATES = 60;

/** Lists the versions of a file under all of its names, with its authors, related files and tests. */
export async function fileVersions(source: { repo: string; index: RepositoryIndex }, path: string) {
  const { index } = source;
  const { commits } = index;
  const names = followRenames([path], commits).allPaths(path);
  const numbers = new Set(names.map((name) => commits.pathNumber(name)).filter((number) => number >= 0));
  const touching = [...new Set([...numbers].flatMap((number) => [...commits.touching(number)]))].sort(
    (a, b) => a - b,
  );
  const { of, coupled } = findCoupled(index, path, touching, COUPLED_CANDIDATES);
  const together = coupled.filter((one) => one.together >= MIN_TOGETHER && !names.includes(one.path));
  const isTest = (one: string) => isNonSource(one) && /test|spec/i.test(one);
  const tests = [...together.map((one) => one.path).filter(isTest), ...testsByName(index, path)];
  return {
    versions: touching.slice(0, MAX_VERSIONS).map((commit) => presentVersion(index, commit, numbers)),
    total: touching.length,
    authors: countAuthors(commits, touching, await readAuthors(source)),
    related: together
      .filter((one) => !isTest(one.path))
      .slice(0, MAX_LISTED)
      .map(({ path: other, together: count }) => ({ path: other, together: count })),
    counted: of,
    tests: [...new Set(tests)].filter((one) => one !== path).slice(0, MAX_LISTED),
  };
}

function presentVersion(index: RepositoryIndex, commit: number, numbers: ReadonlySet<number>): FileVersion {
  const { commits } = index;
  const at = commits.paths(commit).findIndex((number) => numbers.has(number));
  return {
    ...presentCommitLine(commits, commit),
    path: commits.path(commits.paths(commit)[at]!),
    status: commits.statuses(commit)[at] as FileVersion['status'],
    kind: kindOfCommit(index, commit),
  };
}

function countAuthors(commits: CommitTable, touching: number[], { names, authorOf }: Authors) {
  const authors = new Map<string, { commits: number; last: string }>();
  for (const commit of touching) {
    const name = names[authorOf[commit]!]!;
    const known = authors.get(name);
    if (known) known.commits += 1;
    else authors.set(name, { commits: 1, last: isoTime(commits.time(commit)) });
  }
  return Array.from(authors, ([name, counts]) => ({ name, ...counts }))
    .toSorted((a, b) => b.commits - a.commits)
    .slice(0, MAX_LISTED);
}

/** Tests whose name is that of the file: `test_app.py`, `app.test.ts` or `app_spec.rb` for `app`. */
function testsByName({ code }: RepositoryIndex, path: string): string[] {
  const stem = baseName(path);
  if (!code || stem.length < 3) return [];
  const names = new Set([`test_${stem}`, `${stem}_test`, `${stem}.test`, `${stem}.spec`, `${stem}_spec`]);
  const found: string[] = [];
  for (let file = 0; file < code.fileCount && found.length < MAX_LISTED; file++) {
    const other = code.filePath(file);
    if (names.has(baseName(other)) && isNonSource(other)) found.push(other);
  }
  return found;
}

function baseName(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]+$/, '')
    .toLowerCase();
}
