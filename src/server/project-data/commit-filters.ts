import { LRUCache } from 'lru-cache';
import type { CommitFilters } from '#contract/projects.ts';
import { isFix, isFixCommit, revertedCommits } from '#evolution/fixes.ts';
import { followRenames } from '#investigate/history/renames.ts';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { CommitTable, RepositoryIndex } from '#memory/repository-index.ts';
import { terms } from '#memory/tokens.ts';
import { yieldIfDue } from '#scheduling/yield.ts';

type FilteredKind = 'fix' | 'revert' | 'merge' | 'change';

/** Commits that are examined between two looks at the clock. */
const STEP = 500;
const CACHED_FILTERS = 30;

const cachedFilters = memoizeByIdentity(
  (_index: RepositoryIndex) => new LRUCache<string, Uint32Array>({ max: CACHED_FILTERS }),
);

/** Numbers of the indexed commits that match every filter, newest first; null without a filter. */
export async function filterCommits(
  index: RepositoryIndex,
  filters: CommitFilters,
  signal?: AbortSignal,
): Promise<Uint32Array | null> {
  const { author, path, q, since, until, kind } = filters;
  const key = JSON.stringify([author, path, q, since, until, kind].map((value) => value || null));
  if (key === '[null,null,null,null,null,null]') return null;
  const cache = cachedFilters(index);
  const cached = cache.get(key);
  if (cached) return cached;
  const found: number[] = [];
  const matches = matcher(index, filters);
  const candidates = candidateCommits(index, filters);
  for (let i = 0; i < candidates.length; i++) {
    if (i % STEP === 0) await yieldIfDue(signal);
    if (matches(candidates[i]!)) found.push(candidates[i]!);
  }
  const result = Uint32Array.from(found);
  cache.set(key, result);
  return result;
}

/** Kind of an indexed commit by its parents and message. */
export function kindOfCommit(index: RepositoryIndex, commit: number): FilteredKind {
  const { commits } = index;
  if (commits.parents(commit).length > 1) return 'merge';
  if (isRevert(commits.message(commit))) return 'revert';
  return isFixCommit(index, commit) ? 'fix' : 'change';
}

/** Kind of a commit with one parent by its message and changed paths. */
export function kindOfMessage(message: string, paths: readonly string[]): FilteredKind {
  if (isRevert(message)) return 'revert';
  return isFix(message, paths) ? 'fix' : 'change';
}

function isRevert(message: string): boolean {
  return /^revert\b/i.test(message) || revertedCommits(message).length > 0;
}

/** Commits by the filters that the index answers directly: paths and words of the message. */
function candidateCommits({ commits }: RepositoryIndex, { path, q }: CommitFilters): Uint32Array | number[] {
  const sets: (Uint32Array | number[])[] = [];
  if (path) sets.push(commitsBelow(commits, path.replace(/^\/+|\/+$/g, '')));
  if (q) sets.push(commitsMentioning(commits, q));
  const [first, second] = sets;
  if (!first) return Array.from({ length: commits.count }, (_, commit) => commit);
  if (!second) return first;
  const others = new Set(second);
  return Array.from(first).filter((commit) => others.has(commit));
}

/** Commits that touched a file under any of its names, or anything below a folder. */
function commitsBelow(commits: CommitTable, path: string): number[] {
  const found = new Set<number>();
  const add = (number: number) => {
    for (const commit of commits.touching(number)) found.add(commit);
  };
  for (const name of followRenames([path], commits).allPaths(path)) {
    const number = commits.pathNumber(name);
    if (number >= 0) add(number);
  }
  if (found.size === 0) {
    for (let number = 0; number < commits.pathCount; number++) {
      if (commits.path(number).startsWith(`${path}/`)) add(number);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** Commits whose message has every word, and the commit whose hash begins like this. */
function commitsMentioning(commits: CommitTable, q: string): number[] {
  const byHash = commits.find(q.toLowerCase());
  if (byHash >= 0) return [byHash];
  const lists = [...new Set(terms(q))].map(
    (term) => commits.messages.postings(term)?.docs ?? new Uint32Array(),
  );
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length);
  if (!shortest) return [];
  const sets = others.map((docs) => new Set(docs));
  return Array.from(shortest).filter((commit) => sets.every((docs) => docs.has(commit)));
}

const SECONDS_OF_DAY = 86_400;

function matcher(index: RepositoryIndex, filters: CommitFilters): (commit: number) => boolean {
  const { commits } = index;
  const { author, since, until, kind } = filters;
  const name = author?.toLowerCase();
  const from = since ? Date.parse(since) / 1000 : null;
  const to = until ? Date.parse(until) / 1000 + SECONDS_OF_DAY : null;
  return (commit) => {
    // NaN compares false: a commit with a broken date matches no period.
    if (from !== null && !(commits.committed(commit) >= from)) return false;
    if (to !== null && !(commits.committed(commit) < to)) return false;
    if (name && !`${commits.author(commit)}\n${commits.email(commit)}`.toLowerCase().includes(name))
      return false;
    return !kind || isKind(index, commit, kind);
  };
}

function isKind(index: RepositoryIndex, commit: number, kind: NonNullable<CommitFilters['kind']>): boolean {
  if (kind === 'merge') return index.commits.parents(commit).length > 1;
  if (kind === 'revert') return isRevert(index.commits.message(commit));
  return isFixCommit(index, commit);
}
