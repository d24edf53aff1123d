import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import type { TopicWord } from '../understand/topic-words.ts';
import { termsOf } from './topic-scorer.ts';

/** Numbers of the paths that the code no longer has, by the terms of the path. */
type GonePaths = ReadonlyMap<string, readonly number[]>;

/** A path that the code no longer has, with the commit that deleted or renamed it. */
interface GonePath {
  path: string;
  commit: number;
  /** New path where it was renamed. */
  renamedTo: string | null;
}

/** Path terms of more paths, such as `src`, find nothing in particular. */
const MAX_PATHS_PER_TERM = 20_000;
const MAX_PATHS = 4_000;

const indexGonePaths = memoizeByIdentity((index: RepositoryIndex): GonePaths => {
  const { commits, code } = index;
  const found = new Map<string, number[]>();
  for (let number = 0; number < commits.pathCount; number++) {
    const path = commits.path(number);
    if (!code || code.fileNumber(path) >= 0) continue;
    for (const term of termsOf(path)) {
      const list = found.get(term);
      if (list) list.push(number);
      else found.set(term, [number]);
    }
  }
  return found;
});

/** Paths of the past that have a word of the topic, those with the rarest words first. */
export function findGonePaths(words: TopicWord[], index: RepositoryIndex): GonePath[] {
  const paths = indexGonePaths(index);
  const lists = words
    .flatMap(({ variants }) => variants.map(({ term }) => paths.get(term) ?? []))
    .filter((list) => list.length > 0 && list.length <= MAX_PATHS_PER_TERM)
    .sort((a, b) => a.length - b.length);
  const numbers = new Set<number>();
  for (const list of lists) {
    if (numbers.size >= MAX_PATHS) break;
    for (const number of list) numbers.add(number);
  }
  return Array.from(numbers, (number) => describeGonePath(number, index)).filter((gone) => gone !== null);
}

/** The end of a path by the history; null for one that the code has. */
export function findGonePath(path: string, index: RepositoryIndex): GonePath | null {
  const number = index.commits.pathNumber(path);
  const renamed = findRename(path, index.commits);
  if (number >= 0) return describeGonePath(number, index) ?? renamed;
  return renamed;
}

function describeGonePath(number: number, { commits, code }: RepositoryIndex): GonePath | null {
  const path = commits.path(number);
  if (code && code.fileNumber(path) >= 0) return null;
  const deleting = Array.from(commits.touching(number)).find(
    (commit) => statusOf(commit, number, commits) === 'D',
  );
  return deleting === undefined ? findRename(path, commits) : { path, commit: deleting, renamedTo: null };
}

/** A rename touches the new path only, so it is looked up by the old one. */
function findRename(path: string, commits: CommitTable): GonePath | null {
  const rename = renamesOf(commits).get(path);
  return rename ? { path, ...rename } : null;
}

const renamesOf = memoizeByIdentity((commits: CommitTable) => {
  const found = new Map<string, { commit: number; renamedTo: string }>();
  for (let commit = 0; commit < commits.count; commit++) {
    const statuses = commits.statuses(commit);
    if (!statuses.includes('R')) continue;
    const [olds, news] = [commits.oldPaths(commit), commits.paths(commit)];
    for (let at = 0; at < olds.length; at++) {
      if (statuses[at] !== 'R') continue;
      const old = commits.path(olds[at]!);
      if (!found.has(old)) found.set(old, { commit, renamedTo: commits.path(news[at]!) });
    }
  }
  return found;
});

function statusOf(commit: number, path: number, commits: CommitTable): string {
  return commits.statuses(commit)[commits.paths(commit).indexOf(path)] ?? '';
}

/** Paths that a commit deleted. */
export function deletedPaths(commit: number, { commits }: RepositoryIndex): string[] {
  const statuses = commits.statuses(commit);
  return Array.from(commits.paths(commit), (path) => commits.path(path)).filter(
    (_, at) => statuses[at] === 'D',
  );
}

/** Paths that a commit added, or renamed to. */
export function addedPaths(commit: number, { commits }: RepositoryIndex): string[] {
  const statuses = commits.statuses(commit);
  return Array.from(commits.paths(commit), (path) => commits.path(path)).filter((_, at) =>
    'AR'.includes(statuses[at] ?? ''),
  );
}
