import type { RepositoryIndex } from '#memory/repository-index.ts';

const LARGE = 30;
const SWEEPING = 120;
const LARGE_FACTOR = 0.93;
const SWEEPING_FACTOR = 0.82;

/** Lowers the score of commits that touch many files: they have every word. */
export function sweepingFactor(commit: number, { commits }: RepositoryIndex): number {
  const size = commits.paths(commit).length + commits.omittedChanges(commit);
  return size > SWEEPING ? SWEEPING_FACTOR : size > LARGE ? LARGE_FACTOR : 1;
}
